import { type List, type Lists, lengthAt, Reading, type Word, wordsOf } from './lists.ts';

/** In Russian, what a picture that is there is to become: темнее, ярче, синим. */
const MADE_TO_BE = /(?:ее|[жчш]е|[ыи]м)$/u;
/** How many words may stand before the word for a picture: "a nice old black and white photo". */
const MAX_BEFORE = 6;
/** The shortest word for a text that may end another one, in UTF-16 units. */
const MIN_TEXT = 5;
/** How far from the end a style is named: “in the style of an old poster”. */
const MAX_STYLE = 4;
/** How many may lead to a request: "I was wondering if maybe you could". */
const MAX_LEAD = 12;

/** Returns the words without those that only lead to what is asked: "It would be great if you could draw a fox". */
function withoutLead(words: readonly Word[], { lead, polite, asks }: Lists): Word[] {
	let start = 0;
	for (let at = 0, length = 1; at < MAX_LEAD && length > 0; at += length) {
		const asked = lengthAt(words, at, asks);
		// “Again, please” leads to nothing.
		if (asked > 0 && at + asked < words.length) start = at;
		length = asked || lengthAt(words, at, polite) || Number(lead.has(words[at]?.plain ?? ''));
	}
	return words.slice(start);
}

/** A text in a language that puts spaces between words. */
export class SpacedReading extends Reading {
	/** A "please" has been taken from the end. */
	#isPlease = false;
	/** A verb has been taken from the end, as in German: words such as "for" may then stand before the word for a picture. */
	#isVerbLast = false;

	constructor(text: string, words: readonly Word[], lists: Lists) {
		super(text, lists, words, withoutLead(words, lists));
	}

	drawn(): string | undefined {
		const asked = this.words;
		const drawn = this.#drawn();
		this.words = asked;
		return drawn;
	}

	#drawn(): string | undefined {
		[this.#isPlease, this.#isVerbLast] = [false, false];
		const isEnded = this.#takeAfter();
		const start = this.behind(0, 'polite', 'asks');
		const isText = this.#namesText(start);
		const draws = this.lengthAt(start, 'draw') || (isText ? 0 : this.lengthAt(start, 'generate'));
		const makes = draws || this.lengthAt(start, 'make') || this.lengthAt(start, 'generate');
		if (makes > 0) {
			const from = this.behind(start + makes, 'me');
			// “Ich möchte ein Bild von einem Fuchs sehen.”
			this.#isVerbLast = draws === 0 && this.#takes('makeEnds');
			return this.#drawnFrom(from, draws > 0);
		}
		// “Einen Fuchs zeichnen, bitte”
		const isWanted = start > 0 || isEnded;
		const isDrawn =
			isWanted && (this.#takes('ends') || (!isText && this.#takes('generate')) || this.#drawsWithin(start));
		this.#isVerbLast = isDrawn || (isWanted && this.#takes('makeEnds'));
		if (this.#isVerbLast) return this.#drawnFrom(this.behind(start, 'me'), isDrawn);
		const isVerb = this.lengthAt(this.behind(0, 'polite'), 'asks') > 0;
		if (this.#isPicture(start, isVerb)) return this.#drawnFrom(start, false);
		return this.#isPlease && this.#isStyled(start) ? this.#drawnFrom(start, true) : undefined;
	}

	/** Returns what is named behind a verb. Where that only makes something, a word for a picture has to be there. */
	#drawnFrom(from: number, isDrawn: boolean): string | undefined {
		const length = this.words.length - from;
		if (!isDrawn && this.#asksBesides(from)) return undefined;
		if (isDrawn && length > 0 && this.lengthAt(from, 'this') === length) return '';
		if (this.lengthAt(from, 'never') > 0) return undefined;
		const prompt = this.#pictureFrom(from) ?? (isDrawn ? this.#from(from) : undefined);
		const words = wordsOf(prompt ?? '');
		const isThis = words.length > 0 && lengthAt(words, 0, this.lists.this) === words.length;
		return isThis ? '' : prompt;
	}

	/** “I need a photo for my passport, how big must it be?” */
	#asksBesides(from: number): boolean {
		const isBehind = (at: number) => at > from && /[,.;!]$/.test(this.words[at - 1]?.word ?? '');
		return (
			/[?？]\s*$/.test(this.text) &&
			this.words.some((_, at) => isBehind(at) && this.lengthAt(at, 'tell') + this.lengthAt(at, 'texts') > 0)
		);
	}

	/** “Kannst du einen Hund zeichnen, der lacht?” */
	#drawsWithin(from: number): boolean {
		return this.words.some(({ word }, at) => {
			const isVerb = at > from && this.lengthAt(at, 'ends') === 1;
			return isVerb && (word.endsWith(',') || this.lengthAt(at + 1, 'joins') > 0);
		});
	}

	/** Tells whether something to read is named near the verb: “generate a strong password”. */
	#namesText(from: number): boolean {
		const near = this.words.slice(from, from + MAX_BEFORE);
		const lists = [this.lists.written, this.lists.texts];
		// In German, “Einkaufsliste” is a list.
		const isText = ({ plain }: Word) =>
			lists.some((list) => [...list].some((text) => text.length >= MIN_TEXT && plain.endsWith(text)));
		return near.some((word, at) => isText(word) || lists.some((list) => lengthAt(this.words, from + at, list) > 0));
	}

