import type { Hex } from './colour.ts';
import type { Frame } from './frame.ts';
import { disc, fill, type Point, stop } from './svg.ts';

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
