import sharp from 'sharp';
import { type Lab, toLab } from './colours.ts';
import { byte } from './grade.ts';
import { type Mask, type Picture, pipeline } from './picture.ts';
import type { Random } from './random.ts';

/** The longer side of the picture that masks are found in; they are stretched to the whole one. */
const WORKING_SIDE = 512;

/** Colours of a scaled-down picture in OKLab, a plane each. */
type Planes = { width: number; height: number; l: Float32Array; a: Float32Array; b: Float32Array; solid: Uint8Array };

async function planesOf(picture: Picture): Promise<Planes> {
	const { data, info } = await pipeline(picture)
		.resize({ width: WORKING_SIDE, height: WORKING_SIDE, fit: 'inside', withoutEnlargement: true })
		.raw()
		.toBuffer({ resolveWithObject: true });
	const count = info.width * info.height;
	const planes = { l: new Float32Array(count), a: new Float32Array(count), b: new Float32Array(count) };
	const solid = new Uint8Array(count);
	const lab: Lab = [0, 0, 0];
	for (let at = 0; at < count; at++) {
		toLab(data[at * 4]!, data[at * 4 + 1]!, data[at * 4 + 2]!, lab);
		planes.l[at] = lab[0];
		planes.a[at] = lab[1];
		planes.b[at] = lab[2];
		solid[at] = data[at * 4 + 3]!;
	}
	return { width: info.width, height: info.height, ...planes, solid };
}

/** Stretches a mask to a size and feathers its edge by `feather` pixels. */
export async function stretched(
	mask: Mask,
	from: { width: number; height: number },
	to: { width: number; height: number },
	feather = 0,
): Promise<Mask> {
	const image = sharp(mask, { raw: { width: from.width, height: from.height, channels: 1 } });
	image.resize(to.width, to.height, { fit: 'fill', kernel: 'cubic' });
	const resized = await image.extractChannel(0).raw({ depth: 'uchar' }).toBuffer();
	return feather < 0.3 ? resized : feathered(resized, to, feather);
}

export async function feathered(mask: Mask, size: { width: number; height: number }, radius: number): Promise<Mask> {
	const { width, height } = size;
	const image = sharp(mask, { raw: { width, height, channels: 1 } }).blur(Math.max(0.3, radius));
	return image.extractChannel(0).raw({ depth: 'uchar' }).toBuffer();
}

type Growth = {
	seeds: Iterable<number>;
	/** Largest step between neighbours, and largest distance from every colour of `palette`. */
	step: number;
	reach: number;
	palette: readonly Lab[];
	/** Rows from the top that may be taken, as a share. */
	depth?: number;
	/** Whether gradients are followed beyond `reach`. */
	gradients?: boolean;
};

/** Takes the pixels that hang together with the seeds by small steps and look like the palette. */
function grow(planes: Planes, { seeds, step, reach, palette, depth = 1, gradients = false }: Growth): Mask {
	const { width, height, l, a, b, solid } = planes;
	const taken = new Uint8Array(width * height);
	const queue = new Int32Array(width * height);
	const last = Math.max(1, Math.floor(height * depth));
	let [head, tail] = [0, 0];
	const near = (at: number) =>
		solid[at]! < 128 || palette.some(([pl, pa, pb]) => distance(l[at]! - pl, a[at]! - pa, b[at]! - pb) < reach * reach);
	const visit = (at: number, from: number) => {
		if (taken[at]) return;
		const away = distance(l[at]! - l[from]!, a[at]! - a[from]!, b[at]! - b[from]!);
		// Very small steps are a gradient, which may lead far away from the colours that it began with.
		const gradient = gradients && at !== from && away < 0.00004;
		if (!gradient && !near(at)) return;
		if (away > step * step && solid[at]! >= 128) return;
		taken[at] = 255;
		queue[tail++] = at;
	};
	for (const seed of seeds) visit(seed, seed);
	while (head < tail) {
		const at = queue[head++]!;
		const x = at % width;
		const y = (at - x) / width;
		if (x > 0) visit(at - 1, at);
		if (x < width - 1) visit(at + 1, at);
		if (y > 0) visit(at - width, at);
		if (y < last - 1) visit(at + width, at);
	}
	return taken;
}

/** Squared, with hue counting more than light: shadows and gradients stay together. */
function distance(l: number, a: number, b: number): number {
	return l * l * 0.6 + (a * a + b * b) * 4;
}

