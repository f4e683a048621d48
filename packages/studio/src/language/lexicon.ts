/** All of the vocabulary as one dictionary, from a word or phrase of up to four words to what it means. */
import type { FigureName } from '../drawing/subjects/figures.ts';
import captions from '../scene/captions/captions.json' with { type: 'json' };
import type { Framing, Mood, Place, Relation, Season, Side, SkyThing, Style, Time, Weather } from '../scene/names.ts';
import type { Hex } from '../scene/scene.ts';
import { colours, ideas, settings, shades, subjects } from './vocabulary/vocabulary.ts';

/** One word can mean several things: "snowy" is weather and season. */
export type Meaning = {
	subject?: { figure: FigureName; colour?: Hex };
	/** Words that say it with what has a drawing. */
	idea?: string;
	/** What is drawn is something else of its kind: a caption names that, and says that this was left out. */
	standsIn?: true;
	clothes?: true;
	place?: Place;
	weather?: Weather;
	time?: Time;
	season?: Season;
	mood?: Mood;
	style?: Style;
	framing?: Framing;
	/** With a colour, that of the hair; without, the colour before it is that. */
	hair?: true;
	sky?: SkyThing;
	relation?: Relation;
	side?: Side;
	aloft?: true;
	negation?: true;
	colour?: Hex;
	shade?: { readonly l: number; readonly c: number };
	count?: number;
	size?: number;
};

/** The most words of a phrase. */
export const MAX_PHRASE = 4;

const dictionary = new Map<string, Meaning>();

/** Yields the words of a list. Those after a semicolon are drawn by something else of their kind. */
function* wordsOf(list: string): Generator<[word: string, more: { standsIn?: true }]> {
	for (const [index, words] of list.split('; ').entries())
		for (const word of words.split(', ').filter(Boolean)) yield [word, index > 0 ? { standsIn: true } : {}];
}

function teach(list: string, meaning: Meaning): void {
	for (const [phrase, more] of wordsOf(list))
		dictionary.set(phrase, { ...dictionary.get(phrase), ...meaning, ...more });
}

for (const [kind, table] of Object.entries(settings.meanings))
	for (const [name, list] of Object.entries<string>(table)) teach(list, { [kind]: name });
for (const [kind, table] of Object.entries(settings.numbers))
	for (const [number, list] of Object.entries<string>(table)) teach(list, { [kind]: Number(number) });
for (const [flag, list] of Object.entries(settings.flags)) teach(list, { [flag]: true });
for (const [colour, list] of Object.entries(settings.hairColours)) teach(list, { hair: true, colour: colour as Hex });
for (const [name, colour] of Object.entries(colours)) teach(name, { colour });
for (const [name, shade] of Object.entries(shades)) teach(name, { shade });
for (const [figure, words] of Object.entries(subjects))
	for (const [entry, more] of wordsOf(words)) {
		const [, word = entry, colour] = /^(.*?)(?: (#[0-9a-f]{6}))?$/.exec(entry) ?? [];
		const subject = { figure: figure as FigureName, ...(colour !== undefined && { colour: colour as Hex }) };
		teach(word, { subject, ...more });
	}
for (const [names, idea] of Object.entries(ideas))
	for (const [name, more] of wordsOf(names)) dictionary.set(name, { idea, ...more });

/** The name of each drawing. */
export const nameOfFigure = (figure: FigureName): string => subjects[figure].split(/[,;]/)[0] ?? figure;

/** Words whose singular has no rule, by their plural. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
	Object.entries(captions.plurals).flatMap(([singular, plural]) => (singular === plural ? [] : [[plural, singular]])),
);

function singularsOf(phrase: string): string[] {
	const start = phrase.slice(0, phrase.lastIndexOf(' ') + 1);
	const word = phrase.slice(start.length);
	const irregular = IRREGULAR.get(word);
	if (irregular) return [start + irregular];
	if (!word.endsWith('s') || word.length < 4) return [];
	const singulars = [word.slice(0, -1), word.replace(/es$/, ''), word.replace(/ies$/, 'y'), word.replace(/ves$/, 'f')];
	return singulars.filter((singular) => singular !== word).map((singular) => start + singular);
}

export type Found = { meaning: Meaning; singular: string; isPlural: boolean };

/** Returns what a phrase means; of a plural, what its singular means, and the singular. */
export function lookUp(phrase: string): Found | undefined {
	const meaning = dictionary.get(phrase);
	// Some plurals are words of the vocabulary, such as "roses".
	const isSame = (other: Meaning | undefined) =>
		other?.subject !== undefined && other.subject.figure === meaning?.subject?.figure;
	const singular = singularsOf(phrase).find((each) =>
		meaning ? isSame(dictionary.get(each)) : (dictionary.get(each)?.subject ?? dictionary.get(each)?.clothes),
	);
	if (singular !== undefined)
		return { meaning: meaning ?? (dictionary.get(singular) as Meaning), singular, isPlural: true };
	return meaning && { meaning, singular: phrase, isPlural: phrase === 'people' };
}
