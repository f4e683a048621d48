import { byte } from './grade.ts';
import { feathered, inverse, oval, stretched } from './masks.ts';
import type { Mask, Picture } from './picture.ts';
import { grow, paletteOf, planesOf, tidied } from './regions.ts';

export type Cutout = {
	/** The subject. */
	mask: Mask;
	/** True when a background was found; otherwise the mask is a soft oval in the middle. */
	found: boolean;
};

/**
 * Tells the subject from the background: what hangs together with the picture's border and has its colours is background.
 * Where that takes almost all or almost nothing, there is no telling, and the subject is taken to be in the middle.
 */
export async function subjectOf(picture: Picture, feather = Math.max(0.6, picture.width / 900)): Promise<Cutout> {
	const planes = await planesOf(picture);
	const edge = border(planes.width, planes.height);
	for (const [step, reach] of [
		[0.05, 0.16],
		[0.07, 0.24],
		[0.035, 0.1],
	] as const) {
		const palette = paletteOf(planes, edge, reach);
		const outside = grow(planes, { seeds: edge, step, reach, palette });
		const share = outside.reduce((sum, value) => sum + value, 0) / 255 / outside.length;
		if (share < 0.2 || share > 0.97) continue;
		const mask = mainParts(await tidied(inverse(outside), planes), planes);
		return { mask: await contour(mask, planes, picture, feather), found: true };
	}
	return { mask: oval(picture, 0.62, 0.5), found: false };
}

/**
 * Pixels of the picture's sides that are likely background: all but the middle of the lower edge, where people and animals
 * are cut off by it.
 */
function border(width: number, height: number): number[] {
	const pixels: number[] = [];
	const corner = Math.floor(width * 0.12);
	for (let x = 0; x < width; x++) pixels.push(x);
	for (let y = 1; y < height; y++) pixels.push(y * width, y * width + width - 1);
	for (let x = 1; x < corner; x++) pixels.push((height - 1) * width + x, height * width - 1 - x);
	return pixels;
}

/**
 * The part that is most likely the subject, with others that come near it: large, and not cut off by the left, right or
 * upper side as hills and trees are.
 */
function mainParts(mask: Mask, { width, height }: { width: number; height: number }): Mask {
	const parts: { pixels: number[]; score: number }[] = [];
	const seen = new Uint8Array(mask.length);
	for (let start = 0; start < mask.length; start++) {
		if (mask[start]! < 128 || seen[start]) continue;
		const pixels = [start];
		seen[start] = 1;
		let sides = 0;
		for (const at of pixels) {
			const x = at % width;
			if (x === 0 || x === width - 1 || at < width) sides++;
			for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
				if (next < 0 || next >= mask.length || seen[next] || mask[next]! < 128) continue;
				seen[next] = 1;
				pixels.push(next);
			}
		}
		parts.push({ pixels, score: pixels.length * (sides > height * 0.02 ? 0.15 : 1) });
	}
	const best = parts.reduce((most, { score }) => Math.max(most, score), 0);
	const kept = new Uint8Array(mask.length);
	for (const { pixels, score } of parts) if (score >= best * 0.2) for (const at of pixels) kept[at] = 255;
	return kept;
}

/** Stretches a cut-out with a smooth outline that lies a little inside, so that no fringe of the background is left. */
async function contour(
	mask: Mask,
	from: { width: number; height: number },
	to: { width: number; height: number },
	feather: number,
): Promise<Mask> {
	if (Math.min(from.width, from.height) < 24) return stretched(mask, from, to);
	const large = await stretched(await feathered(mask, from, 1.4), from, to);
	const gain = Math.max(2, (to.width / from.width) * 2);
	for (let at = 0; at < large.length; at++) large[at] = byte((large[at]! - 150) * gain + 128);
	return feathered(large, to, feather / 2);
}
