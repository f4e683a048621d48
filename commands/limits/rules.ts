import { z } from 'zod';
import { actionButton, moreButton } from '../../src/bot/declaration/actions.ts';
import { privately } from '../../src/bot/declaration/command.ts';
import { all } from '../../src/bot/declaration/options.ts';
import { mainUsage, usageLines, usageOf, usd } from '../../src/bot/messages/usage-messages.ts';
import { unknownCalls } from '../../src/bot/moderation/refund-calls.ts';
import type { Show } from '../../src/domain/channel.ts';
import type { Limit, Unit } from '../../src/domain/job.ts';
import { quoted } from '../../src/domain/text.ts';
import type { Translate } from '../../src/i18n/translator.ts';
import { monthReport } from '../../src/usage/report/report.ts';
import type { AuditEntry, Grant } from '../../src/usage/settings.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/usage/settings.ts';
import { moderatorCommand } from './moderator-command.ts';

/** The entries of a list that are named. More would fill a message. */
const NAMED = 20;

/** Describes a cap: whose it is, and how much it allows, in calls, money or both. */
export function capMessage(t: Translate, limit: Limit, show: Show): string {
	const { what = 'pictures', period, images = 0, usd: most = 0 } = limit;
	const values = { whose: capOwner(t, limit, show), images, amount: usd(t, most), what, period };
	const units = UNITS.filter((unit) => limit[unit] !== undefined);
	return units.map((unit) => t('limits.cap.text', { ...values, unit })).join('; ');
}

export const UNITS: readonly Unit[] = ['images', 'usd'];

function capOwner(t: Translate, { scope, target }: Limit, show: Show): string {
	if (scope === 'server') return t('limits.cap.server');
	if (target === undefined) return t('limits.cap.every', { scope });
	if (scope === 'role') return t('limits.cap.role', { role: show.refer('role', target) });
	return show.refer(scope === 'member' ? 'person' : 'channel', target);
}

type Line = (t: Translate, settings: Settings, show: Show) => string;

const channelList = (t: Translate, ids: readonly string[], show: Show, none = 'none') =>
	ids.length === 0 ? none : nameList(t, ids, (id) => show.refer('channel', id));

const nameOf = (show: Show, kind: 'channel' | 'role', id: string | undefined) =>
	id === undefined ? 'none' : show.refer(kind, id);

/** Returns the banned words as a file, because they may be more than a message holds. Only moderators may see it. */
export const bannedWordsFile = ({ bannedWords }: Settings) =>
	bannedWords.length === 0
		? undefined
		: [{ name: 'banned-words.txt', bytes: Buffer.from(`${bannedWords.join('\n')}\n`) }];

function nameList(t: Translate, ids: readonly string[], nameOf: (id: string) => string): string {
	const list = ids.slice(0, NAMED).map(nameOf).join(', ');
	return ids.length <= NAMED ? list : t('limits.rules.andMore', { list, more: ids.length - NAMED });
}

const paceLine: Line = (t, { atOnce, cooldownSeconds: cooldown }) => t('limits.rules.pace', { atOnce, cooldown });

const modelLine: Line = (t, { moderationCategories: chosen, unmoderated }) =>
	t('limits.rules.opinion', { all: chosen.length === 0 ? 'yes' : 'no', categories: chosen.join(', '), unmoderated });

const undecidedLine: Line = (t, { reviewHours: hours, undecided }) => t('limits.rules.undecided', { hours, undecided });

