import sharp from 'sharp';
import { type Lab, toLab } from './colours.ts';
import { type Mask, type Picture, pipeline } from './picture.ts';

/** The longer side of the picture that masks are found in; they are stretched to the whole one. */
const WORKING_SIDE = 512;

/** Colours of a scaled-down picture in OKLab, a plane each. */
export type Planes = {
	width: number;
	height: number;
	l: Float32Array;
	a: Float32Array;
	b: Float32Array;
	solid: Uint8Array;
};

export async function planesOf(picture: Picture): Promise<Planes> {
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

type Growth = {
	seeds: Iterable<number>;
	/** Largest step between neighbours, and largest distance from every colour of `palette`. */
	step: number;
	reach: number;
	palette: readonly Lab[];
	/** Rows from the top that may be taken, as a share. */
	depth?: number;
	/** Follows gradients beyond `reach`. */
	gradients?: boolean;
};

/** Takes the pixels that hang together with the seeds by small steps and look like the palette. */
export function grow(planes: Planes, { seeds, step, reach, palette, depth = 1, gradients = false }: Growth): Mask {
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
export function paletteOf({ l, a, b }: Planes, pixels: readonly number[], reach: number): Lab[] {
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

/** Without specks, holes and loose threads. */
export async function tidied(mask: Mask, size: { width: number; height: number }): Promise<Mask> {
	const { width, height } = size;
	if (Math.min(width, height) < 24) return mask;
	const image = sharp(mask, { raw: { width, height, channels: 1 } }).median(5);
	return image.extractChannel(0).raw({ depth: 'uchar' }).toBuffer();
}
