import { blurred, graded, mixed } from '../grade.ts';
import { feathered, inverse, masked } from '../masks.ts';
import { crop, layered, type Mask, type Picture, plain } from '../picture.ts';
import { subjectOf } from '../subject.ts';
import { alphaOf } from './frames.ts';
import { contentOf } from './geometry.ts';
import type { Painters } from './painter.ts';

export const background: Painters<'background' | 'silhouette' | 'sticker'> = {
	background: async (picture, { to }) => {
		const { mask } = await subjectOf(picture);
		if (to === 'transparent') return masked(picture, mask);
		if (to === 'greyscale') return graded(picture, { saturation: 0 }, 1, inverse(mask));
		if (to === 'dark') return graded(picture, { brightness: 0.35, saturation: 0.8 }, 1, inverse(mask));
		return layered(plain(picture.width, picture.height, to), [{ picture: masked(picture, mask) }]);
	},
	silhouette: async (picture) => {
		const { mask } = await subjectOf(picture);
		const bright = graded(picture, { gamma: 0.8, brightness: 1.1, contrast: 0.8 });
		return mixed(bright, plain(picture.width, picture.height, [10, 10, 16]), mask);
	},
	sticker,
};

/** The subject with a white rim and a soft shadow, on nothing. */
async function sticker(picture: Picture): Promise<Picture> {
	const rim = Math.max(1, Math.max(picture.width, picture.height) / 60);
	const pad = Math.ceil(rim * 2.6);
	const { mask } = await subjectOf(picture);
	const wide = await layered(plain(picture.width + pad * 2, picture.height + pad * 2, [0, 0, 0], 0), [
		{ picture: masked(picture, mask), left: pad, top: pad },
	]);
	const shape = alphaOf(wide);
	const grown = grow(await feathered(shape, wide, rim), 10);
	const shadow = grow(await feathered(shape, wide, rim * 1.3), 3).map((value) => value * 0.4);
	const white = masked(plain(wide.width, wide.height, [255, 255, 255]), grown);
	const dark = masked(plain(wide.width, wide.height, [20, 20, 40]), shadow);
	const result = await layered(await blurred(dark, rim / 3), [{ picture: white }, { picture: wide }]);
	return crop(result, contentOf(result));
}

/** Pulls a blurred edge outwards and makes it hard again. */
function grow(mask: Mask, gain: number): Mask {
	return mask.map((value) => Math.max(0, Math.min(255, (value - 24) * gain)));
}
