import { z } from 'zod';
import { actionButton } from '../../src/bot/declaration/actions.ts';
import { type Command, type Context, privately } from '../../src/bot/declaration/command.ts';
import { member, requestableChannel } from '../../src/bot/declaration/options.ts';
import { ruleSubject, TRIED_DAYS, type Trial, tryRule } from '../../src/bot/moderation/try-rule.ts';
import type { Place, Show } from '../../src/domain/channel.ts';
import { quoted } from '../../src/domain/text.ts';
import type { Easel } from '../../src/easel.ts';
import { SentenceError, type Translate } from '../../src/i18n/translator.ts';
import type { Settings } from '../../src/usage/settings.ts';
import { limitsAllow, limitsBan, words } from './access.ts';
import { capOptions, limitsSet } from './caps.ts';
import { moderatorCommand } from './moderator-command.ts';
import { limitsReview, limitsSettings } from './settings.ts';

/** The command that sets each rule, and which of its options a rule needs, and takes. */
const RULES = {
	set: { command: limitsSet, needs: ['scope', 'period'], takes: ['images', 'usd', 'what', 'channel', 'member'] },
	ban: { command: limitsBan, needs: ['words'], takes: [] },
	cooldown: { command: limitsSettings, needs: ['cooldown'], takes: [] },
	allow: { command: limitsAllow, needs: ['channel'], takes: [] },
	review: { command: limitsReview, needs: [], takes: ['channel'] },
} as const;

/** The requests that an answer names. The others are in a file. */
const MAX_NAMED = 10;

/** Enough of a prompt to know the request by. */
const MAX_PROMPT = 80;

const options = {
	rule: z.enum(Object.keys(RULES) as (keyof typeof RULES)[]).describe('limits.try.options.rule'),
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

/** Returns the options of the command that sets a rule. */
function optionsOf(given: Given): Record<string, unknown> {
	const { needs, takes } = RULES[given.rule];
	const missing = needs.find((name) => given[name] === undefined);
	if (missing) throw new SentenceError('limits.errors.missing', { option: missing });
	if (given.rule === 'set' && given.scope === 'role') throw new SentenceError('limits.try.errors.role');
	const options = Object.fromEntries([...needs, ...takes].map((name) => [name, given[name]]));
	return given.rule === 'review' ? { ...options, on: true } : options;
}

/** Returns the edit that a command makes of settings, without making it. @throws SentenceError when the command refuses its options */
function editOf(command: Command, context: Context): Promise<(settings: Settings) => Settings> {
	const { easel } = context;
	return new Promise((resolve, reject) => {
		const settings = {
			get: (place: Place) => easel.settings.get(place),
			change: (...[, , , edit]: Parameters<Easel['settings']['change']>) => {
				resolve(edit);
				// The command goes no further.
				return new Promise(() => {});
			},
		} as unknown as Easel['settings'];
		command.run({ ...context, easel: { ...easel, settings } }).then(reject, reject);
	});
}

export const limitsTry = moderatorCommand({
	name: 'limits try',
	description: 'limits.try.description',
	options,
	async run({ options: given, ...context }) {
		const { easel, show, t } = context;
		const { command } = RULES[given.rule];
		const options = optionsOf(given);
		const what = (given.rule === 'set' && given.what) || 'pictures';
		const trial = await tryRule(easel, show, what, await editOf(command, { ...context, options }));
		const subject = ruleSubject(command.name, options);
		const lines = [resultOf(t, trial, show, given.rule === 'review')];
		if (trial.unknown > 0) lines.push(t('limits.try.unknown', { unknown: trial.unknown }));
		const named = await namesOf(easel, t, trial, show);
		lines.push(...named.slice(0, MAX_NAMED));
		if (!subject) lines.push(t('limits.try.type', { command: `/${command.name}` }));
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
