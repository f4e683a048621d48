import { blurred, graded, mixed } from '../grade.ts';
import { fade, feathered, inverse, masked, oval } from '../masks.ts';
import { layered, type Mask, type Picture, pipeline, settle } from '../picture.ts';
import { subjectOf } from '../subject.ts';
import type { Circumstances, Painters } from './painter.ts';

export const focus: Painters<'blur' | 'sharpen' | 'denoise' | 'pixelate'> = {
	blur: async (picture, { where, amount }, circumstances) => {
		const longer = Math.max(picture.width, picture.height);
		if (where === 'motion') return motion(picture, longer * 0.035 * amount);
		const soft = await blurred(picture, Math.max(0.6, longer * (where === 'everything' ? 0.008 : 0.014) * amount));
		if (where === 'everything') return soft;
		if (where === 'background') {
			const subject = await inFocus(picture, circumstances);
			// What lies behind is blurred without the subject, or its colours would make a halo.
			const behind = await layered(soft, [
				{ picture: await blurred(masked(picture, inverse(subject)), longer * 0.014 * amount) },
			]);
			return mixed(behind, picture, subject);
		}
		const away = fade(picture, (_, y) => (Math.abs(y - 0.62) - 0.13) / 0.26);
		return graded(mixed(picture, soft, away), { saturation: 1.35, contrast: 1.15 });
	},
	sharpen: async (picture, { amount }) => {
		const sigma = Math.max(0.8, Math.max(picture.width, picture.height) / 900);
		return settle(pipeline(picture).sharpen({ sigma, m1: 1.2 * amount, m2: 3.2 * amount }));
	},
	denoise: async (picture, { amount }) => {
		if (Math.min(picture.width, picture.height) < 8) return picture;
		const calm = await settle(pipeline(picture).median(amount > 1.3 ? 5 : 3));
		return mixed(picture, calm, undefined, Math.min(1, 0.7 * amount + 0.15));
	},
	pixelate: async (picture, { amount }) => {
		const cell = Math.max(2, (Math.max(picture.width, picture.height) / 64) * amount);
		const [width, height] = [Math.ceil(picture.width / cell), Math.ceil(picture.height / cell)];
		const small = await settle(pipeline(picture).resize(width, height, { fit: 'fill', kernel: 'linear' }));
		return settle(pipeline(small).resize(picture.width, picture.height, { fit: 'fill', kernel: 'nearest' }));
	},
};

/** Returns the mask of the sharp area: the subject, with the middle of the picture; its very edge when `sharp`, else more softly. */
async function inFocus(picture: Picture, { sharp }: Circumstances): Promise<Mask> {
	const { mask, found } = await subjectOf(picture);
	if (!found) return oval(picture, sharp ? 0.4 : 0.3, 0.5);
	return sharp ? mask : feathered(mask, picture, Math.max(0.5, picture.width / 250));
}

/** Smeared sideways: the mean of copies moved along a line. */
async function motion(picture: Picture, length: number): Promise<Picture> {
	const size = Math.min(61, Math.max(3, Math.round(length) | 1));
	if (Math.min(picture.width, picture.height) <= size) return blurred(picture, size / 4);
	const blank = Array<number>(size).fill(0);
	const row = Array<number>(size).fill(1);
	return settle(
		pipeline(picture).convolve({ width: size, height: 3, kernel: [...blank, ...row, ...blank], scale: size }),
	);
}
