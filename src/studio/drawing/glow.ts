import type { Hex } from './colour.ts';
import type { Frame } from './frame.ts';
import { disc, fill, type Point } from './svg.ts';

/** A soft round light; `strength` is its opacity in the middle. */
export function glow(frame: Frame, at: Point, radius: number, colour: Hex, strength: number): string {
	const paint = frame.definitions.radial([
		[0, colour, strength],
		[0.35, colour, strength * 0.5],
		[0.7, colour, strength * 0.13],
		[1, colour, 0],
	]);
	return fill(disc(at[0], at[1], radius), paint);
}
