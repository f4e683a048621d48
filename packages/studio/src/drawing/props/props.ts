/** Drawings that stand about in a place: trees, peaks, houses. They are those of subjects, or files of their own in the folders beside this file. */
import { readFileSync } from 'node:fs';
import type { Figure } from '../subjects/figure.ts';
import { type FigureName, figures, readFigure } from '../subjects/figures.ts';
import { type Hex, mix } from '../tools/colour.ts';
import { type Frame, glow } from '../tools/frame.ts';
import { type Light, tonesOf } from '../tools/light.ts';
import { fill, group, line, type Point, round } from '../tools/svg.ts';

/** The drawings by their folders. */
// biome-ignore format: lists of names
const FOLDERS = {
	nature: [
		'bareTree', 'brainCoral', 'coral', 'crag', 'dune', 'isle', 'mesa', 'peak', 'poplar', 'reed', 'snowyPine', 'weed',
	],
	town: ['block', 'front', 'sign', 'slab', 'spire'],
	sky: ['barCloud', 'cloud', 'comet', 'crescent', 'flock', 'lightning', 'moon', 'rainbow', 'tallCloud', 'world'],
	signs: ['banner', 'neonSign', 'paper', 'woodenSign'],
} as const;
export type PropName = FigureName | (typeof FOLDERS)[keyof typeof FOLDERS][number];

const own = new Map<string, Figure>(
	Object.entries(FOLDERS).flatMap(([folder, names]) =>
		names.map((name) => [name, readFigure(readFileSync(new URL(`./${folder}/${name}.svg`, import.meta.url), 'utf8'))]),
	),
);

export type Prop = {
	/** The middle of its foot. */
	at: Point;
	height: number;
	/** In place of what its own shape gives. */
	width?: number | undefined;
	/** 0 (by default) beside the viewer, 1 at the horizon. */
	depth?: number;
	colour?: Hex | undefined;
	accent?: Hex | undefined;
	/** Paints its base, such as a gradient. */
	paint?: string | undefined;
	/** In place of the light of the scene. */
	light?: Light | undefined;
};

/** Draws a prop, its shaded side away from the sun. */
export function prop(
	frame: Frame,
	name: PropName,
	{ at, height, width, depth = 0, colour, accent, paint, light = frame.light }: Prop,
) {
	const figure = own.get(name) ?? figures[name as FigureName];
	const [x, y] = at;
	const side = frame.luminary.at[0] > x ? -1 : 1;
	const tall = height / figure.box[1];
	const wide = (width ? width / figure.box[0] : tall) * side;
	const tone = tonesOf(light, { base: colour ?? figure.colour, accent: accent ?? figure.accent }, depth);
	const drawn = figure.parts.map(([part, path, stroke]) => {
		// By day, windows are dark.
		const colour =
			part === 'base' && paint
				? paint
				: part === 'glow'
					? mix(tone('deep'), tone('glow'), 0.25 + 0.75 * light.lamps)
					: tone(part);
		return stroke ? line(path, colour, stroke) : fill(path, colour);
	});
	const place = `translate(${round(x)} ${round(y)})scale(${wide.toFixed(3)} ${tall.toFixed(3)})translate(${-figure.box[0] / 2} ${-figure.box[1]})`;
	const lamps = light.lamps > 0.5 && depth < 0.7 ? (figure.lights ?? []) : [];
	const lights = lamps.map(([lx, ly, r]) =>
		glow(frame, [x + (lx - figure.box[0] / 2) * wide, y - (figure.box[1] - ly) * tall], r * tall * 2, '#ffdf9a', 0.4),
	);
	return group(drawn.join(''), `transform="${place}"`) + lights.join('');
}
