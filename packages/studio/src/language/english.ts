/** Words of other languages in English, so that everything after this reads English alone. */

import type { Relation } from '../scene/names.ts';
import { type Found, lookUp, MAX_PHRASE } from './lexicon.ts';
import table from './vocabulary/languages.json' with { type: 'json' };
import orders from './vocabulary/word-order.json' with { type: 'json' };

/** A word in English where it is known, and as it was written; before it, what parts it from the one before. */
type Word = { gap: string; english: string; written: string };

/** A word of English, or several that mean something together, and as they were written. `,` ends a clause. */
export type Unit = { word: string; written: string; found?: Found | undefined };

/** `marks` are words that give the language away, so that a French "chat" is a cat and an English one is not. */
type Dictionary = { marks: ReadonlySet<string>; words: ReadonlyMap<string, string> };

const spaced = (words: string) => words.replaceAll('%', ' ');

/** Common words of some other languages: the table has an English word (with % for a space), then the words for it, parted by "/". */
const FOREIGN: readonly Dictionary[] = table.languages.map(({ marks, words }) => ({
	marks: new Set(marks.split(' ')),
	words: new Map(
		words.split(', ').flatMap((entry): [string, string][] => {
			const [name = '', others = name] = entry.split(' ');
			return others.split('/').map((word) => [spaced(word), spaced(name)]);
		}),
	),
}));

/** Words of other languages that mean something else in English, so that one of the marks must stand beside them. */
const alsoEnglish: ReadonlySet<string> = new Set(table.alsoEnglish.split(' '));

/** Signs that put no spaces between words (Chinese, Japanese, pictographs) with their English words; longer ones first. */
const unspaced: readonly (readonly [sign: string, english: string])[] = table.signs
	.split(', ')
	.flatMap((entry) => {
		const [english = '', signs = ''] = entry.split(' ');
		return signs.split('/').map((sign) => [sign, spaced(english)] as const);
	})
	.sort(([a], [b]) => b.length - a.length);

/** Endings that inflect nouns and adjectives of German, Romance languages and Russian. */
const ENDINGS =
	/(?:en|er|es|em|e|n|s|x|as|os|a|o|ами|ями|ого|его|ому|ыми|ими|ая|яя|ое|ее|ые|ие|ый|ий|ой|ей|ую|юю|ым|им|ом|ем|ых|их|ах|ях|ам|ям|ов|ев|а|я|о|е|ы|и|у|ю|ь)$/u;

