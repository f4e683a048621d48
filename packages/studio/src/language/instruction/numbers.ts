/** The words for each number, from one on. */
const WORDS = [
	'a an one ein eine einen un une una',
	'two zwei deux dos',
	'three drei trois tres',
	'four vier quatre cuatro',
	'five fünf cinq cinco',
	...'six seven eight nine ten eleven twelve'.split(' '),
];
const NUMBERS = new Map(WORDS.flatMap((words, index) => words.split(' ').map((word) => [word, index + 1] as const)));

/** Matches a number in words or digits, as the group `number`. */
export const NUMBER = `(?<number>\\d{1,2}|${[...NUMBERS.keys()].join('|')})`;
export const numberOf = (text: string) => NUMBERS.get(text) ?? Number(text);
