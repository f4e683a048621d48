/** Prompts, edits and compositions, and what is to come of each. */
import type { Layout } from '../src/scene/layout.ts';
import type { Scene, Subject } from '../src/scene/scene.ts';
import compositionTable from './compositions.json' with { type: 'json' };
import editTable from './edits.json' with { type: 'json' };
import promptTable from './prompts.json' with { type: 'json' };
import { sceneOf } from './scene.fixture.ts';

type Prompt = readonly [
	prompt: string,
	/** Its subjects, no more and no fewer, as `brief` writes them; and "girl in #f7d038" for the colour of clothes. */
	subjects: readonly string[],
	/** What the words say of the rest. Weather, sky and texts that are missing here are missing in the scene. */
	scene: Partial<Scene> & Pick<Scene, 'place'>,
	notUnderstood?: readonly string[],
];

export const PROMPTS = promptTable.ordinary as unknown as readonly Prompt[];

/** What people send to such bots, as they write it. */
export const REAL_PROMPTS: readonly string[] = promptTable.real;

/** The pictures of a table, with what it leaves out. */
function picturesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Readonly<Record<Name, Scene>> {
	const entries = Object.entries(table).map(([name, scene]) => [name, sceneOf(scene as Parameters<typeof sceneOf>[0])]);
	return Object.fromEntries(entries);
}

/** The pictures that are edited. */
export const PICTURES = picturesOf(editTable.pictures);

type Edit = readonly [
	picture: keyof typeof PICTURES,
	instruction: string,
	/** The subjects after it, as "3 sheep", "hat worn by fox", "car #d8262c". */
	subjects: readonly string[],
	/** Other parts of the scene after it. */
	scene: Partial<Scene>,
	/** A part of what is said about it. */
	said: string,
];

export const EDITS = editTable.edits as unknown as readonly Edit[];

/** The pictures that are put together. */
export const PARTS = picturesOf(compositionTable.pictures);

type Composition = readonly [
	pictures: readonly (keyof typeof PARTS)[],
	prompt: string,
	/** The subjects of the merged scene, as in the table of edits, and other parts of it; or the layout of the finished pictures. */
	result: { subjects: readonly string[]; scene: Partial<Scene> } | { layout: Partial<Layout> & { layout: string } },
];

export const COMPOSITIONS = compositionTable.compositions as unknown as readonly Composition[];

/** Returns a subject as the tables have it. */
export function brief({ name, count, colour, scale, side, relation }: Subject, { subjects }: Scene): string {
	const to = subjects.find(({ id }) => id === relation?.to);
	return [
		count > 1 && count,
		name.replace(/^(?:black|white) /, ''),
		colour,
		scale !== 1 && `×${scale}`,
		side,
		relation && `${relation.kind} ${to?.name}`,
	]
		.filter(Boolean)
		.join(' ');
}
