import table from './lists.json' with { type: 'json' };

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

const setOf = (phrases = '', separator = ', ') => new Set(phrases.split(separator).filter(Boolean));

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
	const { ends, makeEnds, change, remove, otherEnds, otherMakeEnds } = lists;
	const all = { ends: endsOf(ends, otherEnds), makeEnds: endsOf(makeEnds, otherMakeEnds) };
	return { ...lists, ...all, change: endsOf(change, new Set()), remove: endsOf(remove, new Set()) };
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

/** Returns the words of a text, and where they begin. Emoji and names of others before the first one are left out. */
export function wordsOf(text: string): Word[] {
	const all = [...text.matchAll(/\S+/g)].slice(0, MAX_WORDS);
	const first = all.findIndex(([word]) => !/^(?:\p{RGI_Emoji}{1,20}|@.+)$/v.test(word));
	return all.slice(Math.max(0, first)).map(({ 0: word, index: at }) => ({ word, at, plain: bare(word) }));
}

/** Returns how many words at a place are a phrase of a list; 0 for none. */
export function lengthAt(words: readonly Word[], at: number, list: ReadonlySet<string>): number {
	for (let length = at < 0 ? 0 : MAX_PHRASE; length > 0; length--) {
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

/** A word without its case, the punctuation and the marks around it, and what is invisible. */
const bare = (phrase: string) =>
	phrase
		.normalize('NFKC')
		.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
		.toLowerCase()
		.replaceAll('’', "'")
		.replace(/^[¿¡*_~]{1,5}/, '')
		.replace(/[.,:;!?…*_~]{1,5}$/, '');

/** A word of a text, where it begins, and how the lists write it. */
export type Word = { word: string; at: number; plain: string };

/** Traditional characters of the lists, each before the simplified one. */
const SIMPLIFIED = new Map(zh.traditional.split(' ').map(([from = '', to = '']) => [from, to]));

/** Returns a text as the Chinese lists are written, with every character in its place; nothing where it is in another language. */
export function chineseOf(text: string): string {
	if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) || !/\p{Script=Han}/u.test(text)) return '';
	return text.replace(/[\p{Script=Han}A-Z]/gu, (letter) => SIMPLIFIED.get(letter) ?? letter.toLowerCase());
}

/** What a text names by its place in a list: its number from 1, or -1 for the last. `isAll`: it says nothing else. */
type Named = { number: number; isAll: boolean };

/** “#2”, “2:” at the beginning, “2枚目”, “画像2”, “第2张”, “图2”. Lists have at most two digits. */
const BY_SIGN = [
	/#\s?(\d{1,2})(?!\d)/,
	/^\s*(\d{1,2})\s*[:.)](?!\d)/,
	/(?<!\d)(\d{1,2})\s*(?:枚目|番目|つ目|番)/,
	/画像\s*(\d{1,2})(?!\d)/,
	// 第二个 is the second one, but 第二个人 is a person in a picture.
	/第\s*(\d{1,2})\s*(?:[张幅项款种号]|个(?=$|[\s，,。.！!吧图画方创想点选版改换变加去的在]))/u,
	/(?:图片?|照片|方案|创意|想法|选项|版本)\s*(\d{1,2})(?!\d)/u,
	/^\s*(\d{1,2})\s*号(?!\d)/u,
];

