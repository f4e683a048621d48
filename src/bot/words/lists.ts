import table from './lists.json' with { type: 'json' };

const { about, ja, zh, ...others } = table;

/** A list of words and phrases; the table says what each is for. */
export type List = Exclude<keyof typeof about, 'ordinals' | 'counts'>;

/** The words and phrases of one language. Those with forms have a set for each number. */
export type Lists = Readonly<Record<List, ReadonlySet<string>>> & {
	/** Between the words of a phrase. */
	joint: string;
	ordinals: readonly ReadonlySet<string>[];
	counts: readonly ReadonlySet<string>[];
};

/** Phrases of up to this many words, or characters. */
const MAX_PHRASE = 20;
/** More words than a prompt can have. */
const MAX_WORDS = 1000;

const setOf = (phrases = '', separator = ', ') => new Set(phrases.split(separator).filter(Boolean).flatMap(spellings));

/** The end of a word such as "pleaseee". */
const DRAWN_OUT = /(\p{L})\1{2,99}(?!\S)/gu;

/** A short word may be another one without its accent: the Spanish "que" and "qué". */
const MIN_UNACCENTED = 5;

/** Has neither accents nor apostrophes. */
const PLAIN = /^[a-z ]*$/;

/** Returns a phrase of a list as people type it: also without accents and apostrophes, and with ё as е. */
function spellings(phrase: string): string[] {
	const usual = phrase.replaceAll('ё', 'е').replace(DRAWN_OUT, '$1');
	if (phrase.length < MIN_UNACCENTED || PLAIN.test(usual)) return [usual];
	const unaccented = usual
		.normalize('NFD')
		.replace(/(?<=\p{Script=Latin})[\u0300-\u0303\u0327]/gu, '')
		.normalize('NFC');
	return [...new Set([usual, unaccented, usual.replaceAll("'", ''), unaccented.replaceAll("'", '')])];
}

function languageOf(words: Partial<Record<string, string>>, joint = ' '): Lists {
	const tails = words['tails']?.split(', ') ?? [];
	const withTails = (phrases = '') =>
		phrases.replace(/(?<![^, ])([^, ]+)~/g, (_, stem) => [stem, ...tails.map((tail) => stem + tail)].join(', '));
	const lists = Object.keys(about).map((list) => [list, setOf(withTails(words[list]))]);
	const forms = (list = '') => list.split(', ').map((all) => setOf(all, '/'));
	return { ...Object.fromEntries(lists), joint, ordinals: forms(words['ordinals']), counts: forms(words['counts']) };
}

/** The languages that put spaces between words. */
export const LANGUAGES: readonly Lists[] = Object.values(others).map((words) => languageOf(words));

export const JAPANESE: Lists = languageOf(ja, '');

/** Lists whose longer words are read through slips. */
const SLIPPED = ['asks', 'draw', 'generate', 'make', 'pictures'] as const;
const MIN_SLIPPED = 6;

/** Words with two letters in each other's place or, if long, with one left out, each before the word that is meant. */
let slips: ReadonlyMap<string, string> | undefined;

function slipsOf(languages: readonly Lists[]): ReadonlyMap<string, string> {
	const wordsIn = (lists: readonly List[]) =>
		new Set(
			languages.flatMap((language) => lists.flatMap((list) => [...language[list]].flatMap((one) => one.split(' ')))),
		);
	const known = wordsIn(Object.keys(about).filter((list) => list !== 'ordinals' && list !== 'counts') as List[]);
	const found = new Map<string, string>();
	for (const word of wordsIn(SLIPPED))
		for (let at = 0; at < word.length && word.length >= MIN_SLIPPED; at++) {
			const [start, one, next, end] = [word.slice(0, at), word[at], word[at + 1] ?? '', word.slice(at + 2)];
			const without = word.length > MIN_SLIPPED ? [start + next + end] : [];
			for (const slip of [start + next + one + end, ...without]) if (!known.has(slip)) found.set(slip, word);
		}
	return found;
}

/** In simplified characters. */
export const CHINESE: Lists = languageOf(zh, '');

/** Returns the words of a text, and where they begin. Emoji before others and names before the first one are left out. */
export function wordsOf(text: string): Word[] {
	const all = [...text.matchAll(/\S+/g)].slice(0, MAX_WORDS);
	const isEmoji = (word: string) => /^\p{RGI_Emoji}{1,20}$/v.test(word);
	const last = all.findLastIndex(([word]) => !isEmoji(word));
	const shown = all.filter(([word], at) => at >= last || !isEmoji(word));
	const first = shown.findIndex(([word]) => !/^@.+$/.test(word));
	return shown.slice(Math.max(0, first)).map(({ 0: word, index: at }) => ({ word, at, plain: bare(word) }));
}

/** How many words the longest phrase of a list has that begins with a word. */
const LONGEST = new WeakMap<ReadonlySet<string>, Map<string, number>>();

function longestOf(list: ReadonlySet<string>, joint: string): Map<string, number> {
	const known = LONGEST.get(list);
	if (known) return known;
	const longest = new Map<string, number>();
	for (const words of [...list].map((phrase) => phrase.split(joint)))
		longest.set(words[0] ?? '', Math.max(words.length, longest.get(words[0] ?? '') ?? 0));
	LONGEST.set(list, longest);
	return longest;
}

