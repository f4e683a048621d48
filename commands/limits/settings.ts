import { z } from 'zod';
import { actionButton } from '../../src/bot/declaration/actions.ts';
import { privately } from '../../src/bot/declaration/command.ts';
import { member, postableChannel, requestableChannel, role } from '../../src/bot/declaration/options.ts';
import { containsBannedWord } from '../../src/bot/moderation/words/banned-words.ts';
import type { Place, Reply, Show } from '../../src/domain/channel.ts';
import { MODERATION_CATEGORIES, readCategories } from '../../src/domain/text.ts';
import type { Easel } from '../../src/easel.ts';
import { type Language, type MessageId, SentenceError, type Translate } from '../../src/i18n/translator.ts';
import { type Settings, setLogChannel } from '../../src/usage/settings.ts';
import { channelOf, moderatorCommand, withEntry } from './moderator-command.ts';
import { changeLines, LINES, ruleLines } from './rules.ts';

/** By their own names, so that speakers find their language in any other one. */
const LANGUAGES: Readonly<Record<string, Language>> = {
	English: 'en',
	Deutsch: 'de',
	Français: 'fr',
	Español: 'es',
	日本語: 'ja',
	Português: 'pt-BR',
	Русский: 'ru',
	简体中文: 'zh-CN',
};

/** What `off` makes of each setting. */
const OFF = {
	notices: { noticeChannel: undefined },
	log: { logChannel: undefined },
	cooldown: { cooldownSeconds: 0 },
	moderators: { moderatorRole: undefined },
	persona: { persona: undefined },
	answer_tokens: { answerTokens: undefined },
	notice: { noticeSeconds: 0 },
	apps: { apps: [] },
} as const satisfies Record<string, Partial<Settings>>;

/** The bot's manner in chats, which the model gets with every turn, in UTF-16 units. */
const MAX_PERSONA = 1000;

/** More than any model writes. */
const MAX_ANSWER_TOKENS = 1_000_000;

/** Ten minutes: calls end before. */
const MAX_NOTICE_SECONDS = 600;

/** A week. Pictures are not kept much longer. */
const MAX_REVIEW_HOURS = 168;

export const limitsSettings = moderatorCommand({
	name: 'limits settings',
	description: 'limits.settings.description',
	options: {
		time_zone: z
			.string()
			.trim()
			.max(64)
			.refine(isTimeZone, 'limits.settings.errors.time_zone')
			.describe('limits.settings.options.time_zone')
			.meta({ examples: ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'America/Sao_Paulo'] })
			.optional(),
		language: z.enum(Object.keys(LANGUAGES)).describe('limits.settings.options.language').optional(),
		notices: postableChannel('limits.settings.options.notices').optional(),
		log: postableChannel('limits.settings.options.log').optional(),
		moderators: role('limits.settings.options.moderators').optional(),
		off: z
			.enum(Object.keys(OFF) as (keyof typeof OFF)[])
			.describe('limits.settings.options.off')
			.optional(),
		review_hours: z.int().min(1).max(MAX_REVIEW_HOURS).describe('limits.settings.options.review_hours').optional(),
		undecided: z.enum(['reject', 'show']).describe('limits.settings.options.undecided').optional(),
		categories: z
			.string()
			.trim()
			.max(100)
			.refine((text) => readCategories(text) !== undefined, 'limits.settings.errors.categories')
			.describe('limits.settings.options.categories')
			.meta({ examples: ['all', ...MODERATION_CATEGORIES] })
			.optional(),
		unmoderated: z.enum(['allow', 'refuse']).describe('limits.settings.options.unmoderated').optional(),
		cooldown: z.int().min(0).max(3600).describe('limits.settings.options.cooldown').optional(),
		at_once: z.int().min(1).max(10).describe('limits.settings.options.at_once').optional(),
		persona: z.string().trim().min(1).max(MAX_PERSONA).describe('limits.settings.options.persona').optional(),
		answer_tokens: z.int().min(1).max(MAX_ANSWER_TOKENS).describe('limits.settings.options.answer_tokens').optional(),
		outsiders: z.enum(['allow', 'deny']).describe('limits.settings.options.outsiders').optional(),
		editable: z.enum(['all', 'own']).describe('limits.settings.options.editable').optional(),
		apps: member('limits.settings.options.apps').optional(),
		notice: z.int().min(0).max(MAX_NOTICE_SECONDS).describe('limits.settings.options.notice').optional(),
	},
	async run({ easel, options, person, place, show, t }, change) {
		const { log, off, language, categories, moderators: moderatorRole, persona } = options;
		const { outsiders, editable, undecided, unmoderated } = options;
		// A role cannot extend itself.
		if (person.byRole && (moderatorRole !== undefined || off === 'moderators'))
			throw new SentenceError('limits.settings.errors.moderators');
		const before = await easel.settings.get(place);
		if (persona !== undefined) await checkPersona(easel, place, before, persona);
		const most = easel.service.chatMaxTokens ?? MAX_ANSWER_TOKENS;
		if ((options.answer_tokens ?? 0) > most) throw new SentenceError('limits.settings.errors.answer_tokens', { most });
		const asksFirst = log !== undefined && log !== before.logChannel && (await isVisibleToEveryone(easel, place, log));
		const logChannel = asksFirst ? undefined : log;
		const given = Object.entries({
			...{ timeZone: options.time_zone, language: language && LANGUAGES[language], noticeChannel: options.notices },
			...{ cooldownSeconds: options.cooldown, atOnce: options.at_once, moderatorRole, persona },
			...{ noticeSeconds: options.notice, answerTokens: options.answer_tokens, reviewHours: options.review_hours },
			...{ outsiders, editable, undecided, unmoderated },
			moderationCategories: categories === undefined ? undefined : readCategories(categories),
		}).filter(([, value]) => value !== undefined);
		const isChange = given.length > 0 || [options.apps, off, logChannel].some((one) => one !== undefined);
		if (!isChange && asksFirst) return logQuestion(t, log, show);
		if (!isChange) return ruleLines(t, before, show).join('\n');
		const { settings, entry } = await change((previous) => {
			const apps = withEntry(previous.apps, options.apps);
			const edited: Settings = { ...previous, apps, ...Object.fromEntries(given) };
			const after = logChannel === undefined ? edited : setLogChannel(logChannel)(edited);
			if (off === 'log' && after.reviewChannels.length > 0) throw new SentenceError('limits.settings.errors.logNeeded');
			return { ...after, ...(off && OFF[off]) };
		});
		const changes = changeLines(t, entry, show);
		const others = ruleLines(t, settings, show, Object.keys({ ...entry.before, ...entry.after }));
		const heading = changes.length === 0 ? t('limits.settings.unchanged') : t('limits.settings.changed');
		const lines = [heading, ...changes.map((line) => `- ${line}`), t('limits.show.rules'), ...others];
		if (moderatorRole !== undefined && show.hidesCommands) lines.push(t('limits.settings.commandsHidden'));
		if (!asksFirst) return lines.join('\n');
		const question = logQuestion(t, log, show);
		return { ...question, text: [...lines, question.text].join('\n') };
	},
});

