import { LRUCache } from 'lru-cache';
import { foldText } from './fold-text.ts';

/** The most that a server may ban, and the length of each in UTF-16 units. */
export const MAX_WORDS = 500;
export const MAX_WORD_LENGTH = 60;

/** A list as people write it: `red fox, snow*`. */
export const wordsIn = (list: string): string[] =>
	list
		.split(/[,;\n，、；]/u)
		.map((word) => word.trim().replaceAll(/\s+/g, ' '))
		.filter((word) => word !== '');

/** What the same word comes to, however it is written. Undefined where there is nothing to look for. */
export function wordKey(word: string): string | undefined {
	const key = foldText(word).trim();
	return /[\p{L}\p{N}\p{S}]/u.test(key) ? key : undefined;
}

/**
 * Says whether a text holds one of these words or phrases. Whole words match, and in scripts without spaces between words any
 * part of a text; a `*` at the start or the end of a word stands for any letters there. The space in a phrase of letters matches
 * whatever stands between two words.
 */
export function holdsAny(words: readonly string[], text: string): boolean {
	return words.length > 0 && matcherOf(words)(foldText(text));
}

type Matcher = (folded: string) => boolean;

/** Many requests ask for the same few lists. */
const MATCHERS = 100;
const matchers = new LRUCache<string, Matcher>({ max: MATCHERS });

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

/** Nothing but words and spaces. */
const PHRASE = /^\*?[\p{L}\p{M}\p{N}]+(?: [\p{L}\p{M}\p{N}]+)+\*?$/u;
const GAP = /[^\p{L}\p{M}\p{N}]+/gu;

/** Written without spaces between words, so that a word may stand anywhere. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
	.map((script) => String.raw`\p{Script_Extensions=${script}}`)
	.join('');

/** A letter that goes on with the word beside it. */
const JOINED = String.raw`[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]`;
const isJoined = new RegExp(`^${JOINED}$`, 'v');

/** One expression for all words; those that end alike share what may stand around them, since that is slow to compile. */
function patternOf(keys: readonly string[]): RegExp {
	const groups = Map.groupBy(keys.map(partsOf), ({ before, after }) => `${before}|${after}`);
	const patterns = [...groups.values()].map((group) => {
		const [before, after] = [group[0]?.before ? `(?<!${JOINED})` : '', group[0]?.after ? `(?!${JOINED})` : ''];
		return `${before}(?:${group.map(({ inner }) => RegExp.escape(inner)).join('|')})${after}`;
	});
	// Without a word it matches nothing.
	return new RegExp(patterns.join('|') || '(?!)', 'v');
}

/** A word, and at which of its ends no letter may go on. */
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
