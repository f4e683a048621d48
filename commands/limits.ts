import { z } from 'zod';
import {
	blocking,
	type Context,
	channel,
	defineCommand,
	type Limit,
	member,
	role,
	type Settings,
} from '../src/bot/command.ts';
import type { Reply } from '../src/bot/platform.ts';
import { standingWords, usd } from '../src/bot/standing-words.ts';
import type { Language, Translate } from '../src/i18n/translator.ts';
import { bannedWordsFile, serverRuleWords } from './limits/rule-words.ts';

/** Above any plan; a cap that large is none. */
const MAX_IMAGES = 1_000_000;
const MAX_OVERAGE_USD = 100_000;
const AUDIT_LINES = 10;

/** By the names that those who speak them call them, the one way in which everybody finds their own. */
const LANGUAGES: Readonly<Record<string, Language>> = {
	English: 'en',
	Deutsch: 'de',
	Français: 'fr',
	Español: 'es',
	日本語: 'ja',
	Português: 'pt-BR',
	Русский: 'ru',
};

const scope = z.enum(['server', 'channel', 'role', 'member']).describe('What the cap is for');
const period = z.enum(['day', 'month']).describe('How often it starts anew');
const what = z.enum(['pictures', 'chat']).describe('What is counted; pictures if not said').optional();
const targets = {
	channel: channel('Which channel; without it, this one').optional(),
	role: role('Which role; each of its members gets this cap, the best role counts').optional(),
	member: member('Which member; without it, every member').optional(),
};

const privately = (text: string): Reply => ({ text, visibility: 'private' });

export const limitsShow = defineCommand({
	name: 'limits show',
	description: 'The rules in force and what is used',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({}),
	async run({ desk, usage, person, show, t }) {
		const [settings, standing, audit] = await Promise.all([
			desk.settings(),
			usage.standing(person),
			desk.audit(AUDIT_LINES),
		]);
		const caps = settings.limits.map((limit) => `- ${capWords(t, limit, show)}`);
		const used = standing.filter(({ name }) => name !== 'member' && name !== 'role');
		const changes = audit.map(({ at, by, command }) => `- ${show.when(at)} ${show.refer('person', by.id)}: ${command}`);
		const text = [
			caps.length > 0 ? t('**Caps**') : t('No caps are set.'),
			...caps,
			t('**Rules**'),
			...ruleWords(t, settings, show),
			t('**Used**'),
			...used.map((one) => `- ${standingWords(t, one, show)}`),
			...(changes.length > 0 ? [t('**Latest changes**'), ...changes] : []),
		].join('\n');
		return { ...privately(text), ...bannedWordsFile(settings) };
	},
});

export const limitsSet = defineCommand({
	name: 'limits set',
	description: 'Set a cap on calls, or on chat turns, a day or a month',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		scope,
		period,
		images: z.int().min(0).max(MAX_IMAGES).describe('The most calls; one call is one request, whatever its variations'),
		what,
		...targets,
	}),
	async run({ options, desk, place, show, t }) {
		const target = targetOf(t, options, place.channel);
		if ('fault' in target) return privately(target.fault);
		const limit: Limit = { ...target, ...whatOf(options), period: options.period, images: options.images };
		await desk.setLimit(limit);
		return privately(t('Set: {cap}.', { cap: capWords(t, limit, show) }));
	},
});

export const limitsClear = defineCommand({
	name: 'limits clear',
	description: 'Take a cap away',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ scope, period, what, ...targets }),
	async run({ options, desk, place, show, t }) {
		const target = targetOf(t, options, place.channel);
		if ('fault' in target) return privately(target.fault);
		const there = await desk.clearLimit({ ...target, ...whatOf(options), period: options.period });
		if (!there) return privately(t('There is no such cap; `/limits show` lists them.'));
		return privately(t('Taken away: {cap}.', { cap: capWords(t, there, show) }));
	},
});

