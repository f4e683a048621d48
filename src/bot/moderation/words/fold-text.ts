import { withLatinLetters } from './look-alikes.ts';

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
	return withLatinLetters(base.replace(LOOKALIKES, (letter) => LOOKS_LIKE[letter] ?? letter))
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
 * Small letters that look like Latin ones also in a word without any: of Cyrillic and Greek, whose words are imitated most, and Latin
 * ones with strokes and ligatures, which have no decomposition. From https://www.unicode.org/Public/security/latest/confusables.txt
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
const LOOKALIKES = new RegExp(`[${Object.keys(LOOKS_LIKE).join('')}]`, 'gu');
