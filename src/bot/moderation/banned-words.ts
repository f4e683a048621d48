import { LRUCache } from 'lru-cache';
import { foldText } from './fold-text.ts';

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
 * Tells whether a text contains one of these words or phrases. Only whole words match, except in scripts without spaces between
 * words. A `*` at the start or the end of a word stands for any letters. The space in a phrase of letters matches anything between two
 * words.
 */
export function containsBannedWord(words: readonly string[], text: string): boolean {
	return words.length > 0 && matcherOf(words)(foldText(text));
}

type Matcher = (folded: string) => boolean;

/** The number of lists whose expressions are cached: compiling them is slow. */
const MAX_CACHED = 100;
const matchers = new LRUCache<string, Matcher>({ max: MAX_CACHED });

function matcherOf(words: readonly string[]): Matcher {
	const name = JSON.stringify(words);
	const cached = matchers.get(name);
	if (cached) return cached;
	const matcher = createMatcher(words.flatMap((word) => wordKey(word) ?? []));
	matchers.set(name, matcher);
	return matcher;
}

function createMatcher(keys: readonly string[]): Matcher {
	const { phrases = [], others = [] } = Object.groupBy(keys, (key) => (PHRASE.test(key) ? 'phrases' : 'others'));
	const asWritten = patternOf(others);
	const betweenSpaces = patternOf(phrases);
	return (folded) => asWritten.test(folded) || betweenSpaces.test(folded.replaceAll(GAP, ' '));
}

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