/** 给我 is none of these phrases in 给我的朋友, "to my friend". */
const isOwners = (last = '', next = '') => /^[我你您们]$/u.test(last) && /^[的们]$/u.test(next);

/** Returns how many words at a place are a phrase of a list; 0 for none. */
export function lengthAt(words: readonly Word[], at: number, list: ReadonlySet<string>, joint = ' '): number {
	for (let length = longestOf(list, joint).get(words[at]?.plain ?? '') ?? 0; length > 0; length--) {
		const part = words.slice(at, at + length).map(({ plain }) => plain);
		const isPhrase = part.length === length && list.has(part.join(joint));
		if (isPhrase && !isOwners(part.at(-1), words[at + length]?.plain)) return length;
	}
	return 0;
}

/** Returns how many words before a place are a phrase of a list; 0 for none. */
export function lengthBefore(words: readonly Word[], at: number, list: ReadonlySet<string>, joint = ' '): number {
	for (let length = MAX_PHRASE; length > 0; length--)
		if (lengthAt(words, at - length, list, joint) === length) return length;
	return 0;
}

/** A word as the lists write it: without case, marks, emoji and what is invisible, and without "pleaseee" and slips. */
function bare(phrase: string): string {
	const plain = phrase
		.normalize('NFKC')
		.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
		.toLowerCase()
		.replaceAll('’', "'")
		.replaceAll('ё', 'е')
		.replace(/^[¿¡*_~/／]{1,5}/, '')
		.replace(/[.,:;!?…*_~)(]{1,5}$/, '')
		.replace(/(?<=\p{L})\p{Extended_Pictographic}{1,9}$/u, '')
		.replace(DRAWN_OUT, '$1');
	// Made with the first text, so that no start waits for them.
	slips ??= slipsOf(LANGUAGES);
	return slips.get(plain) ?? plain;
}

/** A word of a text, where it begins, and how the lists write it. */
export type Word = { word: string; at: number; plain: string };

/** Traditional characters of the lists, each before the simplified one. */
const SIMPLIFIED = new Map(zh.traditional.split(' ').map(([from = '', to = '']) => [from, to]));

/** Returns a text as the Chinese lists are written, with every character in its place; nothing where it is in another language. */
export function chineseOf(text: string): string {
	if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) || !/\p{Script=Han}/u.test(text)) return '';
	return text.replace(/[\p{Script=Han}A-Z]/gu, (letter) => SIMPLIFIED.get(letter) ?? letter.toLowerCase());
}

/** What is said, besides emoji and signs. */
const IS_SAID = /[\p{L}\p{N}]/u;

/** What stands between phrases. In French, punctuation stands alone. */
const GAP = /^[\s，,、：:；;。.！!～~]?$/u;

/** A text as it is read in one language, by its words, or in a language without spaces by its characters. */
export abstract class Reading {
	protected readonly text: string;
	protected readonly lists: Lists;
	protected words: readonly Word[];
	readonly #all: readonly Word[];

	/**
	 * @param all where phrases of lists are looked for
	 * @param words those that are read
	 */
	constructor(text: string, lists: Lists, all: readonly Word[], words: readonly Word[]) {
		this.text = text;
		this.lists = lists;
		this.#all = all;
		this.words = words;
	}

	/** Returns what it asks to draw; an empty text for only what it replies to, as in “draw this”. */
	abstract drawn(): string | undefined;

	has(list: List): boolean {
		return this.#all.some((_, at) => lengthAt(this.#all, at, this.lists[list], this.lists.joint) > 0);
	}

	/** Tells whether it begins with a phrase of a list, or has it behind phrases of others, by default what is polite and what asks. */
	begins(list: List, ...before: List[]): boolean {
		const lists = before.length > 0 ? before : (['polite', 'asks'] as const);
		return [...this.#places(0, [...lists, 'around'])].some((place) => this.lengthAt(place, list) > 0);
	}

	/** Tells whether it ends with a phrase of a list, or has only what is polite behind it. */
	ends(list: List): boolean {
		const end = this.end - this.lengthBefore(this.end, 'after');
		return this.lengthBefore(end, list) > 0;
	}

	/** Tells whether it is made of phrases of these lists. */
	only(...lists: List[]): boolean {
		const end = this.behind(0, ...lists, 'around');
		return end > 0 && end >= this.end;
	}

	/** The place behind the last word. */
	protected get end(): number {
		return this.words.findLastIndex(({ plain }) => IS_SAID.test(plain)) + 1;
	}

	/** Returns the place behind the phrases of lists. */
	protected behind(from: number, ...lists: List[]): number {
		return [...this.#places(from, lists)].at(-1) ?? from;
	}

	protected lengthAt(at: number, list: List): number {
		return lengthAt(this.words, at, this.lists[list], this.lists.joint);
	}

	protected lengthBefore(at: number, list: List): number {
		return lengthBefore(this.words, at, this.lists[list], this.lists.joint);
	}

	/** Yields the places between the phrases of lists, and the one behind them. */
	*#places(from: number, lists: readonly List[]): Generator<number> {
		for (let at = from, length = 1; length > 0; at += length) {
			yield at;
			length = GAP.test(this.words[at]?.plain ?? '-') ? 1 : Math.max(...lists.map((list) => this.lengthAt(at, list)));
		}
	}
}