/** The few colours that most of these pixels are near to. */
function paletteOf({ l, a, b }: Planes, pixels: readonly number[], reach: number): Lab[] {
	const clusters: { sum: Lab; count: number }[] = [];
	for (const at of pixels) {
		const [x, y, z] = [l[at]!, a[at]!, b[at]!];
		const home = clusters.find(({ sum, count }) => {
			return distance(sum[0] / count - x, sum[1] / count - y, sum[2] / count - z) < (reach * reach) / 2;
		});
		if (home) {
			home.count++;
			home.sum = [home.sum[0] + x, home.sum[1] + y, home.sum[2] + z];
		} else if (clusters.length < 24) clusters.push({ sum: [x, y, z], count: 1 });
	}
	return clusters
		.sort((one, other) => other.count - one.count)
		.filter(({ count }, index) => index < 6 && count > pixels.length * 0.04)
		.map(({ sum, count }) => [sum[0] / count, sum[1] / count, sum[2] / count]);
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

export type Cutout = {
	/** The subject. */
	mask: Mask;
	/** Whether a background was found; else the mask is a soft oval in the middle. */
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
	const best = Math.max(...parts.map(({ score }) => score), 0);
	const kept = new Uint8Array(mask.length);
	for (const { pixels, score } of parts) if (score >= best * 0.2) for (const at of pixels) kept[at] = 255;
	return kept;
}

/** Without specks, holes and loose threads. */
async function tidied(mask: Mask, size: { width: number; height: number }): Promise<Mask> {
	const { width, height } = size;
	if (Math.min(width, height) < 24) return mask;
	const image = sharp(mask, { raw: { width, height, channels: 1 } }).median(5);
	return image.extractChannel(0).raw({ depth: 'uchar' }).toBuffer();
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

/** An oval about the middle: full inside `inner`, gone outside, in shares of the half sides; `softness` 0–1. */
export function oval({ width, height }: { width: number; height: number }, size: number, softness: number): Mask {
	const mask = new Uint8Array(width * height);
	for (let y = 0; y < height; y++) {
		const dy = ((y + 0.5) / height) * 2 - 1;
		for (let x = 0; x < width; x++) {
			const dx = ((x + 0.5) / width) * 2 - 1;
			const away = (Math.sqrt(dx * dx + dy * dy) - size) / Math.max(0.001, softness);
			mask[y * width + x] = away <= 0 ? 255 : away >= 1 ? 0 : 255 * (1 - away * away * (3 - 2 * away));
		}
	}
	return mask;
}

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

/** A mask from a function of place, both axes 0–1; its value is cut to 0–1 and eased. */
export function fade(size: { width: number; height: number }, share: (x: number, y: number) => number): Mask {
	const mask = new Uint8Array(size.width * size.height);
	for (let y = 0; y < size.height; y++) {
		for (let x = 0; x < size.width; x++) {
			const value = Math.min(1, Math.max(0, share((x + 0.5) / size.width, (y + 0.5) / size.height)));
			mask[y * size.width + x] = 255 * value * value * (3 - 2 * value);
		}
	}
	return mask;
}

/** Cloudy noise: octaves of stretched random fields, spread over 0–255. `scale` is the size of its largest shapes, 0–1. */
export async function clouds(
	{ width, height }: { width: number; height: number },
	random: Random,
	scale = 0.4,
): Promise<Mask> {
	const sum = new Float32Array(width * height);
	const longer = Math.max(width, height);
	for (let octave = 0, weight = 1; octave < 4; octave++, weight /= 2) {
		const cell = scale * longer * 0.5 ** octave;
		const size = { width: Math.max(2, Math.ceil(width / cell) + 1), height: Math.max(2, Math.ceil(height / cell) + 1) };
		const field = Uint8Array.from({ length: size.width * size.height }, () => random() * 256);
		const layer = await stretched(field, size, { width, height });
		for (let at = 0; at < sum.length; at++) sum[at]! += layer[at]! * weight;
	}
	const mask = new Uint8Array(sum.length);
	for (let at = 0; at < mask.length; at++) mask[at] = byte((sum[at]! / 1.875 - 127.5) * 1.7 + 127.5);
	return mask;
}

/** The picture with its alpha multiplied by a mask. */
export function masked(picture: Picture, mask: Mask): Picture {
	const data = new Uint8Array(picture.data);
	for (let at = 3; at < data.length; at += 4) data[at] = (data[at]! * mask[at >> 2]! + 127) / 255;
	return { ...picture, data };
}

export function inverse(mask: Mask): Mask {
	return mask.map((value) => 255 - value);
}
