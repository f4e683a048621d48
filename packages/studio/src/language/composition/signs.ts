import { words } from '../instruction/patterns.ts';

/** Stand for "image 1", "image 2", "image 3" in the text of a composition. */
export const SIGNS = '①②③';
export const SIGN = /[①②③]/gu;

const NOUN = '(?:image|picture|photo|pic|img|reference|figure|photograph)';
const ORDINAL = '(first|1st|second|2nd|other|third|3rd|last)';
/** "Image 1", "the first picture", "photo one", "the last one". */
const MENTION = words(
	`(?:the )?(?:${NOUN}s?\\s*(?:no\\.?|number|nr\\.?|#)?\\s*(\\d{1,2}|one|two|three|a(?! \\p{L})|b|c)|${ORDINAL} (?:${NOUN}|one)|${NOUN} ${ORDINAL})(?:'s)?`,
);
const NUMBERS = ['', 'first 1st one a', 'second 2nd other two b', 'third 3rd three c'].map((names) => names.split(' '));

/** "Image 1's red fox" is "red fox of image 1". */
const POSSESSIVE = new RegExp(
	`(?:the )?(?<image>${NOUN} (?:\\d|one|two|three)|(?:first|second|third) ${NOUN})'s (?<thing>(?:(?!(?:on|in|into|onto|under|and|with|to|behind|over|next|beside|near|from|of|above|below|sitting|standing|riding|flying)\\b)\\p{L}+(?: |$|(?=[,.;]))){1,3})`,
	'gu',
);

/** Writes ① for "image 1", "the first picture", "photo one"; references to pictures that are not there go. */
export function withSigns(text: string, count: number): string {
	const numberOf = (name: string) => {
		const named = NUMBERS.findIndex((names) => names.includes(name));
		return name === 'last' ? count : named > 0 ? named : Number(name);
	};
	const signOf = (number: number) => (number >= 1 && number <= count ? ` ${SIGNS[number - 1]} ` : ' ');
	return text
		.replace(SIGN, ' ')
		.replace(POSSESSIVE, (_, image: string, thing: string) => `the ${thing.trim()} of ${image} `)
		.replace(MENTION, (_, ...names: string[]) => signOf(numberOf(names.find(Boolean) ?? '')))
		.replace(/\s+/gu, ' ')
		.trim();
}

export const indexOf = (sign: string | undefined) => (sign ? SIGNS.indexOf(sign) : undefined);

/** The pictures that a text mentions, in their order. */
export const mentionedIn = (text: string): number[] => [
	...new Set(Array.from(text.matchAll(SIGN), ([sign]) => SIGNS.indexOf(sign))),
];

/** The pictures that a text mentions in their order, then the others. */
export const orderIn = (text: string, count: number): number[] => [
	...new Set([...mentionedIn(text), ...Array(count).keys()]),
];
