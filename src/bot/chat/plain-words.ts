import table from './plain-words.json' with { type: 'json' };

const LISTS = [
	/** "please", "can you" */
	'polite',
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
] as const;

type List = (typeof LISTS)[number];

/** Words and phrases of one language, as lists that translators can read. */
type Words = Partial<Record<List, string>>;

/** Phrases of up to this many words. */
const MAX_PHRASE = 4;
/** How many words may stand before the word for a picture: "a nice old black and white photo". */
const MAX_BEFORE = 6;
/** More words than a prompt can have. */
const MAX_WORDS = 1000;

/** Returns the prompt in words that ask for a picture, such as "please draw a fox" or “I want a logo for my bakery”. */
export function promptIn(text: string): string | undefined {
	const words = [...text.matchAll(/\S+/g)].slice(0, MAX_WORDS).map(({ 0: word, index: at }) => ({ word, at }));
	for (const lists of LANGUAGES) {
		const prompt = new PlainRequest(text, words, lists).prompt();
		if (prompt !== undefined) return prompt;
	}
	return japanesePromptIn(text);
}

/** A phrase without its case and the punctuation after it. */
const bare = (phrase: string) =>
	phrase
		.toLowerCase()
		.replaceAll('’', "'")
		.replace(/[.,:;!?…]{1,5}$/, '');

/** A word of a text, and where it begins. */
type Word = { word: string; at: number };

/** A text that may ask for a picture, read with the lists of one language. */
class PlainRequest {
	readonly #text: string;
	readonly #lists: Readonly<Record<List, ReadonlySet<string>>>;
	/** Those that are left of the words. */
	readonly #words: Word[];

	constructor(text: string, words: readonly Word[], lists: Readonly<Record<List, ReadonlySet<string>>>) {
		this.#text = text;
		this.#lists = lists;
		this.#words = [...words];
	}

	prompt(): string | undefined {
		this.#takeAfter();
		const start = this.#skip(0, 'polite');
		const drawn = this.#lengthAt(start, 'draw');
		if (drawn > 0) {
			const from = this.#skip(start + drawn, 'me');
			return this.#lengthAt(from, 'never') > 0 ? undefined : (this.#pictureFrom(from) ?? this.#from(from));
		}
		const made = this.#lengthAt(start, 'make');
		if (made > 0) return this.#pictureFrom(this.#skip(start + made, 'me'));
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

	/** Returns the place behind the phrases of a list. */
	#skip(from: number, list: List): number {
		let at = from;
		for (let length = this.#lengthAt(at, list); length > 0; length = this.#lengthAt(at, list)) at += length;
		return at;
	}

	/** Returns how many words at a place are a phrase of a list; 0 for none. */
	#lengthAt(at: number, list: List): number {
		for (let length = at < 0 ? 0 : MAX_PHRASE; length > 0; length--) {
			const part = this.#words.slice(at, at + length).map(({ word }) => word);
			if (part.length === length && this.#lists[list].has(bare(part.join(' ')))) return length;
		}
		return 0;
	}
}

const { ja, ...others } = table as Record<string, Words>;

const LANGUAGES = Object.values(others).map(
	(words) =>
		Object.fromEntries(
			LISTS.map((list) => [list, new Set((words[list] ?? '').split(', ').filter(Boolean))]),
		) as unknown as Record<List, ReadonlySet<string>>,
);

/** Japanese has no spaces: “猫の絵を描いて”, “パン屋のロゴが欲しい”. */
function japanesePromptIn(text: string): string | undefined {
	const plain = text.trim().replace(/[。！？!?]{1,5}$/u, '');
	const drawn = withoutEnd(plain, ja?.ends);
	const made = drawn ?? withoutEnd(plain, ja?.makeEnds);
	if (made === undefined) return undefined;
	const object = withoutEnd(made, 'を, が, で') ?? made;
	const kind = withoutEnd(object, ja?.kinds);
	if (kind) return object;
	const subject = withoutEnd(object, ja?.pictures);
	return (
		(subject && withoutEnd(subject, 'の')) || (subject === undefined && drawn !== undefined && object) || undefined
	);
}

/** Returns a text without the longest of these phrases at its end; undefined when none is there. */
function withoutEnd(text: string, list = ''): string | undefined {
	const ends = list.split(', ').filter((end) => end !== '' && text.endsWith(end));
	const longest = ends.sort((one, other) => other.length - one.length)[0];
	return longest && text.slice(0, -longest.length);
}
