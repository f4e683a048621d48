import sharp from 'sharp';
import { byte } from './grade.ts';
import type { Mask, Picture } from './picture.ts';
import type { Random } from './random.ts';

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
