import table from './look-alikes.json' with { type: 'json' };

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
const LATIN = /\p{Script=Latin}/u;

/**
 * Replaces letters and symbols that look Latin with what they look like. Letters of other living scripts stay in words of their own,
 * which would otherwise become Latin words by chance.
 */
export function withLatinLetters(text: string): string {
	const replace = (word: string, isReplaced: (letter: string) => boolean) =>
		Array.from(word, (letter) => (isReplaced(letter) ? (CONFUSABLES.get(letter) ?? letter) : letter)).join('');
	return text.replace(WORDS, (word) => {
		// What imitates Latin makes its word a Latin one, too.
		const imitated = replace(word, (letter) => IMITATES.test(letter));
		return LATIN.test(imitated) ? replace(imitated, () => true) : imitated;
	});
}
