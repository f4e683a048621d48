import {
	behind,
	chinesePromptIn,
	drawsChineseThis,
	isChineseChange,
	isChineseQuestion,
	isChineseRemoval,
	isChineseTalk,
} from './chinese.ts';
import {
	CHINESE,
	chineseOf,
	hasAny,
	JAPANESE,
	LANGUAGES,
	type List,
	type Lists,
	lengthAt,
	lengthBefore,
	type Word,
	withoutEnd,
	wordsOf,
} from './lists.ts';

/** In Russian, what a picture that is there is to become: темнее, ярче, синим. */
const MADE_TO_BE = /(?:ее|[жчш]е|[ыи]м)$/u;
/** How many words may stand before the word for a picture: "a nice old black and white photo". */
const MAX_BEFORE = 6;
/** The beginning of a Japanese text that tells what it asks for, in UTF-16 units. */
const MAX_CLAUSE = 200;

/** A text in marks as a whole, such as bold. Code is not: it may be what somebody quotes. */
const MARKED = /^([*_~]{1,3})(?=\S)([^*_~]+)\1$/;

/** What "draw this" stands before, and the quotation that it stands behind. */
const FOLLOWED = /^([^:：\n]{1,100})(?:[:：]|\n(?=>))(.+)$/s;
const BEHIND = /^(>.+)\n([^>\n]{1,100})$/s;

