import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { MAX_WORD_LENGTH, MAX_WORDS, wordKey, wordsIn } from '../../src/bot/moderation/banned-words.ts';
import type { MessageId } from '../../src/i18n/catalogues.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import { bannedWords, bannedWordsFile } from './rule-words.ts';

/** What every platform takes as one option, also in a form. */
const MAX_LIST = 2000;

const list = (description: MessageId) => z.string().trim().min(1).max(MAX_LIST).describe(description);

export const limitsBan = defineCommand({
	name: 'limits ban',
	description: 'limits.ban.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		words: list('limits.ban.options.words'),
	}),
	async run({ options, serverAdmin, t }) {
		const words = wordsGiven(options.words);
		await serverAdmin.change('limits ban', (settings) => {
			const there = new Set(settings.bannedWords.map(wordKey));
			const more = words.filter((word) => !there.has(wordKey(word)));
			const all = [...settings.bannedWords, ...new Map(more.map((word) => [wordKey(word), word])).values()];
			if (all.length > MAX_WORDS)
				throw new SentenceError('limits.ban.errors.full', {
					most: MAX_WORDS,
				});
			return { ...settings, bannedWords: all };
		});
		const settings = await serverAdmin.settings();
		return { ...privately(bannedWords(t, settings)), ...bannedWordsFile(settings) };
	},
});

export const limitsUnban = defineCommand({
	name: 'limits unban',
	description: 'limits.unban.description',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ words: list('limits.unban.options.words') }),
	async run({ options, serverAdmin, t }) {
		const keys = new Set(wordsGiven(options.words).map(wordKey));
		await serverAdmin.change('limits unban', (settings) => {
			const left = settings.bannedWords.filter((word) => !keys.has(wordKey(word)));
			if (left.length === settings.bannedWords.length) throw new SentenceError('limits.unban.none');
			return { ...settings, bannedWords: left };
		});
		const settings = await serverAdmin.settings();
		return { ...privately(bannedWords(t, settings)), ...bannedWordsFile(settings) };
	},
});

function wordsGiven(text: string): string[] {
	const words = wordsIn(text);
	if (words.length === 0 || words.some((word) => wordKey(word) === undefined))
		throw new SentenceError('limits.ban.errors.missing');
	if (words.some((word) => word.length > MAX_WORD_LENGTH))
		throw new SentenceError('limits.ban.errors.length', {
			most: MAX_WORD_LENGTH,
		});
	return words;
}
