/**
 * Text as a reader takes it in, for comparing words: letters of one kind, whatever their case, their width, the marks on them,
 * the invisible characters between them and the script that they were borrowed from.
 */
export function foldText(text: string): string {
	const plain = text.normalize('NFKC').replace(INVISIBLE, '').replace(WORDS, withoutBorrowedCapitals);
	// By way of upper case, which tells ß as SS, and all kinds of sigma and i as one.
	return plain
		.toLowerCase()
		.toUpperCase()
		.toLowerCase()
		.normalize('NFKD')
		.replace(MARKS, '')
		.replace(LOOKS_LIKE_SOMETHING, (letter) => LOOKS_LIKE[letter] ?? letter)
		.normalize('NFKC')
		.replace(/\s+/g, ' ');
}

/** Zero-width characters, soft hyphens, variation selectors, marks of direction. https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

const WORDS = /[\p{L}\p{M}]+/gu;

/**
 * Accents, and the vowel points of Hebrew and Arabic. Not every mark: in the scripts of India they are vowels, and in Japanese
 * they tell one syllable from another.
 */
const MARKS =
	/(?=\p{M})(?:[\u0300-\u036F]|[\u0591-\u05C7]|[\u064B-\u0670]|[\u1AB0-\u1AFF]|[\u1DC0-\u1DFF]|[\u20D0-\u20FF]|[\uFE20-\uFE2F])/gu;

/**
 * Small letters that look like others: those of Cyrillic and Greek that can't be told from Latin ones, and Latin ones with strokes
 * and ligatures, which no decomposition takes apart. From https://www.unicode.org/Public/security/latest/confusables.txt
 */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
	а: 'a',
	е: 'e',
	о: 'o',
	р: 'p',
	с: 'c',
	у: 'y',
	х: 'x',
	і: 'i',
	ј: 'j',
	ѕ: 's',
	ԁ: 'd',
	һ: 'h',
	ԛ: 'q',
	ԝ: 'w',
	ӏ: 'l',
	ѵ: 'v',
	ԍ: 'g',
	α: 'a',
	ο: 'o',
	ν: 'v',
	ρ: 'p',
	ι: 'i',
	κ: 'k',
	υ: 'u',
	χ: 'x',
	ϲ: 'c',
	ς: 'σ',
	ø: 'o',
	ł: 'l',
	đ: 'd',
	ħ: 'h',
	ŧ: 't',
	æ: 'ae',
	œ: 'oe',
	ɑ: 'a',
	ɡ: 'g',
	ı: 'i',
	ʟ: 'l',
	ɴ: 'n',
};
const LOOKS_LIKE_SOMETHING = new RegExp(`[${Object.keys(LOOKS_LIKE).join('')}]`, 'gu');

/** Capitals that look Latin while their small letters do not. */
const CAPITALS: Readonly<Record<string, string>> = {
	В: 'B',
	Н: 'H',
	К: 'K',
	М: 'M',
	Т: 'T',
	Β: 'B',
	Ε: 'E',
	Ζ: 'Z',
	Η: 'H',
	Μ: 'M',
	Ν: 'N',
	Τ: 'T',
	Υ: 'Y',
};
const BORROWED = new RegExp(`[${Object.keys(CAPITALS).join('')}]`, 'gu');

/** In a word with Latin letters only: in a word of their own script they are what they are. */
const withoutBorrowedCapitals = (word: string) =>
	/\p{Script=Latin}/u.test(word) ? word.replace(BORROWED, (letter) => CAPITALS[letter] ?? letter) : word;
