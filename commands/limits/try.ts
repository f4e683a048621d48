import { z } from 'zod';
import { actionButton } from '../../src/bot/declaration/actions.ts';
import { privately } from '../../src/bot/declaration/command.ts';
import { member, requestableChannel } from '../../src/bot/declaration/options.ts';
import { ruleSubject, TRIED_DAYS, type Trial, tryRule } from '../../src/bot/moderation/try-rule.ts';
import type { Show } from '../../src/domain/channel.ts';
import type { CallKind } from '../../src/domain/job.ts';
import type { Place } from '../../src/domain/place.ts';
import { quoted } from '../../src/domain/text.ts';
import type { Easel } from '../../src/easel.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import type { Translate } from '../../src/i18n/translator.ts';
import type { Settings } from '../../src/usage/settings.ts';
import { banning, words } from './access.ts';
import { capOptions, settingCap } from './caps.ts';
import { channelOf, moderatorCommand, withEntry } from './moderator-command.ts';

const RULES = ['set', 'ban', 'cooldown', 'allow', 'review'] as const;

/** The requests that an answer names. The others are in a file. */
const MAX_NAMED = 10;

/** Enough of a prompt to know the request by. */
const MAX_PROMPT = 80;

const options = {
	rule: z.enum(RULES).describe('limits.try.options.rule'),
	scope: capOptions.scope.optional(),
	period: capOptions.period.optional(),
	images: capOptions.images,
	usd: capOptions.usd,
	what: capOptions.what,
	words: words('limits.ban.options.words').optional(),
	cooldown: z.int().min(1).max(3600).describe('limits.settings.options.cooldown').optional(),
	channel: requestableChannel('limits.options.channel').optional(),
	member: member('limits.options.member').optional(),
};

type Given = z.output<z.ZodObject<typeof options>>;

/** The command that sets a rule, its options, and what it changes. */
type TriedRule = {
	command: string;
	options: Readonly<Record<string, unknown>>;
	edit: (settings: Settings) => Settings;
	what?: CallKind;
};

function needed<Name extends keyof Given>(given: Given, name: Name): NonNullable<Given[Name]> {
	const value = given[name];
	if (value === undefined || value === null) throw new SentenceError('limits.errors.missing', { option: name });
	return value as NonNullable<Given[Name]>;
}

/** How each rule is made of the options. The edits are those of its command. */
const MAKERS: Readonly<Record<Given['rule'], (given: Given, place: Place, easel: Easel) => TriedRule>> = {
	set(given, place, easel) {
		const { images, usd, what, channel, member } = given;
		const scope = needed(given, 'scope');
		if (scope === 'role') throw new SentenceError('limits.try.errors.role');
		const options = { scope, period: needed(given, 'period'), images, usd, what, channel, member };
		return { command: 'limits set', options, edit: settingCap(easel, options, place), what };
	},
	ban: (given) => {
		const options = { words: needed(given, 'words') };
		return { command: 'limits ban', options, edit: banning(options.words) };
	},
	cooldown: (given) => {
		const cooldown = needed(given, 'cooldown');
		const edit = (settings: Settings) => ({ ...settings, cooldownSeconds: cooldown });
		return { command: 'limits settings', options: { cooldown }, edit };
	},
	allow: (given, place) => {
		const channel = channelOf(place, needed(given, 'channel'));
		const edit = (settings: Settings) => ({
			...settings,
			allowedChannels: withEntry(settings.allowedChannels, channel),
		});
		return { command: 'limits allow', options: { channel }, edit };
	},
	review: ({ channel: given }, place) => {
		const channel = channelOf(place, given ?? place.channel);
		const edit = (settings: Settings) => ({ ...settings, reviewChannels: withEntry(settings.reviewChannels, channel) });
		return { command: 'limits review', options: { on: true, channel }, edit };
	},
};

export const limitsTry = moderatorCommand({
	name: 'limits try',
	description: 'limits.try.description',
	options,
	async run({ easel, options: given, place, show, t }) {
		const { command, options, edit, what = 'pictures' } = MAKERS[given.rule](given, place, easel);
		const trial = await tryRule(easel, show, what, edit);
		const subject = ruleSubject(command, options);
		const lines = [resultOf(t, trial, show, given.rule === 'review')];
		if (trial.unknown > 0) lines.push(t('limits.try.unknown', { unknown: trial.unknown }));
		const named = await namesOf(easel, t, trial, show);
		lines.push(...named.slice(0, MAX_NAMED));
		if (!subject) lines.push(t('limits.try.type', { command: `/${command}` }));
		return {
			...privately(lines.join('\n')),
			...(subject && { buttons: [actionButton(t, 'apply', subject)] }),
			...(named.length > MAX_NAMED && {
				files: [{ name: 'requests.txt', bytes: Buffer.from(`${named.join('\n')}\n`) }],
			}),
		};
	},
});

function resultOf(t: Translate, { total, affected }: Trial, show: Show, isReview: boolean): string {
	const people = new Set(affected.map(({ person }) => person.id)).size;
	const [first] = affected;
	const values = { total, count: affected.length, people, days: TRIED_DAYS, first: first ? show.when(first.at) : '' };
	if (!first) return t('limits.try.none', values);
	return t(isReview ? 'limits.try.held' : 'limits.try.refused', values);
}

async function namesOf({ requests }: Easel, t: Translate, { affected }: Trial, show: Show): Promise<string[]> {
	const lines: string[] = [];
	for (const { id, at, person, command } of affected) {
		const request = await requests.find(id);
		const prompt = request ? quoted(request.prompt, MAX_PROMPT) : t('limits.try.erased');
		lines.push(`- ${show.when(at)} ${show.refer('person', person.id)}: /${command} ${prompt}`);
	}
	return lines;
}
