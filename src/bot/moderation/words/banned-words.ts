import { LRUCache } from 'lru-cache';
import table from './look-alikes.json' with { type: 'json' };

/** The maximum number of words that a server may ban, and of UTF-16 units in each. */
export const MAX_WORDS = 500;
export const MAX_WORD_LENGTH = 60;

/** Returns the words of a list as people write it: `red fox, snow*`. */
export const parseWordList = (list: string): string[] =>
	list
		.split(/[,;\n，、；]/u)
		.map((word) => word.trim().replaceAll(/\s+/g, ' '))
		.filter((word) => word !== '');

/** Returns the same key for all spellings of a word; undefined when it contains nothing to look for. */
export function wordKey(word: string): string | undefined {
	const key = foldText(word).trim();
	return /[\p{L}\p{N}\p{S}]/u.test(key) ? key : undefined;
}

/**
 * Tells whether a text contains one of these words or phrases, however its letters look, also with digits and symbols for letters, with
 * single letters apart, and with a plural or another simple ending. Only whole words match, except in scripts without spaces between
 * words. A `*` at the start or the end of a word stands for any letters; such a word has no other endings. The space in a phrase of
 * letters matches anything between two words.
 *
 * @param language of the endings besides English, BCP 47
 */
export function containsBannedWord(words: readonly string[], text: string, language?: string): boolean {
	return words.length > 0 && matcherOf(words, language)(text) !== undefined;
}

/** How a text contains a banned word. `found` is folded. */
type Match = { found: string; how: 'written' | 'ending' | 'signs' | 'apart' };

/** Returns which of these words a text contains, and how. Slower than `containsBannedWord`. */
export const explainBannedWords = (words: readonly string[], text: string, language?: string) =>
	words.flatMap((word) => {
		const match = matcherOf([word], language)(text);
		return match ? [{ word, ...match }] : [];
	});

/** Compiling the expressions of a list is slow. */
const matchers = new LRUCache<string, (text: string) => Match | undefined>({ max: 100 });

function matcherOf(words: readonly string[], language = 'en') {
	const name = JSON.stringify([language, words]);
	const matcher = matchers.get(name) ?? createMatcher(words, language);
	matchers.set(name, matcher);
	return matcher;
}

/** Shorter words are not looked for within letters that are written apart, but only as all of them. */
const MIN_WITHIN = 4;

function createMatcher(words: readonly string[], language: string): (text: string) => Match | undefined {
	const formsIn = (one: string) => words.flatMap((word) => (word.includes('*') ? [] : formsOf(word, one)));
	const keysOf = (list: readonly string[]) => list.flatMap((word) => wordKey(word) ?? []);
	const [keys, forms] = [keysOf(words), keysOf(formsIn('en'))];
	const others = new Intl.Locale(language).language === 'en' ? [] : formsIn(language);
	const [findWord, findForm] = [finderOf(keys), finderOf(forms)];
	const findOther = finderOf(others.map((form) => foldText(form, true)));
	const joined = [...keys, ...forms].filter((key) => LETTERS.test(key)).map((key) => key.replaceAll(' ', ''));
	const isIn = (letters: string) =>
		joined.some((key) => key === letters || (key.length >= MIN_WITHIN && letters.includes(key)));
	return (text) => {
		const folded = foldText(text);
		const written = findWord(folded);
		if (written !== undefined) return { found: written, how: 'written' };
		const ending = findForm(folded) ?? (others.length > 0 ? findOther(foldText(text, true)) : undefined);
		if (ending !== undefined) return { found: ending, how: 'ending' };
		const signs = substituted(folded).find((word) => (findWord(word) ?? findForm(word)) !== undefined);
		if (signs !== undefined) return { found: signs, how: 'signs' };
		const apart = joinedLetters(folded).find(isIn);
		return apart === undefined ? undefined : { found: apart, how: 'apart' };
	};
}

/** A word or phrase of letters alone. */
const LETTERS = /^[\p{L}\p{M}]+(?: [\p{L}\p{M}]+)*$/u;

