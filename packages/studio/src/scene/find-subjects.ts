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
	const name = target.name.toLowerCase();
	if (/^(?:everything|all|all subjects|them all)$/.test(name)) return subjects;
	if (MAIN.test(name)) return mainSubjects(subjects);
	const generic = GENERIC.find(({ word }) => word.test(name))?.figures;
	const ways: readonly ((subject: Subject) => boolean)[] = [
		(subject) => subject.name.toLowerCase() === name,
		(subject) => lastWord(subject.name.toLowerCase()) === lastWord(name) && sharesColour(subject, target),
		(subject) => lastWord(subject.name.toLowerCase()) === lastWord(name),
		(subject) => subject.figure === target.figure && target.figure !== undefined,
		(subject) => generic?.has(subject.figure) ?? false,
	];
	for (const isMeant of ways) {
		const found = subjects.filter(isMeant);
		if (found.length > 0) return narrowed(found, target);
	}
	return [];
}

/** "The red car", "the fox on the left": narrows several down to what fits, if any does. */
function narrowed(found: readonly Subject[], { colour, side }: Target): readonly Subject[] {
	const coloured = colour ? found.filter((subject) => sharesColour(subject, { name: '', colour })) : [];
	const fitting = coloured.length > 0 ? coloured : found;
	const placed = side ? fitting.filter((subject) => subject.side === side) : [];
	return placed.length > 0 ? placed : fitting;
}

function sharesColour({ colour, accent }: Subject, target: Target): boolean {
	if (!target.colour) return true;
	const name = colourName(target.colour);
	return [colour, accent].some((one) => one !== undefined && colourName(one) === name);
}

/** Returns who or what a picture is about: the first creature, else the first subject. */
export function mainSubjects(subjects: readonly Subject[]): readonly Subject[] {
	const main = subjects.find(isCreature) ?? subjects[0];
	return main ? [main] : [];
}