export const limitsOverage = defineCommand({
	name: 'limits overage',
	description: 'The most that this server may spend a month beyond the plan',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		usd: z
			.string()
			.trim()
			.max(12)
			.refine((text) => millsOf(text) !== undefined, {
				error: '`{option}` is an amount in USD such as 5 or 2.50, at most {most}.',
				params: { most: MAX_OVERAGE_USD },
			})
			.describe('An amount in USD; 0 for nothing'),
	}),
	async run({ options, desk, t }) {
		const overageMills = millsOf(options.usd) ?? 0;
		await desk.change('limits overage', (settings) => ({ ...settings, overageMills }));
		return privately(
			overageMills === 0
				? t('Beyond the plan nothing is spent here.')
				: t('Beyond the plan at most {amount} a month may be spent here.', { amount: usd(t, overageMills) }),
		);
	},
});

export const limitsSettings = defineCommand({
	name: 'limits settings',
	description: 'Time zone, language, notices, log, cooldown and how many requests of a member run at once',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		time_zone: z
			.string()
			.trim()
			.max(64)
			.refine(isTimeZone, '`{option}` is not a time zone such as Europe/Berlin or America/New_York.')
			.describe('Where days and months begin, such as Europe/Berlin')
			.meta({ examples: ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'America/Sao_Paulo'] })
			.optional(),
		language: z.enum(Object.keys(LANGUAGES)).describe('What is said to moderators in their channels').optional(),
		notices: channel('Where moderators are told at 80 % and 100 % of a cap').optional(),
		log: channel('Where moderators see every picture that is made').optional(),
		off: z.enum(['notices', 'log']).describe('What is told nowhere any more').optional(),
		cooldown: z.int().min(0).max(3600).describe('Seconds between two requests of a member; 0 for none').optional(),
		at_once: z.int().min(1).max(10).describe('Requests of one member that run at once; more wait').optional(),
	}),
	async run({ options, desk, show, t }) {
		const { time_zone: timeZone, notices: noticeChannel, log: logChannel, off } = options;
		const { cooldown: cooldownSeconds, at_once: atOnce } = options;
		const language = options.language && LANGUAGES[options.language];
		const given = Object.entries({
			...{ timeZone, language, noticeChannel, logChannel, cooldownSeconds, atOnce },
		}).filter(([, value]) => value !== undefined);
		const without = off && { notices: 'noticeChannel' as const, log: 'logChannel' as const }[off];
		if (given.length > 0 || without)
			await desk.change('limits settings', (settings) => {
				const changed = { ...settings, ...Object.fromEntries(given) };
				if (without) delete changed[without];
				return changed;
			});
		return privately(ruleWords(t, await desk.settings(), show).join('\n'));
	},
});

export const limitsBlock = defineCommand({
	name: 'limits block',
	description: 'Let a member ask for no more pictures',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ member: member('Whom') }),
	async run({ options, desk, show, t }) {
		await desk.change('limits block', blocking(options.member));
		return privately(t('{member} is blocked.', { member: show.refer('person', options.member) }));
	},
});

export const limitsUnblock = defineCommand({
	name: 'limits unblock',
	description: 'Let a member ask for pictures again',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ member: member('Whom') }),
	async run({ options, desk, show, t }) {
		const { blocked } = await desk.settings();
		const name = show.refer('person', options.member);
		if (!blocked.includes(options.member)) return privately(t('{member} is not blocked.', { member: name }));
		await desk.change('limits unblock', (settings) => ({
			...settings,
			blocked: settings.blocked.filter((id) => id !== options.member),
		}));
		return privately(t('{member} may ask again.', { member: name }));
	},
});

export const limitsReport = defineCommand({
	name: 'limits report',
	description: 'Who used what in a month, with a chart and a CSV file',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		month: z
			.string()
			.trim()
			.max(7)
			.refine((text) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text), '`{option}` is a month such as 2026-11.')
			.describe('A month such as 2026-11; without it, this one')
			.optional(),
	}),
	async run({ options, desk }) {
		const { month, table, csv, chart } = await desk.report(options.month);
		return {
			text: table,
			pictures: [{ name: `usage-${month}.png`, bytes: chart.png, alt: chart.alt }],
			files: [{ name: `usage-${month}.csv`, bytes: csv }],
			visibility: 'private',
		};
	},
});

