import { z } from 'zod';
import { privately } from '../../src/bot/declaration/command.ts';
import { channel, member, requestableChannel, role } from '../../src/bot/declaration/options.ts';
import {
	explainBannedWords,
	MAX_WORD_LENGTH,
	MAX_WORDS,
	parseWordList,
	wordKey,
} from '../../src/bot/moderation/words/banned-words.ts';
import type { Place, Show } from '../../src/domain/channel.ts';
import { inCode } from '../../src/domain/text.ts';
import { type MessageId, SentenceError, type Translate } from '../../src/i18n/translator.ts';
import { blockMember, type Settings, unblockMember } from '../../src/usage/settings.ts';
import { channelOf, moderatorCommand, withEntry } from './moderator-command.ts';
import { bannedWordsFile, LINES } from './rules.ts';

type Targets = { channel?: string; role?: string };

const accessOf = (t: Translate, settings: Settings, show: Show) =>
	[LINES.allowedChannels, LINES.allowedRoles].map((line) => line(t, settings, show)).join('\n');

function targetsOf({ channel, role }: Targets, place: Place): Targets {
	if (channel === undefined && role === undefined) throw new SentenceError('limits.allow.errors.missing');
	return { channel: channel && channelOf(place, channel), role };
}

export const limitsAllow = moderatorCommand({
	name: 'limits allow',
	description: 'limits.allow.description',
	options: {
		channel: requestableChannel('limits.allow.options.channel').optional(),
		role: role('limits.allow.options.role').optional(),
	},
	async run({ options, place, show, t }, change) {
		const { channel, role } = targetsOf(options, place);
		const { settings } = await change((before) => ({
			...before,
			allowedChannels: withEntry(before.allowedChannels, channel),
			allowedRoles: withEntry(before.allowedRoles, role),
		}));
		return accessOf(t, settings, show);
	},
});

export const limitsDisallow = moderatorCommand({
	name: 'limits disallow',
	description: 'limits.disallow.description',
	options: {
		channel: channel('limits.disallow.options.channel').optional(),
		role: role('limits.disallow.options.role').optional(),
	},
	async run({ options, place, show, t }, change) {
		const { channel, role } = targetsOf(options, place);
		const { settings } = await change((before) => {
			const allowedChannels = withEntry(before.allowedChannels, channel, false);
			const allowedRoles = withEntry(before.allowedRoles, role, false);
			if (allowedChannels.length + allowedRoles.length === before.allowedChannels.length + before.allowedRoles.length)
				throw new SentenceError('limits.disallow.none');
			return { ...before, allowedChannels, allowedRoles };
		});
		return accessOf(t, settings, show);
	},
});

const oneMember = { member: member('limits.block.options.member') };

export const limitsBlock = moderatorCommand({
	name: 'limits block',
	description: 'limits.block.description',
	options: oneMember,
	async run({ options, show, t }, change) {
		await change(blockMember(options.member));
		return t('limits.block.done', { member: show.refer('person', options.member) });
	},
});

export const limitsUnblock = moderatorCommand({
	name: 'limits unblock',
	description: 'limits.unblock.description',
	options: oneMember,
	async run({ options, show, t }, change) {
		const member = show.refer('person', options.member);
		await change((before) => {
			if (!before.blocked.includes(options.member)) throw new SentenceError('limits.unblock.none', { member });
			return unblockMember(options.member)(before);
		});
		return t('limits.unblock.done', { member });
	},
});

/** Every platform allows so many characters in one option, also in a form. */
const MAX_LIST = 2000;

/** The matches that a test names. More would fill a message. */
const MAX_MATCHES = 20;

export const words = (description: MessageId) => z.string().trim().min(1).max(MAX_LIST).describe(description);

export const limitsBan = moderatorCommand({
	name: 'limits ban',
	description: 'limits.ban.description',
	options: { words: words('limits.ban.options.words').optional(), test: words('limits.ban.options.test').optional() },
	async run({ easel, options, place, t }, change) {
		if (options.test !== undefined) return testOf(t, await easel.settings.get(place), options.test, options.words);
		const words = parseWords(options.words ?? '');
		const { settings } = await change((before) => {
			const banned = new Set(before.bannedWords.map(wordKey));
			const added = new Map(words.map((word) => [wordKey(word), word]));
			for (const key of banned) added.delete(key);
			const bannedWords = [...before.bannedWords, ...added.values()];
			if (bannedWords.length > MAX_WORDS) throw new SentenceError('limits.ban.errors.full', { most: MAX_WORDS });
			return { ...before, bannedWords };
		});
		return bannedWordsReply(t, settings);
	},
});

export const limitsUnban = moderatorCommand({
	name: 'limits unban',
	description: 'limits.unban.description',
	options: { words: words('limits.unban.options.words') },
	async run({ options, t }, change) {
		const keys = new Set(parseWords(options.words).map(wordKey));
		const { settings } = await change((before) => {
			const bannedWords = before.bannedWords.filter((word) => !keys.has(wordKey(word)));
			if (bannedWords.length === before.bannedWords.length) throw new SentenceError('limits.unban.none');
			return { ...before, bannedWords };
		});
		return bannedWordsReply(t, settings);
	},
});

function parseWords(text: string): string[] {
	const words = parseWordList(text);
	if (words.length === 0 || words.some((word) => wordKey(word) === undefined))
		throw new SentenceError('limits.ban.errors.missing');
	if (words.some((word) => word.length > MAX_WORD_LENGTH))
		throw new SentenceError('limits.ban.errors.length', { most: MAX_WORD_LENGTH });
	return words;
}

const bannedWordsReply = (t: Translate, settings: Settings) => ({
	...privately(LINES.bannedWords(t, settings)),
	files: bannedWordsFile(settings),
});

/** Says which words a prompt would be refused for. Words that are given are tried instead of the list. */
function testOf(t: Translate, { bannedWords, language }: Settings, prompt: string, words?: string): string {
	const tried = words === undefined ? bannedWords : parseWords(words);
	const matches = explainBannedWords(tried, prompt, language);
	const lines = matches.map(({ word, found, how }) =>
		t('limits.ban.test.match', { word: inCode(word), found: inCode(found), how }),
	);
	const heading = t('limits.ban.test.heading', { count: matches.length });
	return [heading, ...lines.slice(0, MAX_MATCHES)].join('\n');
}