/** Returns the English for a word as it stands. */
const exactIn = ({ words }: Dictionary, word: string): string | undefined =>
	words.get(word) ?? words.get(word.replace(/^(?:l|d|qu)'/u, '')) ?? words.get(word.replace(/^(?:ال|بال)/u, ''));

/** Returns the English for a word that may be inflected. */
function inflectedIn(language: Dictionary, word: string): string | undefined {
	const exact = exactIn(language, word);
	if (exact !== undefined || word.length < 4) return exact;
	const stem = word.replace(ENDINGS, '');
	if (stem === word || stem.length < 3) return undefined;
	const bases = ['', 'e', 'a', 'o', 'а', 'я', 'ый', 'ий', 'ь', 'о'].map((ending) => language.words.get(stem + ending));
	return bases.find((base) => base !== undefined);
}

const inAny = (look: (language: Dictionary) => string | undefined) =>
	FOREIGN.map(look).find((english) => english !== undefined);

/** The language that the words give away, if any. */
function spokenIn(words: readonly string[]): Dictionary | undefined {
	const scores = FOREIGN.map(({ marks }) => words.filter((word) => marks.has(word)).length);
	const most = Math.max(...scores);
	return most > 0 ? FOREIGN[scores.indexOf(most)] : undefined;
}

/** Translates a word: in the language that is spoken, an unknown one in any. */
function translated(word: string, spoken: Dictionary | undefined): string {
	const isEnglish = lookUp(word) !== undefined || alsoEnglish.has(word);
	const known = (spoken && inflectedIn(spoken, word)) ?? (isEnglish ? word : undefined);
	if (known !== undefined) return known;
	const look = /^\p{ASCII}+$/u.test(word) ? exactIn : inflectedIn;
	// What a mark means is known by its language, also where the tables lack it.
	return inAny((language) => look(language, word)) ?? (spoken?.marks.has(word) ? 'a' : word);
}

/** How many words a phrase may have that has a translation of its own; longer ones count first. */
const PHRASES = [4, 3, 2];

const orderOf = (rows: Readonly<Record<string, string>>) =>
	Object.entries(rows).map(([pattern, english]) => [new RegExp(pattern, 'gu'), ` ${english} `] as const);

/** What Japanese and Chinese say in another order: "the cat of under the umbrella". Bounded: at most 4,000 characters. */
const ORDERS = { things: orderOf(orders.things), instructions: orderOf(orders.instructions) };

/** Returns a text in the order of English. */
export const inOrder = (text: string, kind: keyof typeof ORDERS): string =>
	ORDERS[kind].reduce((all, [pattern, english]) => all.replaceAll(pattern, english), text);

/** Splits a text into words, in English. `rest` is what follows the last one. */
function wordsOf(text: string): { words: Word[]; rest: string } {
	const plain = unspaced
		.reduce((all, [sign, english]) => all.replaceAll(sign, ` ${english} `), text.replaceAll('’', "'"))
		// "Fais-le": do it.
		.replace(/(?<=\p{L})-(?:la|les?|lui)(?!\p{L})/gu, ' it');
	const parts = plain.split(/([\p{L}\p{N}][\p{L}\p{M}\p{N}'&-]*)/u);
	const written = parts.filter((_, index) => index % 2 === 1);
	const small = written.map((word) => word.toLowerCase());
	const spoken = spokenIn(small);
	const phraseAt = (at: number, count: number) => {
		const phrase = small.slice(at, at + count).join(' ');
		const isJoined = parts.slice(at * 2 + 2, (at + count) * 2).every((part, index) => index % 2 || part === ' ');
		return isJoined ? (spoken?.words.get(phrase) ?? inAny((language) => language.words.get(phrase))) : undefined;
	};
	const words: Word[] = [];
	for (let at = 0, count = 1; at < written.length; at += count) {
		count = PHRASES.find((most) => phraseAt(at, most) !== undefined) ?? 1;
		const english = count > 1 ? phraseAt(at, count) : undefined;
		words.push({
			gap: parts[at * 2] ?? '',
			english: english ?? translated(small[at] ?? '', spoken),
			written: written.slice(at, at + count).join(' '),
		});
	}
	return { words, rest: parts.at(-1) ?? '' };
}

/** Returns a text with its words in English, in lower case. */
export function inEnglish(text: string): string {
	const { words, rest } = wordsOf(text);
	return words.map(({ gap, english }) => gap + english).join('') + rest;
}

/** Splits a text into what each of its words or phrases means. */
export function unitsOf(text: string): Unit[] {
	const all = wordsOf(inOrder(text, 'things')).words.flatMap(({ gap, english, written }): Unit[] => {
		const isKnown = english !== written.toLowerCase();
		const words = english.replace(/'s$/u, '').split(' ').filter(Boolean);
		const units = words.map((word) => ({ word, written: isKnown ? word : written.replace(/'s$/u, '') }));
		return /[,;.:!?()\n。、，]/u.test(gap) ? [{ word: ',', written: ',' }, ...units] : units;
	});
	const units: Unit[] = [];
	for (let at = 0; at < all.length; ) {
		let length = Math.min(MAX_PHRASE, all.length - at);
		const part = (of: 'word' | 'written') =>
			all
				.slice(at, at + length)
				.map((unit) => unit[of])
				.join(' ');
		while (length > 1 && !lookUp(part('word'))) length--;
		units.push({ word: part('word'), written: part('written'), found: lookUp(part('word')) });
		at += length;
	}
	return units;
}

/** Returns how words relate what is before them to what is after; "with" is beside. */
export function relationIn(text = ''): Relation | undefined {
	const kind = unitsOf(text).find(({ found }) => found?.meaning.relation)?.found?.meaning.relation;
	return kind === 'held by' ? 'beside' : kind;
}
