import type { Scene } from '../../scene/scene.ts';
import { type Hex, mix } from './colour.ts';
import { type Light, lit } from './light.ts';
import type { Random } from './random.ts';
import { type Definitions, disc, fill, type Point, round, stop, through } from './svg.ts';

/**
 * The drawing surface that all drawing functions take. The short side of the picture is 1000 units, whatever its pixels.
 */
export interface Frame {
	readonly width: number;
	readonly height: number;
	readonly horizon: number;
	readonly scene: Scene;
	readonly light: Light;
	readonly random: Random;
	readonly definitions: Definitions;
	readonly luminary: { readonly at: Point; readonly radius: number };
}

/** A place, as the parts between which the actors stand. */
export interface Land {
	readonly back: string;
	readonly front?: string;
	/** Returns the y of the ground at `x`; `depth` 0 is the front, 1 the back. */
	footing(x: number, depth: number): number;
	/** The surface on which boats float and which mirrors what stands at it. */
	readonly water?: number;
	/** Draws what anything needs to stand on where there is no ground: a rock in the sea, `wide` to both sides. */
	stand?(x: number, y: number, wide: number): string;
	/** A table or worktop: large figures stand behind it at the height `behind`, small things on it. */
	readonly counter?: { readonly drawing: string; readonly behind: number };
	/** The colour of shadows on the ground. */
	readonly shadow: Hex;
}

export type Ridge = (x: number) => number;

/** A gentle line of hills about `y`, swinging by `swing`, with bumps about `length` wide. */
export function hills(random: Random, y: number, swing: number, length = 700): Ridge {
	const waves = [1, 0.47, 0.21].map((part) => ({
		part,
		pace: (Math.PI * 2) / (length * part * random.between(0.8, 1.3)),
		phase: random.between(0, 7),
	}));
	return (x) => waves.reduce((sum, { part, pace, phase }) => sum + Math.sin(x * pace + phase) * swing * part * 0.6, y);
}

/** The ground under a ridge, down to `bottom`. */
export function ground(frame: Frame, ridge: Ridge, paint: string, bottom = frame.height): string {
	const step = Math.max(40, frame.width / 60);
	const points: Point[] = [];
	for (let x = -step; x <= frame.width + step; x += step) points.push([x, ridge(x)]);
	const [first, last] = [points[0]!, points.at(-1)!];
	const edge = `M${round(first[0])} ${round(bottom + 10)}L${round(first[0])} ${round(first[1])}`;
	return fill(`${edge}${through(points)}L${round(last[0])} ${round(bottom + 10)}Z`, paint);
}

/** A surface that is itself at its upper edge and dissolves into the air below it, as layered hills do. */
export function misty(frame: Frame, colour: Hex, depth: number, mist = 0.55): string {
	const top = lit(frame.light, colour, depth);
	return frame.definitions.linear([
		stop(0, top),
		stop(0.5, mix(top, frame.light.haze, mist * 0.45)),
		stop(1, mix(top, frame.light.haze, mist)),
	]);
}

/**
 * Returns a paint from a lighter tone at the top to a darker one at the bottom.
 *
 * @param top the colour that the top is mixed with, and its share
 * @param deep the share of the darkness at the bottom
 * @param at where the colour itself is, as a share of the way down
 */
export function shaded(
	{ definitions, light }: Frame,
	colour: Hex,
	top: readonly [Hex, number],
	deep: number,
	at?: number,
): string {
	const middle = at === undefined ? [] : [stop(at, colour)];
	return definitions.linear([stop(0, mix(colour, ...top)), ...middle, stop(1, mix(colour, light.deep, deep))]);
}

/** A soft round light; `strength` is its opacity in the middle. */
export function glow(frame: Frame, at: Point, radius: number, colour: Hex, strength: number): string {
	const paint = frame.definitions.radial([
		stop(0, colour, strength),
		stop(0.35, colour, strength * 0.5),
		stop(0.7, colour, strength * 0.13),
		stop(1, colour, 0),
	]);
	return fill(disc(at[0], at[1], radius), paint);
}

/** Shapes at random places between two heights, as one path; `down` grows from 0 at the upper to 1 at the lower one. */
export function scattered(
	{ width }: Pick<Frame, 'width'>,
	random: Random,
	count: number,
	[from, to]: readonly [number, number],
	shape: (x: number, y: number, down: number) => string,
): string {
	return Array.from({ length: Math.round(count * Math.max(1, width / 1000)) }, () => {
		const down = random.next();
		return shape(random.between(-0.04, 1.04) * width, from + down * (to - from), down);
	}).join('');
}