	/**
	 * Tells whether a picture is named there: "a picture of a fox, please". Where nobody asks for it, it has to be one that is not there yet,
	 * and nothing may be said of it.
	 *
	 * @param isVerb whether the words before it ask to do something, so that other words may be what to do
	 */
	#isPicture(from: number, isVerb: boolean): boolean {
		const { mine } = this.lists;
		const isAsked = isVerb || this.#isPlease;
		if (
			(!isAsked && (/[\n?？:：]/.test(this.text) || this.#isSentence(from))) ||
			this.lengthAt(from, 'talk') > 0 ||
			mine.has(this.words[from]?.plain ?? '')
		)
			return false;
		const noun = this.#nounAt(from, isVerb ? 0 : MAX_BEFORE);
		if (noun === undefined || isAsked) return noun !== undefined;
		const behind = noun + this.#nounLengthAt(noun);
		const isNew = [from, behind, behind + 1].some((at) => this.lengthAt(at, 'some') > 0);
		// A background or a cover may be something else.
		if (!isNew || this.lengthAt(noun, 'written') > 0) return false;
		// “A sticker on my laptop” is there already.
		if (mine.has(this.words[behind + 1]?.plain ?? '')) return false;
		return behind < this.words.length && (this.#isJoin(behind) || this.#isDescribed(behind));
	}

	#isSentence(from: number): boolean {
		return this.words.some(
			(_, at) => at >= from && (this.lengthAt(at, 'clause') > 0 || this.lengthAt(at, 'states') > 0),
		);
	}

	/** “A sleeping fox, in pixel art, please” */
	#isStyled(from: number): boolean {
		const end = this.words.length - MAX_STYLE;
		const isPicture = this.words.some((_, at) => at > from && at >= end && this.#nounLengthAt(at) > 0);
		return isPicture && this.lengthAt(from, 'some') > 0 && !this.#isSentence(from);
	}

	#nounLengthAt(at: number): number {
		return this.lengthAt(at, 'kinds') || this.lengthAt(at, 'pictures');
	}

