import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';
import { MAX_WORD_LENGTH, MAX_WORDS, wordKey, wordsIn } from '../../src/bot/moderation/banned-words.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';
import { bannedWords, bannedWordsFile } from './rule-words.ts';

/** What every platform takes as one option, also in a form. */
const MAX_LIST = 2000;

const list = (description: string) => z.string().trim().min(1).max(MAX_LIST).describe(description);

export const limitsBan = defineCommand({
	name: 'limits ban',
	description: 'Ban words and phrases from what is asked for',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		words: list('Words or phrases, with commas between them; snow* is every word that begins so'),
	}),
	async run({ options, serverAdmin, t }) {
		const words = wordsGiven(options.words);
		await serverAdmin.change('limits ban', (settings) => {
			const there = new Set(settings.bannedWords.map(wordKey));
			const more = words.filter((word) => !there.has(wordKey(word)));
			const all = [...settings.bannedWords, ...new Map(more.map((word) => [wordKey(word), word])).values()];
			if (all.length > MAX_WORDS)
				throw new SentenceError('At most {most, number} words can be banned; nothing was changed.', {
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
	description: 'Take words and phrases off the list of banned ones',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ words: list('Words or phrases as they were banned, with commas between them') }),
	async run({ options, serverAdmin, t }) {
		const keys = new Set(wordsGiven(options.words).map(wordKey));
		await serverAdmin.change('limits unban', (settings) => {
			const left = settings.bannedWords.filter((word) => !keys.has(wordKey(word)));
			if (left.length === settings.bannedWords.length)
				throw new SentenceError('None of that is banned; `/limits show` has the list.');
			return { ...settings, bannedWords: left };
		});
		const settings = await serverAdmin.settings();
		return { ...privately(bannedWords(t, settings)), ...bannedWordsFile(settings) };
	},
});

function wordsGiven(text: string): string[] {
	const words = wordsIn(text);
	if (words.length === 0 || words.some((word) => wordKey(word) === undefined))
		throw new SentenceError('Name words or phrases, with commas between them; nothing was changed.');
	if (words.some((word) => word.length > MAX_WORD_LENGTH))
		throw new SentenceError('A word or phrase has at most {most, number} characters; nothing was changed.', {
			most: MAX_WORD_LENGTH,
		});
	return words;
}
