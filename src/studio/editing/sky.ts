import { fade, feathered, stretched } from './masks.ts';
import type { Mask, Picture } from './picture.ts';
import { grow, paletteOf, planesOf, tidied } from './regions.ts';

/**
 * The sky: what hangs together with the top edge by small steps, has its colours, and lies in the upper part. Where nothing
 * does, a fade from the top, so that stars and sunsets still have a place.
 */
export async function skyOf(picture: Picture): Promise<{ mask: Mask; found: boolean; horizon: number }> {
	const planes = await planesOf(picture);
	const { width, height } = planes;
	const top = Array.from({ length: width }, (_, x) => x);
	const band = top.flatMap((x) => [x, x + width * Math.floor(height * 0.06), x + width * Math.floor(height * 0.18)]);
	const palette = paletteOf(planes, band, 0.22);
	const taken = grow(planes, { seeds: top, step: 0.06, reach: 0.26, palette, depth: 0.88, gradients: true });
	const deepest = skylineOf(taken, planes);
	// Where the sky seems to reach the ground it has leaked into snow, sand or water: no line can be told, only a fade.
	const leaked = deepest > height * 0.68;
	const skyline = leaked ? Math.round(height * 0.56) : deepest;
	const limit = fade(planes, (_, y) => (leaked ? (0.64 - y) / 0.2 : y < skyline / height ? 1 : 0));
	for (let at = 0; at < taken.length; at++) taken[at] = Math.min(taken[at]!, limit[at]!);
	const share = taken.reduce((sum, value) => sum + value, 0) / 255 / taken.length;
	if (share < 0.06 || share > 0.86) {
		const horizon = 0.5;
		const mask = fade(picture, (_, y) => 1 - y / horizon);
		return { mask, found: false, horizon };
	}
	const soft = await feathered(await tidied(taken, planes), planes, 0.8);
	return { mask: await stretched(soft, planes, picture), found: true, horizon: skyline / height };
}

/**
 * The lowest row of the sky. Snow or water of the sky's colours may hang together with it round the trees; but most columns
 * meet something on the way down.
 */
function skylineOf(taken: Mask, { width, height }: { width: number; height: number }): number {
	const gap = Math.max(1, Math.round(height * 0.012));
	const depths = Array.from({ length: width }, (_, x) => {
		let missed = 0;
		for (let y = 0; y < height; y++) {
			missed = taken[y * width + x] ? 0 : missed + 1;
			if (missed > gap) return y - gap;
		}
		return height;
	}).sort((one, other) => one - other);
	return Math.max(1, Math.min(height, Math.round((depths[Math.floor(width * 0.8)] ?? 0) + height * 0.05)));
}
