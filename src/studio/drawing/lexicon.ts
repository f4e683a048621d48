/** All of the vocabulary as one dictionary, from a word or phrase of up to three words to what it means. */
import type { Hex } from './colour.ts';
import type { FigureName } from './subjects/figures.ts';
import { colours, shades } from './vocabulary/colours.ts';
import { alsoEnglish, languages } from './vocabulary/languages.ts';
import * as settings from './vocabulary/settings.ts';
import { subjects } from './vocabulary/subjects.ts';

export type Place = keyof typeof settings.places;
export type Weather = keyof typeof settings.weathers;
export type Time = keyof typeof settings.times;
export type Season = keyof typeof settings.seasons;
export type Mood = keyof typeof settings.moods;
export type Style = keyof typeof settings.styles;
export type SkyThing = keyof typeof settings.skies;
export type Relation = keyof typeof settings.relations;

/** One word can mean several things: "snowy" is weather and season. */
export interface Meaning {
	readonly subject?: { readonly figure: FigureName; readonly colour?: Hex };
	readonly place?: Place;
	readonly weather?: Weather;
	readonly time?: Time;
	readonly season?: Season;
	readonly mood?: Mood;
	readonly style?: Style;
	readonly sky?: SkyThing;
	readonly relation?: Relation;
	readonly colour?: Hex;
	readonly shade?: { readonly l: number; readonly c: number };
	readonly count?: number;
	readonly size?: number;
}

const dictionary = new Map<string, Meaning>();

function teach(phrase: string, meaning: Meaning): void {
	dictionary.set(phrase, { ...dictionary.get(phrase), ...meaning });
}

function teachAll(table: Readonly<Record<string, string>>, meaning: (key: string) => Meaning): void {
	for (const [key, words] of Object.entries(table)) {
		for (const word of words.split(', ')) teach(word, meaning(key));
	}
}

teachAll(settings.places, (key) => ({ place: key as Place }));
teachAll(settings.weathers, (key) => ({ weather: key as Weather }));
teachAll(settings.times, (key) => ({ time: key as Time }));
teachAll(settings.seasons, (key) => ({ season: key as Season }));
teachAll(settings.moods, (key) => ({ mood: key as Mood }));
teachAll(settings.styles, (key) => ({ style: key as Style }));
teachAll(settings.skies, (key) => ({ sky: key as SkyThing }));
teachAll(settings.relations, (key) => ({ relation: key as Relation }));
teachAll(settings.counts, (key) => ({ count: Number(key) }));
teachAll(settings.sizes, (key) => ({ size: Number(key) }));
for (const [name, colour] of colours) teach(name, { colour });
for (const [name, shade] of Object.entries(shades)) teach(name, { shade });
for (const [figure, words] of Object.entries(subjects)) {
	for (const entry of words.split(', ')) {
		const [, word = entry, colour] = /^(.*?)(?: (#[0-9a-f]{6}))?$/.exec(entry) ?? [];
		teach(word, { subject: { figure: figure as FigureName, ...(colour ? { colour: colour as Hex } : {}) } });
	}
}

const irregular: Readonly<Record<string, string>> = {
	mice: 'mouse',
	geese: 'goose',
	men: 'man',
	women: 'woman',
	children: 'child',
	people: 'person',
	wolves: 'wolf',
	knives: 'knife',
	leaves: 'leaf',
	oxen: 'ox',
	cacti: 'cactus',
	octopi: 'octopus',
	fungi: 'mushroom',
	shelves: 'shelf',
	ladies: 'lady',
};

function singulars(word: string): string[] {
	const known = irregular[word];
	if (known) return [known];
	if (!word.endsWith('s') || word.length < 4) return [];
	return [word.slice(0, -1), word.replace(/es$/, ''), word.replace(/ies$/, 'y'), word.replace(/ves$/, 'f')];
}

export interface Found {
	readonly meaning: Meaning;
	readonly plural: boolean;
}

export function lookUp(phrase: string): Found | undefined {
	const meaning = dictionary.get(phrase);
	if (meaning) return { meaning, plural: false };
	for (const singular of singulars(phrase)) {
		const found = dictionary.get(singular);
		if (found?.subject) return { meaning: found, plural: true };
	}
	return undefined;
}

const foreign = languages.map(({ marks, words }) => ({
	marks: new Set(marks.split(' ')),
	words: new Map(
		words.split(', ').flatMap((entry): [string, string][] => {
			const [english = '', others = english] = entry.split(' ', 2);
			return others.split('/').map((word) => [word, english]);
		}),
	),
}));

/** Replaces words of other languages by English ones: all in the language that the marks give away, unknown ones in any. */
export function translated(words: readonly string[]): string[] {
	const scored = foreign.map((language) => ({
		language,
		score: words.filter((word) => language.marks.has(word)).length,
	}));
	const [first] = scored.sort((a, b) => b.score - a.score);
	const spoken = first && first.score > 0 ? first.language : undefined;
	return words.flatMap((word) => {
		const known = spoken?.words.get(word) ?? (lookUp(word) || alsoEnglish.has(word) ? word : undefined);
		const guess = known ?? foreign.map((language) => language.words.get(word)).find(Boolean) ?? word;
		return guess.split(' ');
	});
}