/** Words around a number in Japanese and Chinese that say nothing more. */
const AROUND =
	/^[\s#.:)]*(?:の?(?:もの|やつ|案|絵|画像|方)|的?(?:图片?|画|照片|方案|创意|想法|点子|选项|版本))?[をはで。吧]?$/u;

const KANJI = '一二三四五六七八九十';

/** A number in characters beside what it counts. */
const COUNTED = /[一二三四五六七八九十](?=枚目|番目?|つ目)|(?<=第)[一二三四五六七八九十](?=[张幅项款种号个])/gu;

/** Longer texts do more than name something, in UTF-16 units. */
const MAX_SEARCHED = 2000;

/** Returns what a text names by an ordinal or a number, such as “the second picture”, “number 3” or “2枚目”. */
function namedIn(text: string): Named | undefined {
	const plain = text.normalize('NFKC').slice(0, MAX_SEARCHED);
	const words = wordsOf(plain);
	for (const language of LANGUAGES) {
		const named = namedByWords(words, language);
		if (named) return named;
	}
	const digits = (chineseOf(plain) || plain).replace(COUNTED, (kanji) => String(KANJI.indexOf(kanji) + 1));
	const sign = BY_SIGN.map((pattern) => pattern.exec(digits)).find(Boolean);
	if (sign) return { number: Number(sign[1]), isAll: AROUND.test(digits.replace(sign[0], '')) };
	for (const [number, forms] of [...JAPANESE.ordinals.entries(), [-2, JAPANESE.last], [-2, CHINESE.last]] as const)
		for (const form of forms)
			if (plain.startsWith(form) && AROUND.test(plain.slice(form.length))) return { number: number + 1, isAll: true };
	return /最[后後]一?[张張个個幅]/u.test(plain) ? { number: -1, isAll: false } : undefined;
}

/** What an ordinal or a number belongs to. */
const NOUNS = ['ones', 'pictures', 'kinds'] as const;

function namedByWords(words: readonly Word[], language: Lists): Named | undefined {
	const isRest = (from: number, length: number) =>
		words.every(({ plain }, at) => (at >= from && at < from + length) || language.the.has(plain));
	for (const [at, { word, plain }] of words.entries()) {
		const ordinal = language.ordinals.findIndex((forms) => forms.has(plain)) + 1;
		const number = ordinal || (language.last.has(plain) ? -1 : 0);
		const noun = number === 0 ? 0 : Math.max(...NOUNS.map((list) => lengthAt(words, at + 1, language[list])));
		// “First, make it darker” names no picture, “the third, in snow” does.
		const isAlone = /[,:;]$/.test(word) && language.the.has(words[at - 1]?.plain ?? '');
		const isNamed = noun > 0 || isAlone || isRest(at, 1);
		if (number !== 0 && isNamed) return { number, isAll: isRest(at, noun + 1) };
		const next = words[at + 1];
		const digits = Number(/^#?(\d{1,2})[.,:;!?)]{0,2}$/.exec(next?.word ?? '')?.[1] ?? 0);
		const found = language.counts.findIndex((forms) => forms.has(next?.plain ?? ''));
		const count = digits || (found < 0 ? 0 : found + 2);
		if (count > 0 && [...NOUNS, 'number' as const].some((list) => language[list].has(plain)))
			return { number: count, isAll: isRest(at, 2) };
	}
	return undefined;
}

/** Returns the number by which a text names one of several pictures; undefined when it names none, or one that is not there. */
export function pictureNumberIn(text: string, count: number): number | undefined {
	const named = namedIn(text)?.number ?? 0;
	const number = named === -1 ? count : named;
	return number >= 1 && number <= count ? number : undefined;
}

/** Returns the number of the item that words such as “the second one” or “2” name, and nothing else; -1 for the last one. */
export function itemNumberOf(words: string): number | undefined {
	const [, digits] = /^\s*#?\s?(\d{1,2})[.!]?\s*$/.exec(words.normalize('NFKC')) ?? [];
	if (digits) return Number(digits);
	const named = namedIn(words);
	return named?.isAll ? named.number : undefined;
}

/** How many words may stand between a number and what it counts: “three different logos”. */
const MAX_BETWEEN = 2;
const MOST_PICTURES = 4;

/** How many pictures are wanted in Japanese and in Chinese, where 张 and 幅 count pictures alone. */
const WANTED = [
	/(?<!\d)([2-9二三四])\s*(?:枚(?!目)|つの?(?:絵|画像|案|ロゴ)|案|パターン|種類)/u,
	/(?<![\d第])([2-9两二三四])\s*(?:[张幅](?!桌|床|纸)|[个种款](?:不同的)?(?:[^，。\s]{0,6}?)(?:标志|图标|海报|头像|壁纸|logo|版本|变体|方案|创意))/u,
];

/** Returns for how many pictures somebody asks in so many words, such as “two logos”: 1 to 4. */
export function picturesWanted(text: string): number {
	const plain = text.normalize('NFKC').slice(0, MAX_SEARCHED);
	const words = wordsOf(plain);
	let most = 1;
	for (const language of LANGUAGES)
		for (const [at, { word, plain }] of words.entries()) {
			const digits = /^\d{1,3}$/.test(word) ? Number(word) : 0;
			const count = digits || language.counts.findIndex((forms) => forms.has(plain)) + 2;
			const counted = Array.from({ length: MAX_BETWEEN + 1 }, (_, step) => at + 1 + step);
			const isCounted = counted.some((next) => NOUNS.some((list) => lengthAt(words, next, language[list]) > 0));
			if (count > 1 && isCounted) most = Math.max(most, count);
		}
	const sign = WANTED.map((pattern) => pattern.exec(chineseOf(plain) || plain)?.[1]).find(Boolean) ?? '一';
	return Math.min(MOST_PICTURES, Math.max(most, Number(sign) || KANJI.indexOf(sign.replace('两', '二')) + 1));
}

/** The beginning of an item in a numbered list. https://spec.commonmark.org/0.31.2/#ordered-list-marker */
const MARKER = /^ {0,3}(\d{1,3})[.)]\s+(?=\S)/;

/** Returns an item of the numbered list in an answer, as plain text with its further lines; the last one for -1. */
export function itemIn(answer: string, number: number): string | undefined {
	const items: { number: number; lines: string[] }[] = [];
	for (const line of answer.split('\n')) {
		const marker = MARKER.exec(line);
		const last = items.at(-1);
		if (marker) items.push({ number: Number(marker[1]), lines: [line.slice(marker[0].length)] });
		// Only indented lines and those right below belong to an item: a paragraph after the list does not.
		else if (last && (/^\s+\S/.test(line) || last.lines.at(-1)?.trim())) last.lines.push(line);
	}
	const item = number === -1 ? items.at(-1) : items.find((one) => one.number === number);
	return item && plainText(item.lines.join(' '));
}

const plainText = (markdown: string) =>
	markdown
		.replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
		.replace(/\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)/g, '')
		.replace(/\s+/g, ' ')
		.trim();
