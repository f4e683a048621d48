import type { Scene } from '../../scene/scene.ts';
import type { Hex } from './colour.ts';
import type { Light } from './light.ts';
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
	/** What is between the viewer and all of it: rain, snow. */
	readonly over?: string;
	/** Returns the y of the ground; `depth` 0 is the front, 1 the back. */
	footing(depth: number): number;
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