/** @throws SentenceError when the persona has a banned word, or the moderation model refuses it */
async function checkPersona({ policy }: Easel, place: Place, settings: Settings, persona: string): Promise<void> {
	const isBanned = containsBannedWord(settings.bannedWords, persona, settings.language);
	const isAllowed = !isBanned && (await policy.checkContext(place, [persona]))[0];
	if (!isAllowed) throw new SentenceError('limits.settings.errors.persona');
}

async function isVisibleToEveryone({ platforms }: Easel, { platform, server }: Place, channel: string) {
	const other = await platforms.open({ platform, server, channel });
	return (await other?.isVisibleToEveryone?.()) === true;
}

const logQuestion = (t: Translate, channel: string, show: Show): Reply => ({
	...privately(t('limits.settings.logVisible', { channel: show.refer('channel', channel) })),
	buttons: [actionButton(t, 'useLog', channel)],
});

function isTimeZone(name: string): boolean {
	try {
		return Boolean(Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)) && !/^[+-]/.test(name);
	} catch {
		return false;
	}
}

const toggles = (on: MessageId) => ({
	on: z.boolean().describe(on),
	channel: requestableChannel('limits.options.channel').optional(),
});

export const limitsSpoiler = moderatorCommand({
	name: 'limits spoiler',
	description: 'limits.spoiler.description',
	options: toggles('limits.spoiler.options.on'),
	async run({ options: { on, channel }, place, show, t }, change) {
		const target = channelOf(place, channel ?? place.channel);
		const { settings } = await change((before) => ({
			...before,
			spoilerChannels: withEntry(before.spoilerChannels, target, on),
		}));
		return LINES.spoilerChannels(t, settings, show);
	},
});

export const limitsReview = moderatorCommand({
	name: 'limits review',
	description: 'limits.review.description',
	options: toggles('limits.review.options.on'),
	async run({ easel, options: { on, channel }, place, show, t }, change) {
		const target = channelOf(place, channel ?? place.channel);
		const { settings } = await change((before) => {
			if (on && before.logChannel === undefined) throw new SentenceError('limits.review.errors.noLog');
			if (on && before.logChannel === target) throw new SentenceError('limits.review.errors.isLog');
			return { ...before, reviewChannels: withEntry(before.reviewChannels, target, on) };
		});
		const { logChannel, reviewChannels } = settings;
		const lines = [
			LINES.reviewChannels(t, settings, show),
			...(reviewChannels.length > 0 ? [t('limits.review.scope')] : []),
		];
		if (on && logChannel !== undefined && (await isVisibleToEveryone(easel, place, logChannel)))
			lines.push(t('limits.review.visible', { channel: show.refer('channel', logChannel) }));
		return lines.join('\n');
	},
});