/** Caps without it are for pictures. */
const whatOf = ({ what }: { what?: Limit['what'] | undefined }): Pick<Limit, 'what'> =>
	what === 'chat' ? { what } : {};

type Targets = { scope: Limit['scope'] } & Partial<Record<'channel' | 'role' | 'member', string | undefined>>;

/** What a cap is for. One that names what its scope does not take is a mistake, not a wider cap. */
function targetOf(t: Translate, options: Targets, here: string): Pick<Limit, 'scope' | 'target'> | { fault: string } {
	const { scope } = options;
	const wrong = (['channel', 'role', 'member'] as const).find((name) => name !== scope && options[name] !== undefined);
	if (wrong)
		return {
			fault: t(
				'`{option}` does not go with a cap for a {scope, select, server {server} channel {channel} role {role} other {member}}; nothing was changed.',
				{ option: wrong, scope },
			),
		};
	if (scope === 'server') return { scope };
	if (scope === 'role' && options.role === undefined)
		return { fault: t('`{option}` is missing; nothing was changed.', { option: 'role' }) };
	const target = options[scope] ?? (scope === 'channel' ? here : undefined);
	return target === undefined ? { scope } : { scope, target };
}

function capWords(t: Translate, limit: Limit, show: Context['show']): string {
	const { what = 'pictures', period, images } = limit;
	return t(
		'{whose}: {images, number} {what, select, chat {{images, plural, one {chat turn} other {chat turns}}} other {{images, plural, one {call} other {calls}}}} a {period, select, day {day} other {month}}',
		{ whose: whoseWords(t, limit, show), images, what, period },
	);
}

function whoseWords(t: Translate, { scope, target }: Limit, show: Context['show']): string {
	if (scope === 'server') return t('this server');
	if (target === undefined) return t('every {scope, select, channel {channel} role {role} other {member}}', { scope });
	if (scope === 'role') return t('each member with {role}', { role: show.refer('role', target) });
	return show.refer(scope === 'member' ? 'person' : 'channel', target);
}

function ruleWords(t: Translate, settings: Settings, show: Context['show']): string[] {
	const { timeZone, language = 'en', overageMills, atOnce, cooldownSeconds, noticeChannel, blocked } = settings;
	const members = blocked.map((id) => show.refer('person', id)).join(', ');
	return [
		t('- Time zone: {timeZone}', { timeZone }),
		t('- Language of what is said to moderators: {language}', {
			language: new Intl.DisplayNames(t.language, { type: 'language' }).of(language),
		}),
		overageMills === 0
			? t('- Beyond the plan: nothing')
			: t('- Beyond the plan: at most {amount} a month', { amount: usd(t, overageMills) }),
		t('- One member at once: {atOnce, number}; cooldown: {cooldown, plural, =0 {none} other {# s}}', {
			...{ atOnce, cooldown: cooldownSeconds },
		}),
		noticeChannel === undefined
			? t('- Notices: nowhere')
			: t('- Notices: {channel}', { channel: show.refer('channel', noticeChannel) }),
		...serverRuleWords(t, settings, show),
		...(blocked.length > 0 ? [t('- Blocked: {members}', { members })] : []),
	];
}

function isTimeZone(name: string): boolean {
	try {
		return Boolean(Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)) && !/^[+-]/.test(name);
	} catch {
		return false;
	}
}

/** An amount in USD, as people write it, in mills. */
function millsOf(text: string): number | undefined {
	const [, whole, fraction = ''] = /^\$?(\d{1,6})(?:[.,](\d{1,3}))?$/.exec(text) ?? [];
	if (whole === undefined) return undefined;
	const mills = Number(whole) * 1000 + Number(fraction.padEnd(3, '0'));
	return mills <= MAX_OVERAGE_USD * 1000 ? mills : undefined;
}
