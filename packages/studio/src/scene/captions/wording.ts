/** Names in English: articles, plurals, lists, and subjects with their count, size and colour. */
import { figures, isPerson } from '../../drawing/subjects/figures.ts';
import type { Hex, Subject } from '../scene.ts';
import captions from './captions.json' with { type: 'json' };

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

const IRREGULAR: Readonly<Record<string, string>> = captions.plurals;

/** Names that stay as they are: "glasses" are one thing. */
const PLURAL_ALREADY =
	/(?:glasses|fries|noodles|pancakes|flames|shades|binoculars|goggles|spectacles|berries|people|books|keys|ruins|bones|cattle|clothes|boots|shoes)$/;

/** Bread is no one thing, and a bowl of it is. */
const UNCOUNTABLE = new RegExp(`(?:^|(?<! of) )(?:${captions.uncountable})$`);

function asPlural(name: string): string {
	const [, before = '', word = name] = /^(.*?)((?<!\S)\S+)$/.exec(name) ?? [];
	if (PLURAL_ALREADY.test(word)) return name;
	if (IRREGULAR[word]) return before + IRREGULAR[word];
	if (/man$/.test(word) && word !== 'human') return name.replace(/man$/, 'men');
	if (/[^aeiou]y$/.test(word)) return name.replace(/y$/, 'ies');
	return name + (/(?:s|x|z|ch|sh)$/.test(word) ? 'es' : 's');
}

export function withArticle(name: string): string {
	if (PLURAL_ALREADY.test(name)) return name;
	if (UNCOUNTABLE.test(name)) return `some ${name}`;
	return `${/^(?:[aeio]|u(?!ni|fo|kul|ten))/i.test(name) && !/^one\b/i.test(name) ? 'an' : 'a'} ${name}`;
}

function counted(name: string, count: number): string {
	return count > 1 ? `${NUMBERS[count] ?? count} ${asPlural(name)}` : withArticle(name);
}

/** Fills in a template of the table of captions. */
export const filled = (template: string, values: Readonly<Record<string, unknown>>) =>
	template.replace(/\{(\w+)\}/gu, (_, name: string) => String(values[name]));

/** Shortens a text to at most so many characters. */
export const clipped = (text: string, most: number) =>
	text.length > most
		? `${text
				.slice(0, most - 1)
				.toWellFormed()
				.trimEnd()}…`
		: text;

export function list(words: readonly string[]): string {
	if (words.length < 2) return words[0] ?? '';
	return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Returns a subject with its count, size, colour and article: "three big red apples". */
export function subjectPhrase(subject: Subject): string {
	const side =
		subject.side === undefined ? '' : subject.side === 'centre' ? ' in the centre' : ` on the ${subject.side}`;
	const worn = subject.accent ?? (isInColour(subject) ? subject.colour : undefined);
	const accent =
		(subject.hair ? ` with ${colourName(subject.hair)} hair` : '') + (worn ? ` in ${colourName(worn)}` : '');
	return counted(nameOf(subject), subject.count) + accent + side;
}

/** The colour of a person is the one of their clothes. */
const isInColour = (subject: Subject) => isPerson(subject.figure) && !namesColour(subject.name);

/** Returns the name of a subject with its size and colour. */
export function nameOf(subject: Subject): string {
	const { name, colour, scale, aloft, figure } = subject;
	const size = scale >= 1.6 ? 'huge' : scale >= 1.25 ? 'big' : scale <= 0.5 ? 'tiny' : scale <= 0.8 ? 'small' : '';
	const sized = /\b(?:huge|big|tiny|small|giant|large|little)\b/.test(name);
	return [
		aloft && figures[figure].habitat !== 'sky' && figure !== 'songbird' && !/fl(?:y|oat)ing/.test(name) && 'flying',
		!sized && size,
		colour && !isInColour(subject) && !namesColour(name) && colourName(colour),
		name,
	]
		.filter(Boolean)
		.join(' ');
}

/** Returns the name of a subject with "the": "the three foxes". */
export function theSubject({ name, count }: Pick<Subject, 'name' | 'count'>): string {
	return `the ${count > 1 ? asPlural(name) : name}`;
}

/** Plain names of colours; several shades may share one. */
const NAMES = Object.entries(captions.colours) as [name: string, shades: Hex[]][];

const channels = (hex: Hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** Returns the name of the nearest plain colour. */
export function colourName(hex: Hex): string {
	const [red = 0, green = 0, blue = 0] = channels(hex);
	let best = { name: '', distance: Number.POSITIVE_INFINITY };
	for (const [name, shades] of NAMES) {
		for (const shade of shades) {
			const [r = 0, g = 0, b = 0] = channels(shade);
			// Weighted roughly as eyes do. https://www.compuphase.com/cmetric.htm
			const distance = 2 * (red - r) ** 2 + 4 * (green - g) ** 2 + 3 * (blue - b) ** 2;
			if (distance < best.distance) best = { name, distance };
		}
	}
	return best.name;
}

/** Words that name a colour or shade in a noun phrase, so that "black cat" need not be called black again. */
const COLOUR_WORD = new RegExp(
	`\\b(?:${NAMES.map(([name]) => name).join('|')}|gray|gold|crimson|scarlet|violet|cream|ginger|snowy|dark|light|pale|bright|deep)\\b`,
	'i',
);

const namesColour = (phrase: string) => COLOUR_WORD.test(phrase);

/** Returns a noun phrase without its colours: "black cat" becomes "cat". */
export function withoutColour(phrase: string): string {
	return phrase.replace(new RegExp(`${COLOUR_WORD.source}\\s+(?=\\S)(?!retriever)`, 'gi'), '');
}
