import { words } from '../instruction/words.ts';

/** Stand for "image 1", "image 2", "image 3" in the text of a composition. */
export const SIGNS = '①②③';
export const SIGN = '[①②③]';

const ORDINALS: readonly (readonly [string, number])[] = [
	['first|1st|erste[snm]?|première|premier|primera', 1],
	['second|2nd|other|zweite[snm]?|deuxième|second|segunda', 2],
	['third|3rd|dritte[snm]?|troisième|tercera', 3],
];
const NOUN = '(?:image|picture|photo|pic|img|reference|figure|bild(?:es|s)?|foto|imagen|photographie)';
const DIGITS: Readonly<Record<string, number>> = {
	one: 1,
	two: 2,
	three: 3,
	a: 1,
	b: 2,
	c: 3,
	eins: 1,
	zwei: 2,
	drei: 3,
};
const NUMBERED = new RegExp(
	`(?<![\\p{L}\\p{N}])(?:the |l[’'])?${NOUN}s?\\s*(?:no\\.?|number|nr\\.?|#)?\\s*(\\d{1,2}|one|two|three|a(?! \\p{L})|b|c|eins|zwei|drei)(?![\\p{L}\\p{N}])(?:['’]s)?`,
	'gu',
);

/** "Image 1's red fox" is "red fox of image 1". */
const POSSESSIVE = new RegExp(
	`(?:the )?(${NOUN} (?:\\d|one|two|three)|(?:first|second|third) ${NOUN})['’]s ((?:(?!(?:on|in|into|onto|under|and|with|to|behind|over|next|beside|near|from|of|above|below|sitting|standing|riding|flying)\\b)\\p{L}+(?: |$|(?=[,.;]))){1,3})`,
	'gu',
);

/** Writes ① for "image 1", "the first picture", "photo one"; references to pictures that are not there go. */
export function withSigns(text: string, count: number): string {
	const signOf = (number: number) => (number >= 1 && number <= count ? ` ${SIGNS[number - 1]} ` : ' ');
	let result = text
		.replace(new RegExp(SIGN, 'gu'), ' ')
		.replace(POSSESSIVE, (_, image: string, thing: string) => `the ${thing.trim()} of ${image} `);
	result = result.replace(NUMBERED, (_, digit: string) => signOf(DIGITS[digit] ?? Number(digit)));
	for (const [spelling, number] of [...ORDINALS, ['last|letzte[snm]?|dernière|última', count] as const]) {
		const pattern = `(?:the |das |dem |des |la |le |el )?(?:${spelling}) (?:${NOUN}|one)(?:['’]s)?|(?:la |l[’'])?${NOUN} (?:${spelling})`;
		result = result.replace(words(pattern), signOf(number));
	}
	return result.replace(/\s+/gu, ' ').trim();
}

export const indexOf = (sign: string | undefined) => (sign ? SIGNS.indexOf(sign) : undefined);
export const named = (name: string) => `(?<${name}>${SIGN})`;

/** The pictures that a text mentions in their order, then the others. */
export function orderIn(text: string, count: number): number[] {
	const mentioned = [...text].filter((letter) => SIGNS.includes(letter)).map((letter) => SIGNS.indexOf(letter));
	return [...new Set([...mentioned, ...Array.from({ length: count }, (_, index) => index)])];
}