/** The marks of quotations and of blocks of code. */
const BLOCK_MARKS = /^>{1,3} ?|```/gm;

/** The longest text whose last sentence asks for what the others tell of, in UTF-16 units. */
const MAX_TOLD = 400;
/** Shorter sentences before a request tell nothing of it: “Nice one!” */
const MIN_TOLD_WORDS = 4;
const SENTENCES = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** Returns the prompt in words that ask for a picture, such as "please draw a fox" or “I want a logo for my bakery”. */
export function promptIn(text: string): string | undefined {
	const [, head = '', follows = ''] = FOLLOWED.exec(text) ?? [];
	const [, cited = '', tail = ''] = BEHIND.exec(text) ?? [];
	const quoted = (drawsQuoted(head) && follows) || (drawsQuoted(tail) && cited);
	const prompt = quoted || promptOf(text.replace(MARKED, '$2')) || promptBehind(head, follows) || promptAtEnd(text);
	return prompt?.replace(BLOCK_MARKS, '').trim() || prompt;
}

/** “Logo please: a bakery called Crumb” */
function promptBehind(head: string, follows: string): string | undefined {
	const prompt = promptOf(head);
	return prompt && `${prompt}: ${follows.trim()}`;
}

/** “My daughter loves unicorns. Draw her one, please”: what is told before belongs to the prompt. */
function promptAtEnd(text: string): string | undefined {
	if (text.length > MAX_TOLD) return undefined;
	const sentences = [...SENTENCES.segment(text.trim())].map(({ segment }) => segment);
	const prompt = sentences.length > 1 ? promptOf(sentences.pop() ?? '') : undefined;
	const told = sentences.join('');
	const words = wordsOf(told);
	if (prompt === undefined || /[?？]/.test(told) || asksForText(words)) return undefined;
	if (LANGUAGES.some(({ tell, polite, asks }) => beginsWith(words, tell, polite, asks))) return undefined;
	return words.length < MIN_TOLD_WORDS ? prompt : `${told.trim()} ${prompt}`;
}

function promptOf(text: string): string | undefined {
	const words = wordsOf(text);
	for (const lists of LANGUAGES) {
		const prompt = new PlainRequest(text, words, lists).prompt();
		if (prompt !== undefined) return prompt;
	}
	return japanesePromptIn(text) ?? chinesePromptIn(text);
}

/** Tells whether words ask to draw the text that they reply to: "draw this", "make a picture of that". */
export function drawsQuoted(text: string): boolean {
	const [words, prompt] = [wordsOf(text), wordsOf(promptOf(text) ?? '')];
	const isThis = (language: Lists) => prompt.length > 0 && lengthAt(prompt, 0, language.this) === prompt.length;
	if (LANGUAGES.some((lists) => isThis(lists) || new PlainRequest(text, words, lists).drawsThis())) return true;
	return drawsJapaneseThis(text) || drawsChineseThis(text);
}

/** Tells whether words ask to delete what they reply to, and nothing else: "delete this", “kannst du das Bild löschen?” */
export function asksToRemove(text: string): boolean {
	const words = wordsOf(text);
	const isIn = ({ remove, polite, asks, me, this: these, the, pictures, after }: Lists) =>
		words.some((_, at) => lengthAt(words, at, remove) > 0) &&
		skip(words, 0, remove, polite, asks, me, these, the, pictures, after) === words.length;
	return LANGUAGES.some(isIn) || isJapaneseRemoval(text) || isChineseRemoval(chineseOf(text));
}

/**
 * Tells whether a message is answered in words, although it brings pictures or replies to some: “what is this”, “describe it”, "thanks".
 */
export function isAboutPictures(text: string): boolean {
	const words = wordsOf(text);
	const wishes = ({ wishes }: Lists) => lengthAt(words, 0, wishes) > 0;
	const isWish = LANGUAGES.some(wishes) || [...CHINESE.wishes].some((wish) => chineseOf(text).startsWith(wish));
	return isQuestion(text) || (isTalk(text) && !(isWish && !asksForText(words)));
}

/** Tells whether a message is answered in words, although pictures were shown before it. */
export function isTalk(text: string): boolean {
	if (isQuestion(text) || hasAny(text.slice(0, MAX_CLAUSE), JAPANESE.talk) || !/\p{L}|\d:\d/u.test(text)) return true;
	const words = wordsOf(text);
	const isIn = (language: Lists) => {
		const { polite, asks, talk, mine } = language;
		const end = skip(words, 0, polite, asks);
		const isShown = words.length === 2 && lengthAt(words, 0, mine) > 0;
		return isShown || (end > 0 && end === words.length) || beginsWith(words, talk, polite, asks);
	};
	return !isChange(text) && (LANGUAGES.some(isIn) || isChineseTalk(chineseOf(text)));
}

/** Tells whether words speak of a text that is wanted, such as a list, or of what somebody wants to know. */
const asksForText = (words: readonly Word[]) =>
	LANGUAGES.some(({ texts }) => words.some((_, at) => lengthAt(words, at, texts) > 0));

/** Tells a question, which is answered in words, from an instruction: "Can you make it night?" is one. */
function isQuestion(text: string): boolean {
	const inChinese = isChineseQuestion(chineseOf(text));
	if (inChinese !== undefined) return inChinese;
	if (!/[?？؟][^\p{L}\p{N}]{0,20}$/u.test(text)) return false;
	const words = wordsOf(text);
	const asks = (language: Lists) => {
		const start = skip(words, 0, language.polite);
		const length = lengthAt(words, start, language.asks);
		return length > 0 && !words.some((_, at) => lengthAt(words, at, language.tell) > 0);
	};
	return !LANGUAGES.some(asks) && !endsWith(text, JAPANESE.change);
}

/** Tells whether words are an instruction that plainly changes a picture: “make it night”, “ohne den Hut”, “夜にして”. */
export function isChange(text: string): boolean {
	const words = wordsOf(text);
	const isIn = ({ polite, asks, change, after, changeEnds }: Lists) =>
		beginsWith(words, change, polite, asks) ||
		lengthBefore(words, words.length - lengthBefore(words, words.length, after), changeEnds) > 0;
	if (LANGUAGES.some(isIn)) return !asksForText(words);
	if (endsWith(text, JAPANESE.change)) return !hasAny(text, JAPANESE.texts);
	return isChineseChange(chineseOf(text));
}

/** Tells whether a question suggests a change of the picture that was shown: “could it be darker?”, “what about a red hat?” */
export function suggestsChange(text: string): boolean {
	const words = wordsOf(text);
	const isIn = ({ polite, suggests }: Lists) => beginsWith(words, suggests, polite);
	if (LANGUAGES.some(isIn)) return !asksForText(words);
	return hasAny(text.slice(0, MAX_CLAUSE), JAPANESE.suggests) || hasAny(chineseOf(text), CHINESE.suggests);
}

/** Tells whether a text speaks of pictures. */
export function speaksOfPictures(text: string): boolean {
	const words = wordsOf(text);
	const lists = ['draw', 'pictures', 'kinds'] as const;
	const isIn = (language: Lists) =>
		words.some((_, at) => lists.some((list) => lengthAt(words, at, language[list]) > 0));
	if (LANGUAGES.some(isIn)) return true;
	if ([JAPANESE.pictures, JAPANESE.kinds, JAPANESE.ends].some((list) => hasAny(text, list))) return true;
	return [CHINESE.pictures, CHINESE.kinds].some((list) => hasAny(chineseOf(text), list));
}

const endsWith = (text: string, ends: ReadonlySet<string>): boolean => {
	const plain = text.trim().replace(ENDING, '');
	return [...ends].some((end) => plain.endsWith(end));
};

/** What ends a Japanese sentence. */
const ENDING = /[。！？!?]{1,5}$/u;

/** Yields the places between the phrases of lists that words begin with, and the one behind them. */
function* places(words: readonly Word[], from: number, ...lists: readonly ReadonlySet<string>[]): Generator<number> {
	let at = from;
	for (let length = 1; length > 0; at += length) {
		yield at;
		// In French, punctuation stands alone.
		length = words[at]?.plain === '' ? 1 : Math.max(...lists.map((list) => lengthAt(words, at, list)));
	}
}

/** Returns the place behind the phrases of lists. */
const skip = (...begin: Parameters<typeof places>): number => [...places(...begin)].at(-1) ?? 0;

/** Tells whether words begin with a phrase of a list, or have it behind phrases of others. */
const beginsWith = (
	words: readonly Word[],
	list: ReadonlySet<string>,
	...before: readonly ReadonlySet<string>[]
): boolean => [...places(words, 0, ...before)].some((at) => lengthAt(words, at, list) > 0);

/** A text that may ask for a picture, read with the lists of one language. */
class PlainRequest {
	readonly #text: string;
	readonly #lists: Lists;
	/** Those that are left of the words. */
	readonly #words: Word[];

	constructor(text: string, words: readonly Word[], lists: Lists) {
		this.#text = text;
		this.#lists = lists;
		this.#words = [...words];
	}

	prompt(): string | undefined {
		const isAsked = this.#takeAfter() || this.#lengthAt(this.#skip(0, 'polite'), 'asks') > 0;
		const start = this.#skip(0, 'polite', 'asks');
		const drawn = this.#lengthAt(start, 'draw');
		if (drawn > 0) {
			const from = this.#skip(start + drawn, 'me');
			return this.#lengthAt(from, 'never') > 0 ? undefined : (this.#pictureFrom(from) ?? this.#from(from));
		}
		const made = this.#lengthAt(start, 'make');
		if (made > 0) {
			const from = this.#skip(start + made, 'me');
			// “Ich möchte ein Bild von einem Fuchs sehen.”
			this.#take('makeEnds');
			return this.#lengthAt(from, 'never') > 0 ? undefined : this.#pictureFrom(from);
		}
		// “Einen Fuchs zeichnen, bitte”
		const isWanted = start > 0 || isAsked;
		const isDrawn = isWanted && this.#take('ends');
		if (!isDrawn && !(isWanted && this.#take('makeEnds')))
			return isAsked && this.#isPicture(start) ? this.#pictureFrom(start) : undefined;
		const from = this.#skip(start, 'me');
		return this.#pictureFrom(from) ?? (isDrawn ? this.#from(from) : undefined);
	}

	/** Tells whether it names nothing but what it replies to. */
	drawsThis(): boolean {
		this.#takeAfter();
		const start = this.#skip(0, 'polite', 'asks');
		const drawn = this.#lengthAt(start, 'draw');
		if (drawn === 0 && !(start > 0 && this.#take('ends'))) return false;
		const from = this.#skip(start + drawn, 'me');
		const length = this.#lengthAt(from, 'this');
		return length > 0 && from + length === this.#words.length;
	}

	/** Tells whether a picture is named there: "a picture of a fox, please". */
	#isPicture(from: number): boolean {
		let at = from;
		while (this.#lists.articles.has(this.#words[at]?.plain ?? '')) at++;
		return this.#lengthAt(at, 'pictures') > 0 || this.#lengthAt(at, 'kinds') > 0;
	}

	/** Returns the prompt in "a picture of a fox" and "a logo for a bakery". */
	#pictureFrom(from: number): string | undefined {
		for (let at = from; at < from + MAX_BEFORE; at++) {
			const kind = this.#lengthAt(at, 'kinds');
			const named = at + (kind || this.#lengthAt(at, 'pictures'));
			// “Kannst du ein Bild machen von einem Fuchs?”
			const after = named + (named > at ? this.#lengthAt(named, 'makeEnds') : 0);
			if (after === at) {
				if (this.#lengthAt(at, 'joins') > 0) return undefined;
				continue;
			}
			// In French, punctuation stands alone.
			const isEnd = (this.#words[after]?.plain ?? '') === '' || /[.,:;!?]$/.test(this.#words[after - 1]?.word ?? '');
			const isJoined = isEnd || this.#isJoin(after);
			const isDescribed = !isJoined && this.#isDescribed(after);
			// The next word may be the one: "a t-shirt print".
			if (!isJoined && !isDescribed) continue;
			if (kind > 0 || isDescribed) return this.#from(from);
			if (!this.#areArticles(from, at))
				return after < this.#words.length || this.#lengthAt(from, 'some') > 0 ? this.#from(from) : undefined;
			return this.#from(after + this.#lengthAt(after, 'drop'))?.replace(/^d[’'](?=\p{L})/u, '');
		}
		return undefined;
	}

	#isJoin(at: number): boolean {
		const { plain = '' } = this.#words[at] ?? {};
		if (this.#lists.joins.has('*')) return this.#lengthAt(at, 'never') === 0 && !MADE_TO_BE.test(plain);
		return this.#lengthAt(at, 'joins') > 0 || plain.startsWith("d'");
	}

	/** Tells whether adjectives are there, and then what joins: “una imagen muy realista de un gato”. */
	#isDescribed(at: number): boolean {
		return this.#lists.joins.has('+') && [1, 2].some((count) => this.#isJoin(at + count));
	}

	/** Returns the words from there on, unless they name nothing: "another one". */
	#from(at: number): string | undefined {
		const [first, last] = [this.#words[at], this.#words.at(-1)];
		if (!first || !last || this.#areArticles(at, this.#words.length)) return undefined;
		const text = this.#text.slice(first.at, last.at + last.word.length);
		const plain = text.replace(/^(?!:\w{1,32}:)[,:;–-]{1,5}/, '').replace(/[?!.,]{1,5}$/, '');
		return /[\p{L}\p{N}\p{So}]/u.test(plain) ? plain : undefined;
	}

	#areArticles(from: number, to: number): boolean {
		return this.#words.slice(from, to).every(({ plain }) => this.#lists.articles.has(plain));
	}

	/** Takes what is only polite from the end. Returns whether something was there. */
	#takeAfter(): boolean {
		for (let isPolite = false; ; isPolite = true) {
			while (this.#words.length > 0 && this.#words.at(-1)?.plain === '') this.#words.pop();
			if (!this.#take('after')) return isPolite;
		}
	}

	/** Takes a phrase of a list from the end. Returns whether one was there. */
	#take(list: List): boolean {
		const length = lengthBefore(this.#words, this.#words.length, this.#lists[list]);
		this.#words.length -= length;
		return length > 0;
	}

	#skip(from: number, ...lists: List[]): number {
		return skip(this.#words, from, ...lists.map((list) => this.#lists[list]));
	}

	#lengthAt(at: number, list: List): number {
		return lengthAt(this.#words, at, this.#lists[list]);
	}
}

const PARTICLES = new Set(['を', 'が', 'で']);
const OF = new Set(['の']);

/** Returns the words of a Japanese text that asks for something, without what is polite before them. */
const japaneseClause = (text: string): string =>
	text
		.slice(behind(text, 0, JAPANESE.polite))
		.trim()
		.replace(ENDING, '');

const withoutParticle = (object: string): string => withoutEnd(object, PARTICLES) ?? object;

function drawsJapaneseThis(text: string): boolean {
	const object = withoutEnd(japaneseClause(text), JAPANESE.ends);
	return object !== undefined && JAPANESE.this.has(withoutParticle(object));
}

/** “この画像を削除して”, “消してください” */
function isJapaneseRemoval(text: string): boolean {
	const removed = withoutEnd(japaneseClause(text), JAPANESE.remove);
	const object = removed && withoutParticle(removed).replace(/^[このそ]{2}/, '');
	return object !== undefined && (object === '' || JAPANESE.this.has(object) || JAPANESE.pictures.has(object));
}

/** Japanese has no spaces: “猫の絵を描いて”, “パン屋のロゴが欲しい”. */
function japanesePromptIn(text: string): string | undefined {
	// “ありがとう！次はクマを描いて”
	const plain = japaneseClause(text);
	const drawn = withoutEnd(plain, JAPANESE.ends);
	const made = drawn ?? withoutEnd(plain, JAPANESE.makeEnds);
	if (made === undefined) return undefined;
	const object = withoutParticle(made);
	// 絵は描ける？ asks what somebody can do, この絵を見せて for a picture that is there.
	if (object.endsWith('は') || [...JAPANESE.never].some((word) => object.startsWith(word))) return undefined;
	if (withoutEnd(object, JAPANESE.kinds) !== undefined) return object;
	const subject = withoutEnd(object, JAPANESE.pictures);
	return (
		(subject && (withoutEnd(subject, OF) ?? subject)) ||
		(subject === undefined && drawn !== undefined && object) ||
		undefined
	);
}
