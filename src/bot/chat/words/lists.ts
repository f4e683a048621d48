import table from './lists.json' with { type: 'json' };

const LISTS = [
	/** "hello", "now" */
	'polite',
	/** "please", "can you": what follows is asked for. */
	'asks',
	/** Words that may stand before those, besides `polite`: "it would be great if you could" */
	'lead',
	/** "draw": what follows is the picture. */
	'draw',
	/** "generate": what follows is the picture, unless something of `written` or `texts` is named. */
	'generate',
	'written',
	/** "make", "I want": a word for a picture has to follow. */
	'make',
	/** "for me" */
	'me',
	/** "picture", "photo" */
	'pictures',
	/** "logo", "poster": a part of the prompt. */
	'kinds',
	/**
	 * Words that join what is in a picture to the word for a picture; `*` where none is needed, as in Russian: картинку дракона; `+` where
	 * adjectives may stand between both, as in Spanish: una imagen realista de un gato.
	 */
	'joins',
	/** Those of them that are no part of the prompt. */
	'drop',
	/** Words before the word for a picture that say nothing of it. */
	'articles',
	/** How something begins that is not there yet: "a cat picture". */
	'some',
	/** What follows a verb that means something else: "draw up a plan". */
	'never',
	/** What stands for the text that a message replies to: "draw this". */
	'this',
	/** What asks to delete what a message replies to, with words for that which `this` has not. */
	'remove',
	/** Polite words at the end. */
	'after',
	/** Verbs as `draw` and `make` that stand at the end, in German and Japanese. */
	'ends',
	'makeEnds',
	/** In Japanese, what follows verbs: 描いて and ください. */
	'tails',
	/** In Japanese, ends as `ends` and `makeEnds` that have no tails. */
	'otherEnds',
	'otherMakeEnds',
	/** How words begin that are to be answered in words: "explain", "thanks"; in Japanese, what they have in them. */
	'talk',
	/** What makes a question of a request: "can you tell …?" */
	'tell',
	/** Words of sentences, which "a picture of a fox" has not: "is", "he". */
	'clause',
	/** How an instruction begins that changes a picture: "make it", "without"; in Japanese, how it ends. */
	'change',
	/** How such an instruction ends, in German: "kannst du es heller machen?" */
	'changeEnds',
	/** How a wish begins, which changes a picture that comes with it: “I want the hat red”. */
	'wishes',
	/** How a question begins that suggests a change of a picture: "could it be", "what about"; in Japanese and Chinese, what it has in it. */
	'suggests',
	/** What instructions and wishes do not change: "make a list", "I want to know". */
	'texts',
	/** What stands for one of several: "the second one", "idea 2". */
	'ones',
	/** "number", as in "number 2" */
	'number',
	/** Words beside "the second one" that say nothing. */
	'the',
	/** "the last one" */
	'last',
	/** "no" before what is to be left out: “no glasses” */
	'without',
	/** "my": with nothing but a name behind it, it shows something: “my dog”. */
	'mine',
	/** In Chinese, "I want": either a number and a measure have to follow, or a word for a picture after 的. */
	'wants',
	/** In Chinese, what somebody wants to do besides, such as "buy", which follows "I want" directly. */
	'otherwise',
	/** In Chinese, what changes a picture wherever it is: "turn into", "a bit larger". */
	'becomes',
] as const;

export type List = (typeof LISTS)[number];

/** The words and phrases of one language, as lists that translators can read. Those with forms have a set for each number. */
export type Lists = Readonly<Record<List, ReadonlySet<string>>> & {
	/** From the first one on. */
	ordinals: readonly ReadonlySet<string>[];
	/** From two on. */
	counts: readonly ReadonlySet<string>[];
};

/** Phrases of up to this many words. */
const MAX_PHRASE = 7;
/** More words than a prompt can have. */
const MAX_WORDS = 1000;

const setOf = (phrases = '', separator = ', ') => new Set(phrases.split(separator).filter(Boolean).flatMap(spellings));

/** The end of a word such as "pleaseee". */
const DRAWN_OUT = /(\p{L})\1{2,99}(?!\S)/gu;

/** A short word may be another one without its accent: the Spanish "que" and "qué". */
const MIN_UNACCENTED = 5;

/** Returns a phrase of a list as people type it: also without accents and apostrophes, and with ё as е. */
function spellings(phrase: string): string[] {
	const usual = phrase.replaceAll('ё', 'е').replace(DRAWN_OUT, '$1');
	if (phrase.length < MIN_UNACCENTED) return [usual];
	const unaccented = usual
		.normalize('NFD')
		.replace(/(?<=\p{Script=Latin})[\u0300-\u0303\u0327]/gu, '')
		.normalize('NFC');
	return [...new Set([usual, unaccented, usual.replaceAll("'", ''), unaccented.replaceAll("'", '')])];
}