/** The line of each setting, in the order in which they are shown. Settings that share a line are shown once. */
export const LINES = {
	timeZone: (t, { timeZone, previousZone }, show) =>
		previousZone
			? t('limits.rules.nextZone', { timeZone, previous: previousZone.timeZone, when: show.when(previousZone.until) })
			: t('limits.rules.timeZone', { timeZone }),
	language: (t, { language = 'en' }) =>
		t('limits.rules.language', { language: new Intl.DisplayNames(t.language, { type: 'language' }).of(language) }),
	overageMills: (t, { overageMills }) =>
		t('limits.rules.overage', { amount: overageMills === 0 ? 'none' : usd(t, overageMills * 1000) }),
	atOnce: paceLine,
	cooldownSeconds: paceLine,
	noticeChannel: (t, { noticeChannel }, show) =>
		t('limits.rules.notices', { channel: nameOf(show, 'channel', noticeChannel) }),
	allowedChannels: (t, { allowedChannels: ids }, show) =>
		t('limits.rules.channels', { channels: channelList(t, ids, show, 'all') }),
	allowedRoles: (t, { allowedRoles: ids }, show) =>
		t('limits.rules.roles', { count: ids.length, roles: nameList(t, ids, (id) => show.refer('role', id)) }),
	bannedWords: (t, { bannedWords }) => t('limits.rules.bannedWords', { count: bannedWords.length }),
	moderationCategories: modelLine,
	unmoderated: modelLine,
	moderatorRole: (t, { moderatorRole }, show) =>
		t('limits.rules.moderators', { role: nameOf(show, 'role', moderatorRole) }),
	logChannel: (t, { logChannel }, show) => t('limits.rules.log', { channel: nameOf(show, 'channel', logChannel) }),
	spoilerChannels: (t, { spoilerChannels: ids }, show) =>
		t('limits.rules.spoilers', { channels: channelList(t, ids, show) }),
	reviewChannels: (t, { reviewChannels: ids }, show) =>
		t('limits.rules.review', { channels: channelList(t, ids, show) }),
	reviewHours: undecidedLine,
	undecided: undecidedLine,
	persona: (t, { persona = '' }) =>
		persona === '' ? t('limits.rules.noPersona') : t('limits.rules.persona', { persona: quoted(persona, 1000) }),
	answerTokens: (t, { answerTokens: tokens = 0 }) => t('limits.rules.answerTokens', { tokens }),
	outsiders: (t, { outsiders }) => t('limits.rules.outsiders', { outsiders }),
	editable: (t, { editable }) => t('limits.rules.editable', { editable }),
	apps: (t, { apps }, show) =>
		t('limits.rules.apps', { count: apps.length, apps: nameList(t, apps, (id) => show.refer('person', id)) }),
	noticeSeconds: (t, { noticeSeconds: seconds }) => t('limits.rules.notice', { seconds }),
	blocked: (t, { blocked }, show) =>
		t('limits.rules.blocked', {
			count: blocked.length,
			members: nameList(t, blocked, (id) => show.refer('person', id)),
		}),
} satisfies Partial<Record<keyof Settings, Line>>;

const lineOf = (name: string) => (LINES as Readonly<Partial<Record<string, Line>>>)[name];

/** Returns all rules but the caps, one line each; without those of some settings. */
export function ruleLines(t: Translate, settings: Settings, show: Show, except: readonly string[] = []): string[] {
	const omitted = new Set(except.map((name) => lineOf(name)?.(t, settings, show)));
	const lines = new Set(Object.values(LINES).map((line) => line(t, settings, show)));
	return [...lines].filter((line) => !omitted.has(line));
}

/** Returns what a change of the settings has changed: `Time zone: Europe/Berlin (before: UTC)`. */
export function changeLines(t: Translate, { before, after, refund }: AuditEntry, show: Show): string[] {
	const [was, is] = [
		{ ...DEFAULT_SETTINGS, ...before },
		{ ...DEFAULT_SETTINGS, ...after },
	];
	const lines = Object.keys({ ...before, ...after }).flatMap((name) => {
		const line = lineOf(name);
		return line ? [changeLine(t, line(t, was, show), line(t, is, show))] : [];
	});
	return [
		...new Set(lines),
		...listChanges(was.limits, is.limits, (limit) => capMessage(t, limit, show)),
		...listChanges(was.grants, is.grants, (grant) => grantMessage(t, grant, show)),
		...(refund ? [t('limits.refund.done', { member: show.refer('person', refund.member), count: refund.calls })] : []),
	];
}