/** A phrase of nothing but words and spaces. */
const PHRASE = /^\*?[\p{L}\p{M}\p{N}]+(?: [\p{L}\p{M}\p{N}]+)+\*?$/u;
const GAP = String.raw`[^\p{L}\p{M}\p{N}]+`;

/** Scripts without spaces between words: in them, a word may be anywhere. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
	.map((script) => String.raw`\p{Script_Extensions=${script}}`)
	.join('');

/** A letter that belongs to the same word as a letter beside it. */
const JOINED = String.raw`[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]`;
const isJoined = new RegExp(`^${JOINED}$`, 'v');

/**
 * Returns a function that finds the first of these words in a folded text: by one expression, in which words with the same boundaries
 * share them, since it is slow to compile.
 */
function finderOf(keys: readonly string[]): (folded: string) => string | undefined {
	const groups = Map.groupBy(keys.map(partsOf), ({ before, after }) => `${before}|${after}`);
	const patterns = [...groups.values()].map((group) => {
		const [before, after] = [group[0]?.before ? `(?<!${JOINED})` : '', group[0]?.after ? `(?!${JOINED})` : ''];
		return `${before}(?:${group.map(({ inner }) => inner).join('|')})${after}`;
	});
	// Matches nothing when there are no words.
	const pattern = new RegExp(patterns.join('|') || '(?!)', 'v');
	return (folded) => pattern.exec(folded)?.[0];
}

/** Returns the expression of a word without its wildcards, and at which of its ends no further letter may follow. */
function partsOf(key: string) {
	const [, anyBefore, middle = '', anyAfter] = /^(\*?)(.*?)(\*?)$/su.exec(key) ?? [];
	const inner = middle.trim();
	const characters = [...inner];
	return {
		inner: inner
			.split(' ')
			.map(RegExp.escape)
			.join(PHRASE.test(key) ? GAP : ' '),
		before: !anyBefore && isJoined.test(characters[0] ?? ''),
		after: !anyAfter && isJoined.test(characters.at(-1) ?? ''),
	};
}

