import { words } from '../instruction/patterns.ts';

/** Stand for "image 1", "image 2", "image 3" in the text of a composition. */
export const SIGNS = '①②③';
export const SIGN = /[①②③]/gu;

const NOUN = '(?:image|picture|photo|pic|img|reference|figure|photograph)';
const DIGITS = [
	['first|1st', 'one', 'a'],
	['second|2nd|other', 'two', 'b'],
	['third|3rd', 'three', 'c'],
] as const;

const ORDINALS = [...DIGITS.map(([ordinal]) => ordinal), 'last'].map((ordinal) =>
	words(`(?:the )?(?:${ordinal}) (?:${NOUN}|one)(?:'s)?|(?:the )?${NOUN} (?:${ordinal})`),
);
const NUMBERED = words(
	`(?:the )?${NOUN}s?\\s*(?:no\\.?|number|nr\\.?|#)?\\s*(?<digit>\\d{1,2}|one|two|three|a(?! \\p{L})|b|c)(?:'s)?`,
);

/** "Image 1's red fox" is "red fox of image 1". */
const POSSESSIVE = new RegExp(
	`(?:the )?(?<image>${NOUN} (?:\\d|one|two|three)|(?:first|second|third) ${NOUN})'s (?<thing>(?:(?!(?:on|in|into|onto|under|and|with|to|behind|over|next|beside|near|from|of|above|below|sitting|standing|riding|flying)\\b)\\p{L}+(?: |$|(?=[,.;]))){1,3})`,
	'gu',
);

/** Writes ① for "image 1", "the first picture", "photo one"; references to pictures that are not there go. */
export function withSigns(text: string, count: number): string {
	const signOf = (number: number) => (number >= 1 && number <= count ? ` ${SIGNS[number - 1]} ` : ' ');
	const numberOf = (digit: string) => DIGITS.findIndex((names) => names.some((name) => name === digit)) + 1;
	const numbered = text
		.replace(SIGN, ' ')
		.replace(POSSESSIVE, (_, image: string, thing: string) => `the ${thing.trim()} of ${image} `)
		.replace(NUMBERED, (_, digit: string) => signOf(numberOf(digit) || Number(digit)));
	return ORDINALS.reduce((rest, ordinal, at) => rest.replace(ordinal, signOf(at === 3 ? count : at + 1)), numbered)
		.replace(/\s+/gu, ' ')
		.trim();
}

export const indexOf = (sign: string | undefined) => (sign ? SIGNS.indexOf(sign) : undefined);

/** The pictures that a text mentions, in their order. */
export const mentionedIn = (text: string): number[] => [
	...new Set([...text.matchAll(SIGN)].map(([sign]) => SIGNS.indexOf(sign))),
];

/** The pictures that a text mentions in their order, then the others. */
export const orderIn = (text: string, count: number): number[] => [
	...new Set([...mentionedIn(text), ...Array.from({ length: count }, (_, index) => index)]),
];