	/** Returns the place of a word for a picture behind articles and so many other words. */
	#nounAt(from: number, others: number): number | undefined {
		const { articles, last, ordinals } = this.lists;
		const first = from + this.words.slice(from).findIndex(({ plain }) => !articles.has(plain));
		for (let at = first; at <= first + others; at++) {
			const { word = '', plain = '' } = this.words[at] ?? {};
			// “A watercolor painting”
			if (this.#nounLengthAt(at) > 0 && this.#nounLengthAt(at + this.#nounLengthAt(at)) === 0) return at;
			const isOld = last.has(plain) || ordinals.some((forms) => forms.has(plain));
			if (isOld || articles.has(plain) || this.lengthAt(at, 'joins') > 0 || /^["“„«]/.test(word)) return undefined;
		}
		return undefined;
	}

	/** Returns the prompt in "a picture of a fox" and "a logo for a bakery". */
	#pictureFrom(from: number): string | undefined {
		for (let at = from; at < from + MAX_BEFORE; at++) {
			// “Do me a favor, explain what a logo is”
			if (at > from && /[,.;:!?]$/.test(this.words[at - 1]?.word ?? '') && this.lengthAt(at, 'talk') > 0)
				return undefined;
			const kind = this.lengthAt(at, 'kinds');
			const named = at + (kind || this.lengthAt(at, 'pictures'));
			// “Kannst du ein Bild machen von einem Fuchs?”
			const after = named + (named > at ? this.lengthAt(named, 'makeEnds') : 0);
			if (after === at) {
				if (!this.#isVerbLast && this.lengthAt(at, 'joins') > 0) return undefined;
				continue;
			}
			// In French, punctuation stands alone.
			const isEnd = (this.words[after]?.plain ?? '') === '' || /[.,:;!?]$/.test(this.words[after - 1]?.word ?? '');
			const isJoined = isEnd || this.#isJoin(after);
			const isDescribed = !isJoined && this.#isDescribed(after);
			// The next word may be the one: "a t-shirt print".
			if (!isJoined && !isDescribed) continue;
			if (kind > 0 || isDescribed) return this.#from(from);
			const isNew = this.#isPlease || after < this.words.length || this.lengthAt(from, 'some') > 0;
			if (!this.#areArticles(from, at)) return isNew ? this.#from(from) : undefined;
			return this.#from(after + this.lengthAt(after, 'drop'))?.replace(/^d[’'](?=\p{L})/u, '');
		}
		return undefined;
	}

	#isJoin(at: number): boolean {
		const { plain = '' } = this.words[at] ?? {};
		if (this.lists.joins.has('*')) return this.lengthAt(at, 'never') === 0 && !MADE_TO_BE.test(plain);
		return this.lengthAt(at, 'joins') > 0 || plain.startsWith("d'");
	}

	/** Tells whether adjectives or a size are there, and then what joins: “una imagen muy realista de un gato”. */
	#isDescribed(at: number): boolean {
		const isPart = this.lists.joins.has('+') || /^\d/.test(this.words[at]?.plain ?? '');
		return isPart && [1, 2].some((count) => this.#isJoin(at + count));
	}

	/** Returns the words from there on with emoji before them, unless they name nothing: "another one". */
	#from(at: number): string | undefined {
		const [before, first, last] = [this.words[at - 1], this.words[at], this.words.at(-1)];
		if (!first || !last || this.#areArticles(at, this.words.length)) return undefined;
		const begin = before ? before.at + before.word.length : first.at;
		const text = this.text.slice(begin, last.at + last.word.length).trim();
		const plain = text.replace(/^(?!:\w{1,32}:)[,:;–-]{1,5}/, '').replace(/[?!.,]{1,5}$/, '');
		return /[\p{L}\p{N}\p{So}]/u.test(plain) ? plain : undefined;
	}

	#areArticles(from: number, to: number): boolean {
		return this.words.slice(from, to).every(({ plain }) => this.lists.articles.has(plain));
	}

	/** Takes what is only polite from the end. Returns whether something was there. */
	#takeAfter(): boolean {
		for (let isPolite = false; ; isPolite = true) {
			const taken = this.#take('after');
			if (taken === undefined) {
				this.words = this.words.slice(0, this.words.findLastIndex(({ plain }) => plain !== '') + 1);
				return isPolite;
			}
			if (lengthAt(taken, 0, this.lists.asks) > 0) this.#isPlease = true;
		}
	}

	/** Takes a phrase of a list from the end, with emoji behind it. Returns it. */
	#take(list: List): readonly Word[] | undefined {
		const start = this.end - this.lengthBefore(this.end, list);
		if (start === this.end) return undefined;
		const taken = this.words.slice(start);
		this.words = this.words.slice(0, start);
		return taken;
	}

	#takes(list: List): boolean {
		return this.#take(list) !== undefined;
	}
}
