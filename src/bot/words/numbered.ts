import { CHINESE, chineseOf, JAPANESE, LANGUAGES, type Lists, lengthAt, type Word, wordsOf } from './lists.ts';

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
