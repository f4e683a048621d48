/** All of the vocabulary as one dictionary, from a word or phrase of up to four words to what it means. */
import type { FigureName } from '../drawing/subjects/figures.ts';
import captions from '../scene/captions/captions.json' with { type: 'json' };
import type { Hex } from '../scene/scene.ts';
import colourTable from './vocabulary/colours.json' with { type: 'json' };
import ideas from './vocabulary/ideas.json' with { type: 'json' };
import settings from './vocabulary/settings.json' with { type: 'json' };
import subjectTable from './vocabulary/subjects.json' with { type: 'json' };

/**
 * Words for each subject, parted by commas; a colour after a word is what that one has unless the prompt says otherwise. The first one is the
 * name of the drawing. Here and in the other tables, words after a semicolon are drawn by something else of their kind: a samurai by a knight.
 */
export const subjects: Readonly<Record<FigureName, string>> = subjectTable;

/**
 * Words by what they mean: `meanings` by the name of a setting, `numbers` by how many or how large, `flags` by what they do to the words
 * around them. Commas part the words; a phrase is one word here. A `framing` is a kind of picture, which has its subject in the middle; `hair`
 * is what the colour before it is the colour of, and `hairColours` say both. A `relation` says how the subject before stands to the one after.
 * `clothes` have no drawing of their own: they colour what their wearer wears. A `negation` takes away what follows, `aloft` is in the air what
 * usually is not, and `containers` hold what follows an "of": a vase of roses.
 */
export { settings };

/**
 * Colours by name without spaces; black and white keep some body, so that shading shows. The colour names of CSS Color 4
 * (https://www.w3.org/TR/css-color-4/#named-colors), as people write them, and others.
 */
export const colours = colourTable.named as Readonly<Record<string, Hex>>;

type Meanings = typeof settings.meanings;

/** One word can mean several things: "snowy" is weather and season. */
export type Meaning = { [Kind in keyof Meanings]?: keyof Meanings[Kind] } & {
	subject?: { figure: FigureName; colour?: Hex };
	/** Words that say it with what has a drawing. */
	idea?: string;
	/** What is drawn is something else of its kind: a caption names that, and says that this was left out. */
	standsIn?: true;
	clothes?: true;
	/** With a colour, that of the hair; without, the colour before it is that. */
	hair?: true;
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
// The effect on lightness and chroma of the colour that follows: "dark green", "pale pink".
for (const [name, shade] of Object.entries(colourTable.shades)) teach(name, { shade });
for (const [figure, words] of Object.entries(subjects))
	for (const [entry, more] of wordsOf(words)) {
		const [, word = entry, colour] = /^(.*?)(?: (#[0-9a-f]{6}))?$/.exec(entry) ?? [];
		const subject = { figure: figure as FigureName, ...(colour !== undefined && { colour: colour as Hex }) };
		teach(word, { subject, ...more });
	}
// What people name that has no drawing of its own: places of the world, works of art, activities, feasts. It wins over its parts.
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