function grantMessage(t: Translate, grant: Grant, show: Show): string {
	const { images: granted, usd: most = 0, period } = grant;
	const values = { member: show.refer('person', grant.member), granted, amount: usd(t, most), period };
	const units = UNITS.filter((unit) => (grant[unit] ?? 0) > 0);
	return units.map((unit) => t('limits.rules.grant', { ...values, unit })).join('; ');
}

/** Joins two lines with the same label. */
function changeLine(t: Translate, before: string, after: string): string {
	const label = /^- .*?(?:: |：)/u.exec(after)?.[0] ?? '- ';
	const was = before.startsWith(label) ? before.slice(label.length) : before.slice(2);
	return t('limits.rules.changed', { after: after.slice(2), before: was });
}

function listChanges<Entry>(
	before: readonly Entry[],
	after: readonly Entry[],
	textOf: (entry: Entry) => string,
): string[] {
	const [was, is] = [before.map(textOf), after.map(textOf)];
	return [
		...was.filter((text) => !is.includes(text)).map((text) => `− ${text}`),
		...is.filter((text) => !was.includes(text)).map((text) => `+ ${text}`),
	];
}

/** The latest changes that are shown at first, and of all. */
const [FEW_CHANGES, ALL_CHANGES] = [3, 10];

export const limitsShow = moderatorCommand({
	name: 'limits show',
	description: 'limits.show.description',
	options: { all },
	async run({ easel, options, person, place, show, t }) {
		const settings = await easel.settings.get(place);
		const [usage, audit] = await Promise.all([
			usageOf(easel, settings, place, person),
			easel.settings.audit(place, ALL_CHANGES),
		]);
		const caps = settings.limits.map((limit) => `- ${capMessage(t, limit, show)}`);
		const used = usage.filter(({ name }) => name !== 'member' && name !== 'role');
		const rules = ruleLines(t, settings, show);
		const usual = ruleLines(t, DEFAULT_SETTINGS, show);
		const set = rules.filter((line) => !usual.includes(line));
		const changes = audit.slice(0, options.all ? ALL_CHANGES : FEW_CHANGES).map((entry) => {
			const what = [entry.command, ...changeLines(t, entry, show)].join('; ');
			return `- ${show.when(entry.at)} ${show.refer('person', entry.by.id)}: ${what}`;
		});
		const text = [
			caps.length > 0 ? t('limits.show.caps') : t('limits.show.noCaps'),
			...caps,
			...(options.all || set.length > 0 ? [t('limits.show.rules')] : [t('limits.show.noRules')]),
			...(options.all ? rules : set),
			t('limits.show.used'),
			...usageLines(t, options.all ? used : mainUsage(used), show),
			...(changes.length > 0 ? [t('limits.show.changes'), ...changes] : []),
		].join('\n');
		const buttons = options.all ? [] : [moreButton(t, 'limits show')];
		return { ...privately(text), files: bannedWordsFile(settings), buttons };
	},
});

export const limitsReport = moderatorCommand({
	name: 'limits report',
	description: 'limits.report.description',
	options: {
		month: z
			.string()
			.trim()
			.max(7)
			.refine((text) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text), 'limits.report.errors.month')
			.describe('limits.report.options.month')
			.optional(),
	},
	async run({ easel, options, place, t }) {
		const { month, table, csv, chart } = await monthReport(easel, place, options.month, t);
		const hasUnknown = (await unknownCalls(easel, place, 1)).length > 0;
		return {
			...privately(table),
			pictures: [{ name: `usage-${month}.png`, bytes: chart.png, alt: chart.alt }],
			files: [{ name: `usage-${month}.csv`, bytes: csv }],
			buttons: hasUnknown ? [actionButton(t, 'refund', 'unknown')] : undefined,
		};
	},
});
