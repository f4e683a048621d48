import { readFileSync } from 'node:fs';
import type { Hex } from '../tools/colour.ts';
import type { Point } from '../tools/svg.ts';
import type { Figure, Habitat, Part, Tone } from './figure.ts';
import folders from './figures.json' with { type: 'json' };

export type FigureName = keyof typeof folders;

const names = Object.keys(folders) as FigureName[];

/** The names of the drawings in a folder. */
export const figuresIn = (folder: string): FigureName[] => names.filter((name) => folders[name] === folder);

/** Things that a person could carry, which are small beside people, animals and houses. */
export const isSmall = (name: FigureName): boolean => /^(?:food|things|treasures)$/.test(folders[name]);

/** Every subject that has a drawing, by the name that the vocabulary uses. Each is a file that any editor of SVG opens; see `readFigure`. */
export const figures = Object.fromEntries(
	names.map((name) => [
		name,
		readFigure(readFileSync(new URL(`./${folders[name]}/${name}.svg`, import.meta.url), 'utf8')),
	]),
) as Readonly<Record<FigureName, Figure>>;

/**
 * Reads a drawing. The attributes of its root are those of `Figure`: points and lists as numbers between spaces, the box as `viewBox`.
 * The class of a path is its tone; the colours beside it are for editors. A path without a class keeps its colour.
 */
export function readFigure(svg: string): Figure {
	const root = attributesOf(/<svg ([^<>]*)>/.exec(svg)?.[1] ?? '');
	const numbers = (name: string) => root.get(name)?.split(/[ ,]+/).map(Number);
	const point = (name: string): Point | undefined => numbers(name) as Point | undefined;
	const [gripX = 0, gripY = 0, size = 0] = numbers('data-held') ?? [];
	const [wornSize = 0, below = 0] = numbers('data-worn') ?? [];
	const [hullParts = 0, wide = 0] = numbers('data-hull') ?? [];
	const optional = {
		accent: root.get('data-accent') as Hex | undefined,
		habitat: root.get('data-habitat') as Habitat | undefined,
		seat: point('data-seat'),
		head: point('data-head'),
		hands: point('data-hands'),
		perch: root.has('data-perch') || undefined,
		clothed: root.has('data-clothed') || undefined,
		backdrop: root.has('data-backdrop') || undefined,
		draught: numbers('data-draught')?.[0],
		worn: root.has('data-worn') ? { size: wornSize, below } : undefined,
		held: root.has('data-held') ? { grip: [gripX, gripY] as Point, size } : undefined,
		hull: root.has('data-hull') ? { parts: hullParts, wide } : undefined,
		lights: root
			.get('data-lights')
			?.split(', ')
			.map((light) => light.split(' ').map(Number) as [number, number, number]),
	};
	const [, , width = 0, height = 0] = numbers('viewBox') ?? [];
	return {
		box: [width, height],
		colour: root.get('data-colour') as Hex,
		share: numbers('data-share')?.[0] ?? 0,
		parts: Array.from(svg.matchAll(/<path ([^<>]*)\/>/g), ([, attributes = '']) => partOf(attributesOf(attributes))),
		...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
	};
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
