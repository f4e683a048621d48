import { LRUCache } from 'lru-cache';
import { foldText } from './fold-text.ts';
import { joinedLetters, substituted } from './spellings.ts';
import { formsOf } from './word-forms.ts';

/** The maximum number of words that a server may ban, and of UTF-16 units in each. */
export const MAX_WORDS = 500;
export const MAX_WORD_LENGTH = 60;

/** Returns the words of a list as people write it: `red fox, snow*`. */
export const parseWordList = (list: string): string[] =>
	list
		.split(/[,;\n，、；]/u)
		.map((word) => word.trim().replaceAll(/\s+/g, ' '))
		.filter((word) => word !== '');

/** Returns the same key for all spellings of a word; undefined when it contains nothing to look for. */
export function wordKey(word: string): string | undefined {
	const key = foldText(word).trim();
	return /[\p{L}\p{N}\p{S}]/u.test(key) ? key : undefined;
}

/**
 * Tells whether a text contains one of these words or phrases, however its letters look, also with digits and symbols for letters, with
 * single letters apart, and with a plural or another simple ending. Only whole words match, except in scripts without spaces between
 * words. A `*` at the start or the end of a word stands for any letters; such a word has no other endings. The space in a phrase of
 * letters matches anything between two words.
 *
 * @param language of the endings besides English, BCP 47
 */
export function containsBannedWord(words: readonly string[], text: string, language?: string): boolean {
	return words.length > 0 && matcherOf(words, language)(text) !== undefined;
}

/** How a text contains a banned word. `found` is folded. */
export type BannedWord = { word: string; found: string; how: 'written' | 'ending' | 'signs' | 'apart' };

/** Returns which of these words a text contains, and how. Slower than `containsBannedWord`. */
export function explainBannedWords(words: readonly string[], text: string, language?: string): BannedWord[] {
	return words.flatMap((word) => {
		const match = matcherOf([word], language)(text);
		if (!match) return [];
		const isEnding = match.how === 'written' && !matchesAsWritten(word, text);
		return [{ word, found: match.found, how: isEnding ? 'ending' : match.how }];
	});
}

type Match = Omit<BannedWord, 'word'>;
type Matcher = (text: string) => Match | undefined;

/** The number of lists whose expressions are cached: compiling them is slow. */
const MAX_CACHED = 100;
const matchers = new LRUCache<string, Matcher>({ max: MAX_CACHED });

function matcherOf(words: readonly string[], language = 'en'): Matcher {
	const name = JSON.stringify([language, words]);
	const cached = matchers.get(name);
	if (cached) return cached;
	const matcher = createMatcher(words, language);
	matchers.set(name, matcher);
	return matcher;
}

/** Shorter words are not looked for within letters that are written apart, but only as all of them. */
const MIN_WITHIN = 4;

function createMatcher(words: readonly string[], language: string): Matcher {
	const ending = words.filter((word) => !word.includes('*'));
	const keys = keysOf([...words, ...ending.flatMap((word) => formsOf(word, 'en'))]);
	const find = finderOf(keys);
	// Those of English are among the keys.
	const forms = new Intl.Locale(language).language === 'en' ? [] : ending.flatMap((word) => formsOf(word, language));
	const findForm = forms.length === 0 ? undefined : finderOf(forms.map((form) => foldText(form, true)));
	const plain = keys.filter((key) => LETTERS.test(key)).map((key) => key.replaceAll(' ', ''));
	const long = plain.filter(({ length }) => length >= MIN_WITHIN).map(RegExp.escape);
	const within = new RegExp(long.join('|') || '(?!)', 'u');
	return (text) => {
		const folded = foldText(text);
		const written = find(folded) ?? findForm?.(foldText(text, true));
		if (written !== undefined) return { found: written, how: 'written' };
		for (const word of substituted(folded)) if (find(word) !== undefined) return { found: word, how: 'signs' };
		for (const letters of joinedLetters(folded))
			for (const word of [letters, ...substituted(letters)])
				if (plain.includes(word) || within.test(word)) return { found: word, how: 'apart' };
		return undefined;
	};
}

const keysOf = (words: readonly string[]) => words.flatMap((word) => wordKey(word) ?? []);

const matchesAsWritten = (word: string, text: string) => finderOf(keysOf([word]))(foldText(text)) !== undefined;

/** Returns a function that finds the first of these words in a folded text. */
function finderOf(keys: readonly string[]): (folded: string) => string | undefined {
	const { phrases = [], others = [] } = Object.groupBy(keys, (key) => (PHRASE.test(key) ? 'phrases' : 'others'));
	const asWritten = patternOf(others);
	const betweenSpaces = patternOf(phrases);
	return (folded) => (asWritten.exec(folded) ?? betweenSpaces.exec(folded.replaceAll(GAP, ' ')))?.[0];
}

/** A word or phrase of letters alone. */
const LETTERS = /^[\p{L}\p{M}]+(?: [\p{L}\p{M}]+)*$/u;

/** A phrase of nothing but words and spaces. */
const PHRASE = /^\*?[\p{L}\p{M}\p{N}]+(?: [\p{L}\p{M}\p{N}]+)+\*?$/u;
const GAP = /[^\p{L}\p{M}\p{N}]+/gu;

/** Scripts without spaces between words: in them, a word may be anywhere. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
	.map((script) => String.raw`\p{Script_Extensions=${script}}`)
	.join('');

/** A letter that belongs to the same word as a letter beside it. */
const JOINED = String.raw`[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]`;
const isJoined = new RegExp(`^${JOINED}$`, 'v');

/** Returns one expression for all words. Words with the same boundaries share them, since they are slow to compile. */
function patternOf(keys: readonly string[]): RegExp {
	const groups = Map.groupBy(keys.map(partsOf), ({ before, after }) => `${before}|${after}`);
	const patterns = [...groups.values()].map((group) => {
		const [before, after] = [group[0]?.before ? `(?<!${JOINED})` : '', group[0]?.after ? `(?!${JOINED})` : ''];
		return `${before}(?:${group.map(({ inner }) => RegExp.escape(inner)).join('|')})${after}`;
	});
	// Matches nothing when there are no words.
	return new RegExp(patterns.join('|') || '(?!)', 'v');
}

/** Returns a word without its wildcards, and at which of its ends no further letter may follow. */
function partsOf(key: string) {
	const [, anyBefore, middle = '', anyAfter] = /^(\*?)(.*?)(\*?)$/su.exec(key) ?? [];
	const inner = middle.trim();
	const characters = [...inner];
	return {
		inner,
		before: !anyBefore && isJoined.test(characters[0] ?? ''),
		after: !anyAfter && isJoined.test(characters.at(-1) ?? ''),
	};
}
