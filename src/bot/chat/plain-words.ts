import table from './plain-words.json' with { type: 'json' };

const LISTS = [
	/** "hello", "now" */
	'polite',
	/** "please", "can you" */
	'asks',
	/** "draw": what follows is the picture. */
	'draw',
	/** "make", "I want": a word for a picture has to follow. */
	'make',
	/** "for me" */
	'me',
	/** "picture", "photo" */
	'pictures',
	/** "logo", "poster": a part of the prompt. */
	'kinds',
	/** Words that join what is in a picture to the word for a picture. */
	'joins',
	/** Those of them that are no part of the prompt. */
	'drop',
	/** Words before the word for a picture that say nothing of it. */
	'articles',
	/** What follows a verb that means something else: "draw up a plan". */
	'never',
	/** Polite words at the end. */
	'after',
	/** Verbs as `draw` and `make` that stand at the end, in German and Japanese. */
	'ends',
	'makeEnds',
	/** How words begin that are to be answered in words: "explain", "thanks"; in Japanese, what they have in them. */
	'talk',
	/** What makes a question of a request: "can you tell …?" */
	'tell',
	/** How an instruction begins that changes a picture: "make it", "without"; in Japanese, how it ends. */
	'change',
	/** What such an instruction does not change: "make a list". */
	'texts',
	/** What stands for one of several: "the second one", "idea 2". */
	'ones',
	/** "number", as in "number 2" */
	'number',
	/** Words beside "the second one" that say nothing. */
	'the',
	/** "the last one" */
	'last',
] as const;

type List = (typeof LISTS)[number];

/** The words and phrases of one language, as lists that translators can read. Those with forms have a set for each number. */
export type Language = Readonly<Record<List, ReadonlySet<string>>> & {
	/** From the first one on. */
	ordinals: readonly ReadonlySet<string>[];
	/** From two on. */
	counts: readonly ReadonlySet<string>[];
};

/** Phrases of up to this many words. */
const MAX_PHRASE = 4;
/** How many words may stand before the word for a picture: "a nice old black and white photo". */
const MAX_BEFORE = 6;
/** More words than a prompt can have. */
const MAX_WORDS = 1000;
/** The beginning of a Japanese text that tells what it asks for, in UTF-16 units. */
const MAX_CLAUSE = 200;

/** Returns the prompt in words that ask for a picture, such as "please draw a fox" or “I want a logo for my bakery”. */
export function promptIn(text: string): string | undefined {
	const words = wordsOf(text);
	for (const lists of LANGUAGES) {
		const prompt = new PlainRequest(text, words, lists).prompt();
		if (prompt !== undefined) return prompt;
	}
	return japanesePromptIn(text);
}

/** Tells whether a message is to be answered in words, although pictures were shown before it. */
export function isTalk(text: string): boolean {
	if (isQuestion(text) || [...JAPANESE.talk].some((part) => text.slice(0, MAX_CLAUSE).includes(part))) return true;
	const words = wordsOf(text);
	const isIn = (language: Language) => {
		const start = skip(words, 0, language.polite, language.asks);
		return (start > 0 && start === words.length) || lengthAt(words, start, language.talk) > 0;
	};
	return !isChange(text) && LANGUAGES.some(isIn);
}

/** Tells a question, which is answered in words, from an instruction: "Can you make it night?" is one. */
export function isQuestion(text: string): boolean {
	if (!/[?？؟]\s*$/.test(text)) return false;
	const words = wordsOf(text);
	const asks = (language: Language) => {
		const start = skip(words, 0, language.polite);
		const length = lengthAt(words, start, language.asks);
		return length > 0 && !words.some((_, at) => lengthAt(words, at, language.tell) > 0);
	};
	return !LANGUAGES.some(asks) && !endsWith(text, JAPANESE.change);
}