function languageOf(words: Partial<Record<string, string>>): Lists {
	const forms = (list = '') => list.split(', ').map((all) => setOf(all, '/'));
	const lists = Object.fromEntries(LISTS.map((list) => [list, setOf(words[list])])) as Record<List, Set<string>>;
	return { ...lists, ordinals: forms(words['ordinals']), counts: forms(words['counts']) };
}

const { ja, zh, ...others } = table;

/** The languages that put spaces between words. */
export const LANGUAGES: readonly Lists[] = Object.values(others).map(languageOf);

export const JAPANESE: Lists = withTails(languageOf(ja));

function withTails(lists: Lists): Lists {
	const endsOf = (stems: ReadonlySet<string>, others: ReadonlySet<string>) =>
		new Set([...[...stems].flatMap((stem) => ['', ...lists.tails].map((tail) => stem + tail)), ...others]);
	const { ends, makeEnds, generate, change, remove, otherEnds, otherMakeEnds } = lists;
	const all = { ends: endsOf(ends, otherEnds), makeEnds: endsOf(makeEnds, otherMakeEnds) };
	return {
		...lists,
		...all,
		generate: endsOf(generate, new Set()),
		change: endsOf(change, new Set()),
		remove: endsOf(remove, new Set()),
	};
}

/** Lists whose longer words are read through slips. */
const SLIPPED = ['asks', 'draw', 'generate', 'make', 'pictures'] as const;
const MIN_SLIPPED = 6;

/** Words with two letters in each other's place or, if long, with one left out, each before the word that is meant. */
const SLIPS = slipsOf(LANGUAGES);

function slipsOf(languages: readonly Lists[]): ReadonlyMap<string, string> {
	const wordsIn = (lists: readonly List[]) =>
		new Set(
			languages.flatMap((language) => lists.flatMap((list) => [...language[list]].flatMap((one) => one.split(' ')))),
		);
	const known = wordsIn(LISTS);
	const slips = new Map<string, string>();
	for (const word of wordsIn(SLIPPED))
		for (let at = 0; at < word.length && word.length >= MIN_SLIPPED; at++) {
			const [start, one, next, end] = [word.slice(0, at), word[at], word[at + 1] ?? '', word.slice(at + 2)];
			const without = word.length > MIN_SLIPPED ? [start + next + end] : [];
			for (const slip of [start + next + one + end, ...without]) if (!known.has(slip)) slips.set(slip, word);
		}
	return slips;
}

/** In simplified characters. */
export const CHINESE: Lists = languageOf(zh);

/** Tells whether a text has a phrase of a list in it. */
export const hasAny = (text: string, list: ReadonlySet<string>): boolean =>
	[...list].some((part) => text.includes(part));

/** Returns a text without the longest of these phrases at its end; undefined when none is there. */
export function withoutEnd(text: string, list: ReadonlySet<string>): string | undefined {
	const ends = [...list].filter((end) => text.endsWith(end));
	const longest = ends.sort((one, other) => other.length - one.length)[0];
	return longest && text.slice(0, -longest.length);
}

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

function longestOf(list: ReadonlySet<string>): Map<string, number> {
	const known = LONGEST.get(list);
	if (known) return known;
	const longest = new Map<string, number>();
	for (const words of [...list].map((phrase) => phrase.split(' ')))
		longest.set(words[0] ?? '', Math.max(words.length, longest.get(words[0] ?? '') ?? 0));
	LONGEST.set(list, longest);
	return longest;
}

/** Returns how many words at a place are a phrase of a list; 0 for none. */
export function lengthAt(words: readonly Word[], at: number, list: ReadonlySet<string>): number {
	for (let length = longestOf(list).get(words[at]?.plain ?? '') ?? 0; length > 0; length--) {
		const part = words.slice(at, at + length).map(({ plain }) => plain);
		if (part.length === length && list.has(part.join(' '))) return length;
	}
	return 0;
}

/** Returns how many words before a place are a phrase of a list; 0 for none. */
export function lengthBefore(words: readonly Word[], at: number, list: ReadonlySet<string>): number {
	for (let length = MAX_PHRASE; length > 0; length--) if (lengthAt(words, at - length, list) === length) return length;
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
		.replace(/^[¿¡*_~]{1,5}/, '')
		.replace(/[.,:;!?…*_~)(]{1,5}$/, '')
		.replace(/(?<=\p{L})\p{Extended_Pictographic}{1,9}$/u, '')
		.replace(DRAWN_OUT, '$1');
	return SLIPS.get(plain) ?? plain;
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

/** What words ask to draw. `isThis`: only what they reply to. */
export type Drawn = { prompt: string; isThis: boolean };
