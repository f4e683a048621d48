import { readFileSync } from 'node:fs';
import type { Figure, Part, Tone } from './figure.ts';
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

/** What a drawing has that people name beside it: the carrot of a snowman. */
export const shows = (name: FigureName): readonly string[] => figures[name].shows?.split(', ') ?? [];

/**
 * Reads a drawing. The `data-` attributes of its root are those of `Figure`, lists as numbers between spaces, and the box is its `viewBox`.
 * The class of a path is its tone; the colours beside it are for editors. A path without a class keeps its colour.
 */
export function readFigure(svg: string): Figure {
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
