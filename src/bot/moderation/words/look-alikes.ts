import table from './look-alikes.json' with { type: 'json' };

/** Small capitals, of which the data has a few: the letters of the alphabet, in order, but Q and X. */
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ';
const THEIR_LETTERS = 'abcdefghijklmnoprstuvwyz';

let lookAlikes: ReadonlyMap<string, string> | undefined;

/**
 * Returns letters and symbols that look like one Latin letter, in their own case. The table has the confusables of Unicode whose prototype
 * is one, without ASCII, digits and marks; capitals that look like small l are those of I. https://www.unicode.org/reports/tr39/#Confusable_Detection
 */
const readLookAlikes = (): ReadonlyMap<string, string> =>
	new Map([
		...[...SMALL_CAPITALS].map((capital, position) => [capital, THEIR_LETTERS[position] as string] as const),
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
	lookAlikes ??= readLookAlikes();
	const letters = lookAlikes;
	const replace = (word: string, isReplaced: (letter: string) => boolean) =>
		Array.from(word, (letter) => (isReplaced(letter) ? (letters.get(letter) ?? letter) : letter)).join('');
	return text.replace(WORDS, (word) => {
		// What imitates Latin makes its word a Latin one, too.
		const imitated = replace(word, (letter) => IMITATES.test(letter));
		return LATIN.test(imitated) ? replace(imitated, () => true) : imitated;
	});
}