/** Tells whether words are an instruction that plainly changes a picture: “make it night”, “ohne den Hut”, “夜にして”. */
export function isChange(text: string): boolean {
	const words = wordsOf(text);
	const isIn = (language: Language) => {
		const start = skip(words, 0, language.polite, language.asks);
		return (
			lengthAt(words, start, language.change) > 0 && !words.some((_, at) => lengthAt(words, at, language.texts) > 0)
		);
	};
	if (LANGUAGES.some(isIn)) return true;
	return endsWith(text, JAPANESE.change) && ![...JAPANESE.texts].some((part) => text.includes(part));
}

/** Tells whether a text speaks of pictures. */
export function speaksOfPictures(text: string): boolean {
	const words = wordsOf(text);
	const lists = ['draw', 'pictures', 'kinds'] as const;
	const isIn = (language: Language) =>
		words.some((_, at) => lists.some((list) => lengthAt(words, at, language[list]) > 0));
	if (LANGUAGES.some(isIn)) return true;
	return [...JAPANESE.pictures, ...JAPANESE.kinds, ...JAPANESE.ends].some((part) => text.includes(part));
}

const endsWith = (text: string, ends: ReadonlySet<string>): boolean => {
	const plain = text.trim().replace(ENDING, '');
	return [...ends].some((end) => plain.endsWith(end));
};

/** What ends a Japanese sentence. */
const ENDING = /[。！？!?]{1,5}$/u;

/** Returns the words of a text, and where they begin. */
export const wordsOf = (text: string): Word[] =>
	[...text.matchAll(/\S+/g)].slice(0, MAX_WORDS).map(({ 0: word, index: at }) => ({ word, at }));

/** Returns how many words at a place are a phrase of a list; 0 for none. */
export function lengthAt(words: readonly Word[], at: number, list: ReadonlySet<string>): number {
	for (let length = at < 0 ? 0 : MAX_PHRASE; length > 0; length--) {
		const part = words.slice(at, at + length).map(({ word }) => word);
		if (part.length === length && list.has(bare(part.join(' ')))) return length;
	}
	return 0;
}

/** Returns the place behind the phrases of lists. */
function skip(words: readonly Word[], from: number, ...lists: readonly ReadonlySet<string>[]): number {
	let at = from;
	for (let length = 1; length > 0; at += length) length = Math.max(...lists.map((list) => lengthAt(words, at, list)));
	return at;
}

/** A phrase without its case and the punctuation after it. */
export const bare = (phrase: string) =>
	phrase
		.toLowerCase()
		.replaceAll('’', "'")
		.replace(/[.,:;!?…]{1,5}$/, '');

/** A word of a text, and where it begins. */
export type Word = { word: string; at: number };

/** A text that may ask for a picture, read with the lists of one language. */
class PlainRequest {
	readonly #text: string;
	readonly #lists: Language;
	/** Those that are left of the words. */
	readonly #words: Word[];

	constructor(text: string, words: readonly Word[], lists: Language) {
		this.#text = text;
		this.#lists = lists;
		this.#words = [...words];
	}

