/** A run of single letters with signs or spaces between them: `p-e-n g.u.i.n`. Not in scripts whose words may be of one letter. */
const LETTER = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}0-9@$]`;
const BETWEEN = String.raw`[^\p{L}\p{M}\p{N}@$]{1,3}`;
const SEPARATED = new RegExp(
	String.raw`(?<![\p{L}\p{M}\p{N}])${LETTER}(?:${BETWEEN}${LETTER}){2,}(?![\p{L}\p{M}\p{N}])`,
	'gu',
);

/** Digits and symbols that are read as a letter, or as one of two. */
const READ_AS: Readonly<Record<string, string>> = {
	'0': 'o',
	'1': 'il',
	'3': 'e',
	'4': 'a',
	'5': 's',
	'6': 'g',
	'7': 't',
	'8': 'b',
	'9': 'g',
	'@': 'a',
	$: 's',
	'!': 'i',
	'|': 'il',
	'€': 'e',
	'¢': 'c',
};
const TOKEN = /[\p{L}\p{M}\p{N}@$!|€¢]+/gu;
const SUBSTITUTE = /[013456789@$!|€¢]/gu;

/** Figures with a unit or a rank, such as `4k`, `24mm` and `1st`, and names that end in a number, such as `mp3`. */
const FIGURE = /^(?:[\p{L}\p{M}]*\d+|\d+(?:st|nd|rd|th|\p{L}{1,2}))$/u;
const AT_END = /(?<![!|])[!|]+$/u;

/** Letters of a text that were written apart, joined to words. */
export const joinedLetters = (folded: string): string[] =>
	[...folded.matchAll(SEPARATED)].map(([run]) => run.replaceAll(/[^\p{L}\p{N}@$]/gu, ''));

/** Returns the words of a folded text in which digits or symbols stand for letters, each as it may be read. */
export function substituted(folded: string): string[] {
	return [...folded.matchAll(TOKEN)].flatMap(([token]) => {
		const word = token.replace(AT_END, '');
		const letters = word.replaceAll(/[^\p{L}]/gu, '').length;
		const substitutes = word.match(SUBSTITUTE)?.length ?? 0;
		if (substitutes === 0 || letters === 0 || FIGURE.test(word)) return [];
		return [0, 1].map((reading) =>
			word.replace(SUBSTITUTE, (sign) => READ_AS[sign]?.[reading] ?? READ_AS[sign]?.[0] ?? sign),
		);
	});
}
