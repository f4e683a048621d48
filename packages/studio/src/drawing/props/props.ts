/** Drawings that stand about in a place: trees, peaks, houses. They are those of subjects, or files of their own in the folders beside this file. */
import { type Figure, figures, painted, readDrawings } from '../subjects/figures.ts';
import { type Hex, mix } from '../tools/colour.ts';
import { type Frame, glow } from '../tools/frame.ts';
import { type Light, tonesOf } from '../tools/light.ts';
import { group, type Point, round } from '../tools/svg.ts';

export type PropName = string;

const drawings: Readonly<Record<string, Figure>> = { ...figures, ...readDrawings(import.meta.dirname) };

/** Returns a drawing of this folder, or of a subject. */
export function propNamed(name: PropName): Figure {
	const figure = drawings[name];
	if (!figure) throw new Error(`No drawing is called ${name}.`);
	return figure;
}

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
	const figure = propNamed(name);
	const [x, y] = at;
	const side = frame.luminary.at[0] > x ? -1 : 1;
	const tall = height / figure.box[1];
	const wide = (width ? width / figure.box[0] : tall) * side;
	const tone = tonesOf(light, { base: colour ?? figure.colour, accent: accent ?? figure.accent }, depth);
	const drawn = painted(figure.parts, (part) => {
		if (part === 'base' && paint) return paint;
		// By day, windows are dark.
		return part === 'glow' ? mix(tone('deep'), tone('glow'), 0.25 + 0.75 * light.lamps) : tone(part);
	});
	const place = `translate(${round(x)} ${round(y)})scale(${wide.toFixed(3)} ${tall.toFixed(3)})translate(${-figure.box[0] / 2} ${-figure.box[1]})`;
	const lamps = light.lamps > 0.5 && depth < 0.7 ? (figure.lights ?? []) : [];
	const lights = lamps.map(([lx, ly, r]) =>
		glow(frame, [x + (lx - figure.box[0] / 2) * wide, y - (figure.box[1] - ly) * tall], r * tall * 2, '#ffdf9a', 0.4),
	);
	return group(drawn, `transform="${place}"`) + lights.join('');
}