	prompt(): string | undefined {
		this.#takeAfter();
		const start = this.#skip(0, 'polite', 'asks');
		const drawn = this.#lengthAt(start, 'draw');
		if (drawn > 0) {
			const from = this.#skip(start + drawn, 'me');
			return this.#lengthAt(from, 'never') > 0 ? undefined : (this.#pictureFrom(from) ?? this.#from(from));
		}
		const made = this.#lengthAt(start, 'make');
		if (made > 0) {
			const from = this.#skip(start + made, 'me');
			return this.#lengthAt(from, 'never') > 0 ? undefined : this.#pictureFrom(from);
		}
		if (start === 0) return undefined;
		const isDrawn = this.#take('ends');
		if (!isDrawn && !this.#take('makeEnds')) return undefined;
		const from = this.#skip(start, 'me');
		return this.#pictureFrom(from) ?? (isDrawn ? this.#from(from) : undefined);
	}

	/** Returns the prompt in "a picture of a fox" and "a logo for a bakery". */
	#pictureFrom(from: number): string | undefined {
		for (let at = from; at < from + MAX_BEFORE; at++) {
			const kind = this.#lengthAt(at, 'kinds');
			const after = at + (kind || this.#lengthAt(at, 'pictures'));
			if (after === at) {
				if (this.#lengthAt(at, 'joins') > 0) return undefined;
				continue;
			}
			const isEnd = after >= this.#words.length || /[.,:;!?]$/.test(this.#words[after - 1]?.word ?? '');
			if (!isEnd && !this.#isJoin(after)) return undefined;
			if (kind > 0) return this.#from(from);
			const isPlain = this.#words.slice(from, at).every(({ word }) => this.#lists.articles.has(bare(word)));
			if (!isPlain) return after < this.#words.length ? this.#from(from) : undefined;
			return this.#from(after + this.#lengthAt(after, 'drop'))?.replace(/^d[’'](?=\p{L})/u, '');
		}
		return undefined;
	}

	#isJoin(at: number): boolean {
		return this.#lengthAt(at, 'joins') > 0 || /^d[’']/.test(this.#words[at]?.word ?? '');
	}

	/** Returns the text from a word on. */
	#from(at: number): string | undefined {
		const [first, last] = [this.#words[at], this.#words.at(-1)];
		if (!first || !last) return undefined;
		const text = this.#text.slice(first.at, last.at + last.word.length);
		const plain = text.replace(/^[,:;–-]{1,5}/, '').replace(/[?!.,]{1,5}$/, '');
		return /[\p{L}\p{N}\p{So}]/u.test(plain) ? plain : undefined;
	}

	/** Takes what is only polite from the end. */
	#takeAfter(): void {
		while (this.#words.at(-1) && (bare(this.#words.at(-1)?.word ?? '') === '' || this.#take('after')))
			if (bare(this.#words.at(-1)?.word ?? '') === '') this.#words.pop();
	}

	/** Takes a phrase of a list from the end. Returns whether one was there. */
	#take(list: List): boolean {
		for (let length = MAX_PHRASE; length > 0; length--)
			if (this.#lengthAt(this.#words.length - length, list) === length) {
				this.#words.splice(-length);
				return true;
			}
		return false;
	}

	#skip(from: number, ...lists: List[]): number {
		return skip(this.#words, from, ...lists.map((list) => this.#lists[list]));
	}

	#lengthAt(at: number, list: List): number {
		return lengthAt(this.#words, at, this.#lists[list]);
	}
}

const setOf = (phrases = '', separator = ', ') => new Set(phrases.split(separator).filter(Boolean));

function languageOf(words: Partial<Record<string, string>>): Language {
	const forms = (list = '') => list.split(', ').map((all) => setOf(all, '/'));
	const lists = Object.fromEntries(LISTS.map((list) => [list, setOf(words[list])])) as Record<List, Set<string>>;
	return { ...lists, ordinals: forms(words['ordinals']), counts: forms(words['counts']) };
}

const { ja, ...others } = table;

/** The languages that put spaces between words. */
export const LANGUAGES: readonly Language[] = Object.values(others).map(languageOf);

export const JAPANESE: Language = languageOf(ja);

const PARTICLES = new Set(['を', 'が', 'で']);
const OF = new Set(['の']);

/** Japanese has no spaces: “猫の絵を描いて”, “パン屋のロゴが欲しい”. */
function japanesePromptIn(text: string): string | undefined {
	const plain = text.trim().replace(ENDING, '');
	const drawn = withoutEnd(plain, JAPANESE.ends);
	const made = drawn ?? withoutEnd(plain, JAPANESE.makeEnds);
	if (made === undefined) return undefined;
	const object = withoutEnd(made, PARTICLES) ?? made;
	const kind = withoutEnd(object, JAPANESE.kinds);
	if (kind) return object;
	const subject = withoutEnd(object, JAPANESE.pictures);
	return (subject && withoutEnd(subject, OF)) || (subject === undefined && drawn !== undefined && object) || undefined;
}

/** Returns a text without the longest of these phrases at its end; undefined when none is there. */
function withoutEnd(text: string, list: ReadonlySet<string>): string | undefined {
	const ends = [...list].filter((end) => text.endsWith(end));
	const longest = ends.sort((one, other) => other.length - one.length)[0];
	return longest && text.slice(0, -longest.length);
}
