import { type FigureName, figures, figuresIn } from '../drawing/subjects/figures.ts';
import { colourName } from './captions/wording.ts';
import generic from './generic.json' with { type: 'json' };
import type { Side } from './names.ts';
import type { Hex, Scene, Subject } from './scene.ts';

/** A subject of a scene as an instruction names it. */
export type Target = {
	/** A noun phrase in English, without article; "it" and "everything" are understood too. */
	name: string;
	figure?: FigureName;
	colour?: Hex | undefined;
	side?: Side | undefined;
};

const CREATURE: ReadonlySet<string> = new Set(
	['people', 'fantasy', 'sitting', 'walking', 'birds', 'swimming'].flatMap(figuresIn),
);

export const isCreature = ({ figure }: Pick<Subject, 'figure'>) => CREATURE.has(figure);

/** Hats, glasses and the like. */
export const isWorn = ({ figure }: Pick<Subject, 'figure'>) => figures[figure].worn !== undefined;

/** Words that stand for several drawings: those of folders, and drawings by name. */
const GENERIC = Object.entries(generic).map(([words, names]) => ({
	word: new RegExp(`^(?:${words})$`),
	figures: new Set(names.split(' ').flatMap((name) => [name, ...figuresIn(name)])),
}));

/** Words for who or what a picture is about. */
const MAIN = /^(?:it|he|she|him|her|this|that|them|they|(?:the |main )?subject|(?:main )?character|object)$/;

const lastWord = (name: string) => name.split(' ').at(-1) ?? name;

/** Returns the subjects that a target means, all that are equally likely; none when there is none. */
export function findSubjects({ subjects }: Pick<Scene, 'subjects'>, target: Target): readonly Subject[] {
	const { figure, colour, side } = target;
	const name = target.name.toLowerCase();
	if (/^(?:everything|all|all subjects|them all)$/.test(name)) return subjects;
	if (MAIN.test(name)) return mainSubjects(subjects);
	const generic = GENERIC.find(({ word }) => word.test(name))?.figures;
	const ways: readonly ((subject: Subject) => boolean | undefined)[] = [
		(subject) => subject.name.toLowerCase() === name,
		(subject) => lastWord(subject.name.toLowerCase()) === lastWord(name),
		(subject) => subject.figure === figure,
		(subject) => generic?.has(subject.figure),
	];
	const found = ways.map((isMeant) => subjects.filter(isMeant)).find((some) => some.length > 0) ?? [];
	// "The red car", "the fox on the left".
	const coloured = narrowed(found, (one) =>
		[one.colour, one.accent].some((own) => own && colour && isAlike(own, colour)),
	);
	return narrowed(coloured, (one) => side && one.side === side);
}

/** Narrows several down to what fits, if any does. */
function narrowed(found: readonly Subject[], fits: (subject: Subject) => unknown): readonly Subject[] {
	const fitting = found.filter(fits);
	return fitting.length > 0 ? fitting : found;
}

const isAlike = (one: Hex, other: Hex) => colourName(one) === colourName(other);

/** Returns who or what a picture is about: the first creature, else the first subject. */
export function mainSubjects(subjects: readonly Subject[]): readonly Subject[] {
	const main = subjects.find(isCreature) ?? subjects[0];
	return main ? [main] : [];
}
