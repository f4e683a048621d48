import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Hex } from '../tools/colour.ts';
import { fill, line, type Point } from '../tools/svg.ts';
import folders from './figures.json' with { type: 'json' };

export type FigureName = keyof typeof folders;

const names = Object.keys(folders) as FigureName[];

/** The names of the drawings in a folder. */
export const figuresIn = (folder: string): FigureName[] => names.filter((name) => folders[name] === folder);

/** Things that a person could carry, which are small beside people, animals and houses. */
export const isSmall = (name: FigureName): boolean => /^(?:food|things|treasures)$/.test(folders[name]);

/** Tells whether all of these, but for what is in others, are small: flowers in a vase on a table. */
export const isAllSmall = (subjects: readonly { figure: FigureName; relation?: { kind: string } | undefined }[]) =>
	subjects.every(({ figure, relation }) => isSmall(figure) || relation?.kind === 'in');

/** A snowman wears its colour as animals do. */
export const isPerson = (name: FigureName): boolean => folders[name] === 'people' && name !== 'snowman';

/** Every subject that has a drawing, by the name that the vocabulary uses. */
export const figures = readDrawings(import.meta.dirname) as Readonly<Record<FigureName, Figure>>;

/** What a drawing has that people name beside it: the carrot of a snowman. */
export const shows = (name: FigureName): readonly string[] => figures[name].shows?.split(', ') ?? [];

/** Returns the drawings in the folders of a directory by name. Each is a file that any editor of SVG opens. */
export function readDrawings(directory: string): Readonly<Record<string, Figure>> {
	const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.svg'));
	const read = (path: string) => readFigure(readFileSync(join(directory, path), 'utf8'));
	return Object.fromEntries(files.map((path) => [basename(path, '.svg'), read(path)]));
}

/**
 * Reads a drawing. The `data-` attributes of its root are those of `Figure`, lists as numbers between spaces, and the box is its `viewBox`.
 * The class of a path is its tone; the colours beside it are for editors. A path without a class keeps its colour.
 */
function readFigure(svg: string): Figure {
	const root = attributesOf(/<svg ([^<>]*)>/.exec(svg)?.[1] ?? '');
	const data = [...root].filter(([name]) => name.startsWith('data-')).map(([name, text]) => [name.slice(5), text]);
	return {
		box: numbersOf(root.get('viewBox') ?? '').slice(2),
		parts: Array.from(svg.matchAll(/<path ([^<>]*)\/>/g), ([, attributes = '']) => partOf(attributesOf(attributes))),
		...Object.fromEntries(data.map(([name = '', text = '']) => [name, propertyOf(name, text)])),
	} as unknown as Figure;
}

function numbersOf(text: string): number[] {
	return text.split(' ').map(Number);
}

function propertyOf(name: string, text: string): unknown {
	if (name === 'lights') return text.split(', ').map(numbersOf);
	if (text === 'true') return true;
	const numbers = numbersOf(text);
	return numbers.some(Number.isNaN) ? text : numbers.length > 1 ? numbers : numbers[0];
}

function partOf(path: ReadonlyMap<string, string>): Part {
	const tone = (path.get('class') ?? path.get('stroke') ?? path.get('fill')) as Tone;
	const stroke = path.get('stroke-width');
	const d = path.get('d') ?? '';
	return stroke === undefined ? [tone, d] : [tone, d, Number(stroke)];
}

function attributesOf(text: string): ReadonlyMap<string, string> {
	return new Map(
		Array.from(text.matchAll(/(?<![a-z-])([a-z-]+)="([^"]*)"/gi), ([, name = '', value = '']) => [name, value]),
	);
}

/**
 * What a part of a drawing is painted with. `base` is the colour that may be changed, `shade`, `deep`, `light` and `pale` follow it;
 * `accent` is the second colour with a shade of its own; `glow` shines by itself; `skin` and `hair` differ from picture to picture; a hex
 * colour stays what it is but for the light of the scene.
 */
export type Tone =
	| 'base'
	| 'shade'
	| 'deep'
	| 'light'
	| 'pale'
	| 'accent'
	| 'accentShade'
	| 'ink'
	| 'white'
	| 'glow'
	| 'skin'
	| 'hair'
	| Hex;

/** With a third member the path is a stroke of that width. */
export type Part = readonly [tone: Tone, path: string, stroke?: number];

/** Habitat: standing, flying, floating at the surface, under water, or wherever there is room. */
export type Habitat = 'ground' | 'sky' | 'water' | 'deep';

export interface Figure {
	readonly box: Point;
	readonly colour: Hex;
	readonly accent?: Hex;
	/** Height beside a picture's short side, standing in front. */
	readonly share: number;
	readonly habitat?: Habitat;
	/** Drawn facing right unless it looks at the viewer. */
	readonly parts: readonly Part[];
	/** Positions of a rider, a hat and a held thing, in the box. */
	readonly seat?: Point;
	/** A rider sits in front of it, not astride. */
	readonly perch?: boolean;
	readonly head?: Point;
	readonly hands?: Point;
	/** The point where it is held, and its height relative to its holder's; by default its middle, and 0.36. */
	readonly held?: readonly [x: number, y: number, size: number];
	/** Lamps: x, y, radius. */
	readonly lights?: readonly (readonly [number, number, number])[];
	/** For what floats: the share of its height that is under water. */
	readonly draught?: number;
	/**
	 * Its height, and how far below the top of the head it is worn, as shares of the height of a person who wears it; by animals that sit it
	 * is worn larger and lower by the other two, or else by 1.5 and 1.2.
	 */
	readonly worn?: readonly [size: number, below: number, larger?: number, lower?: number];
	/** Holds riders inside: how many of its last parts are drawn over them, and their width as a share of its own. */
	readonly hull?: readonly [parts: number, wide: number];
	/** Its parts behind the hull are what it holds when nothing else is in it. */
	readonly contents?: boolean;
	/** A person, whose `base` is the colour of clothes. */
	readonly clothed?: boolean;
	/** What it has that people name beside it, parted by commas. */
	readonly shows?: string;
	/** Set back behind animals and people, as houses are. */
	readonly backdrop?: boolean;
}

/** Draws the parts of a figure, each with the paint of its tone. */
export const painted = (parts: readonly Part[], paintOf: (tone: Tone) => string): string =>
	parts
		.map(([tone, path, stroke]) => (stroke ? line(path, paintOf(tone), stroke) : fill(path, paintOf(tone))))
		.join('');