/** A run of single letters with signs or spaces between them: `p-e-n g.u.i.n`. Not in scripts whose words may be of one letter. */
const LETTER = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}0-9@$]`;
const BETWEEN = String.raw`[^\p{L}\p{M}\p{N}@$]{1,3}`;
const SEPARATED = new RegExp(
	String.raw`(?<![\p{L}\p{M}\p{N}])${LETTER}(?:${BETWEEN}${LETTER}){2,}(?![\p{L}\p{M}\p{N}])`,
	'gu',
);

/** Digits and symbols, each before the letter that it is read as, or before both. */
const READ_AS: ReadonlyMap<string, string> = new Map(
	'0o 1il 3e 4a 5s 6g 7t 8b 9g @a $s !i |il €e ¢c'
		.split(' ')
		.map(([sign = '', ...letters]) => [sign, letters.join('')]),
);
const TOKEN = /[\p{L}\p{M}\p{N}@$!|€¢]+/gu;
const SUBSTITUTE = /[013456789@$!|€¢]/u;
const SUBSTITUTES = new RegExp(SUBSTITUTE, 'gu');

/** Figures with a unit or a rank, such as `4k`, `24mm` and `1st`, and names that end in a number, such as `mp3`. */
const FIGURE = /^(?:[\p{L}\p{M}]*\d+|\d+(?:st|nd|rd|th|\p{L}{1,2}))$/u;
const AT_END = /(?<![!|])[!|]+$/u;

/** Letters of a text that were written apart, joined to words, each also as its digits and symbols may be read. */
const joinedLetters = (folded: string): string[] =>
	[...folded.matchAll(SEPARATED)].flatMap(([run]) => {
		const letters = run.replaceAll(/[^\p{L}\p{N}@$]/gu, '');
		return [letters, ...substituted(letters)];
	});

/** Returns the words of a folded text in which digits or symbols stand for letters, each as it may be read. */
const substituted = (folded: string): string[] =>
	[...folded.matchAll(TOKEN)].flatMap(([token]) => {
		const word = token.replace(AT_END, '');
		if (!SUBSTITUTE.test(word) || !/\p{L}/u.test(word) || FIGURE.test(word)) return [];
		const read = (reading: number) =>
			word.replaceAll(SUBSTITUTES, (sign) => READ_AS.get(sign)?.[reading] ?? READ_AS.get(sign)?.[0] ?? sign);
		return [read(0), read(1)];
	});

/** Shorter words have too many neighbours that are other words. */
const MIN_LETTERS = 3;

/** A rule of a language: endings of words, and what takes their place. */
type Rule = readonly [ending: RegExp, forms: readonly string[], minLetters?: number];

/** Plurals and simple endings, by language. The first rule that fits a word is applied. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
	en: [
		[/(?:s|x|z|ch|sh)$/u, ['$&es']],
		[/([^aeiou])y$/u, ['$1ies']],
		[/[^s]$/u, ['$&s']],
	],
	de: [
		[/e$/u, ['en', 'es', 'er'], 4],
		[/(?:er|el|en)$/u, ['$&n', '$&s'], 4],
		[/.$/u, ['$&e', '$&en', '$&er', '$&ern', '$&n', '$&s', '$&es'], 4],
	],
	fr: [
		[/al$/u, ['aux', 'als', 'ale', 'ales'], 4],
		[/(?:eau|eu|ou)$/u, ['$&x', '$&s']],
		[/[^sxz]$/u, ['$&s']],
	],
	es: [
		[/z$/u, ['ces']],
		[/o$/u, ['os', 'a', 'as'], 4],
		[/[aeiou]$/u, ['$&s']],
		[/[^s]$/u, ['$&es', '$&a', '$&as'], 4],
		[/s$/u, ['$&es'], 4],
	],
	pt: [
		[/ão$/u, ['ões', 'ães', 'ãos'], 3],
		[/m$/u, ['ns'], 4],
		[/([aeoué])l$/u, ['$1is'], 4],
		[/o$/u, ['os', 'a', 'as'], 4],
		[/[aeiou]$/u, ['$&s']],
		[/[rzs]$/u, ['$&es'], 4],
	],
	ru: [
		[/ь$/u, ['я', 'ю', 'и', 'ем', 'ей', 'ям', 'ями', 'ях', 'ью'], 4],
		[/[ая]$/u, ['ы', 'и', 'е', 'у', 'ю', 'ой', 'ей', '', 'ам', 'ям', 'ами', 'ями', 'ах', 'ях'], 4],
		[
			/[ыио]й$/u,
			['ая', 'ое', 'ые', 'ие', 'ого', 'его', 'ому', 'ым', 'им', 'ом', 'ем', 'ых', 'их', 'ую', 'ой', 'ей'],
			5,
		],
		[/о$/u, ['а', 'у', 'ом', 'е', 'ам', 'ами', 'ах'], 4],
		[/[^аеиоуыэюяй]$/u, ['$&а', '$&у', '$&ом', '$&е', '$&ы', '$&и', '$&ов', '$&ей', '$&ам', '$&ами', '$&ах'], 4],
	],
};

/** English words that are not forms of the word that they end like. */
const OTHER_WORDS: ReadonlySet<string> = new Set('news does lens hers thus pass mass bass glasses'.split(' '));

/** Returns a word's plurals and simple endings in a language (BCP 47). Of a phrase, the last word has them. */
export function formsOf(phrase: string, language: string): string[] {
	const text = phrase.normalize('NFKC').toLowerCase();
	const word = /(?<![\p{L}\p{M}])[\p{L}\p{M}]+$/u.exec(text)?.[0] ?? '';
	const rules = RULES[new Intl.Locale(language).language] ?? [];
	const [ending, forms = []] =
		rules.find(([pattern, , min = MIN_LETTERS]) => [...word].length >= min && pattern.test(word)) ?? [];
	return forms
		.map((form) => word.replace(ending ?? '', form))
		.filter((form) => !OTHER_WORDS.has(form))
		.map((form) => text.slice(0, text.length - word.length) + form);
}

/**
 * Returns a text in a form for comparing words. Letters that look alike become the same, whatever their case, width, accents and script;
 * invisible characters are removed.
 *
 * @param keepsAccents where they make another word of one with an ending: *Blüte* (blossom) is no form of *Blut* (blood)
 */
export function foldText(text: string, keepsAccents = false): string {
	const plain = withLatinLetters(text.normalize('NFKC').replace(INVISIBLE, ''));
	// Upper case turns ß into SS, and makes all kinds of sigma and i the same.
	const small = plain.toLowerCase().toUpperCase().toLowerCase().normalize('NFKD');
	const base = keepsAccents ? small : small.replace(MARKS, '');
	return withLatinLetters(base.replace(LOOKALIKES, (letter) => LOOKS_LIKE.get(letter) ?? letter))
		.toLowerCase()
		.normalize('NFKC')
		.replace(/\s+/g, ' ');
}

/** Zero-width characters, soft hyphens, variation selectors, direction marks. https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/**
 * Accents, and the vowel points of Hebrew and Arabic. Other marks stay: in Indian scripts they are vowels, and in Japanese they
 * distinguish syllables.
 */
const MARKS =
	/(?=\p{M})(?:[\u0300-\u036F]|[\u0591-\u05C7]|[\u064B-\u0670]|[\u1AB0-\u1AFF]|[\u1DC0-\u1DFF]|[\u20D0-\u20FF]|[\uFE20-\uFE2F])/gu;

/**
 * Small letters that look like Latin ones also in a word without any, each before its Latin ones: of Cyrillic and Greek, whose words are
 * imitated most, and Latin ones with strokes and ligatures, which have no decomposition.
 * From https://www.unicode.org/Public/security/latest/confusables.txt
 */
const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
	'аa еe оo рp сc уy хx іi јj ѕs ԁd һh ԛq ԝw ӏl ѵv ԍg αa οo νv ρp ιi κk υu χx ϲc ςσ øo łl đd ħh ŧt æae œoe ɑa ɡg ıi ʟl ɴn'
		.split(' ')
		.map(([letter = '', ...latin]) => [letter, latin.join('')]),
);
const LOOKALIKES = new RegExp(`[${[...LOOKS_LIKE.keys()].join('')}]`, 'gu');

/** Small capitals, of which the data has a few: the letters of the alphabet, in order, but Q and X. */
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ';
const THEIR_LETTERS = 'abcdefghijklmnoprstuvwyz';

/**
 * Letters and symbols that look like one Latin letter, in their own case. The table has the confusables of Unicode whose prototype is one,
 * without ASCII, digits and marks; capitals that look like small l are those of I. https://www.unicode.org/reports/tr39/#Confusable_Detection
 */
const CONFUSABLES: ReadonlyMap<string, string> = new Map([
	...Array.from(SMALL_CAPITALS, (capital, position) => [capital, THEIR_LETTERS[position] ?? capital] as const),
	...Object.entries(table.letters).flatMap(([letter, alike]) => Array.from(alike, (one) => [one, letter] as const)),
]);

/** Scripts that are hardly used but to imitate Latin, and Latin itself with its symbols. */
const IMITATES = /[\p{Script=Latin}\p{Script=Common}\p{Script=Lisu}\p{Script=Coptic}\p{Script=Deseret}]/u;

/** The letters of a word with the symbols in it. */
const WORDS = /[\p{L}\p{M}\p{S}]+/gu;
const ASCII = /^[!-~]*$/;
const LATIN = /\p{Script=Latin}/u;

/**
 * Replaces letters and symbols that look Latin with what they look like. Letters of other living scripts stay in words of their own,
 * which would otherwise become Latin words by chance.
 */
export function withLatinLetters(text: string): string {
	const replace = (word: string, isReplaced: (letter: string) => boolean) =>
		Array.from(word, (letter) => (isReplaced(letter) ? (CONFUSABLES.get(letter) ?? letter) : letter)).join('');
	return text.replace(WORDS, (word) => {
		// The table has no letter of ASCII.
		if (ASCII.test(word)) return word;
		// What imitates Latin makes its word a Latin one, too.
		const imitated = replace(word, (letter) => IMITATES.test(letter));
		return LATIN.test(imitated) ? replace(imitated, () => true) : imitated;
	});
}
