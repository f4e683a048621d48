import { blurred, byte, graded, mapped, mixed } from '../grade.ts';
import { clouds, feathered, stretched } from '../masks.ts';
import type { StyleName } from '../operation.ts';
import { drawing, layered, type Picture, resized } from '../picture.ts';
import { grey, harden, kuwahara, lumaOf, outlines, relief, stepped } from './brushes.ts';
import type { Circumstances, Painters } from './painter.ts';
import { cells, dotted, glitched, screened } from './patterns.ts';
import { hatched, pencil } from './pencil.ts';
import { glowing, inverted } from './tones.ts';

type Style = (picture: Picture, amount: number, circumstances: Circumstances) => Picture | Promise<Picture>;

export const styles: Painters<'style'> = {
	style: async (picture, { name, amount }, circumstances) => {
		const scale = STYLE_SIDE / Math.max(picture.width, picture.height);
		if (scale >= 1) return manners[name](picture, amount, circumstances);
		const smaller = await resized(picture, picture.width * scale, picture.height * scale);
		return resized(await manners[name](smaller, amount, circumstances), picture.width, picture.height);
	},
};

/** Strokes and cells are drawn at most at this size and scaled up: no finer than a brush. */
const STYLE_SIDE = 1280;

const manners: Readonly<Record<StyleName, Style>> = {
	sketch: async (picture, amount) => hatched(await pencil(picture, 1.4 * amount), picture),
	blueprint: async (picture) => {
		const lines = mapped(inverted(await pencil(picture, 1.2)), [
			[18, 60, 130],
			[120, 170, 230],
			[244, 250, 255],
		]);
		const unit = Math.min(picture.width, picture.height) / 20;
		const path = [
			...Array.from({ length: Math.ceil(picture.width / unit) }, (_, index) => `M${index * unit} 0V${picture.height}`),
			...Array.from({ length: Math.ceil(picture.height / unit) }, (_, index) => `M0 ${index * unit}H${picture.width}`),
		].join('');
		const grid = await drawing(picture.width, picture.height, `<path d="${path}" stroke="rgba(200,225,255,.22)"/>`);
		return layered(lines, [{ picture: grid }]);
	},
	edges: async (picture, amount) =>
		grey(
			picture,
			(await outlines(picture, 2.2 * amount)).map((value) => 255 - value),
		),
	neon: async (picture, amount) => {
		const thin = await outlines(await blurred(picture, 0.8), 2.6 * amount);
		const tube = (await feathered(thin, picture, Math.max(0.8, Math.max(picture.width, picture.height) / 800))).map(
			(value) => byte(value * 2.2),
		);
		const vivid = graded(picture, { saturation: 3, brightness: 1.7, gamma: 0.45 });
		const dark = graded(picture, { brightness: 0.1, saturation: 0.8, shadows: [44, 10, 110], toning: 0.6 });
		return glowing(await glowing(mixed(dark, vivid, tube), 1.3), 1.3);
	},
	oil: async (picture, amount, { random }) => {
		const longer = Math.max(picture.width, picture.height);
		const painted = kuwahara(
			graded(picture, { saturation: 1.22, contrast: 1.1 }),
			Math.max(2, Math.round((longer / 190) * amount)),
		);
		// The brush leaves furrows: noise drawn out along a slant, lit from the side.
		const furrows = await clouds({ width: Math.ceil(picture.width / 5), height: picture.height }, random, 0.012);
		const drawn = await stretched(furrows, { width: Math.ceil(picture.width / 5), height: picture.height }, picture);
		return relief(relief(painted, 0.5), 0.55 * Math.min(1.4, amount), grey(painted, drawn));
	},
	watercolour: async (picture, _, { random }) => {
		const size = Math.max(2, Math.round(Math.max(picture.width, picture.height) / 170));
		const flat = kuwahara(graded(picture, { brightness: 1.12, gamma: 0.82, saturation: 1.15, fade: 0.2 }), size);
		const washed = await blurred(flat, 0.8);
		const rims = await outlines(flat, 0.9);
		const pigment = graded(washed, { brightness: 0.72, saturation: 1.2 }, 0.8, rims);
		const paper = await clouds(picture, random, 0.02);
		const blots = await clouds(picture, random, 0.5);
		const data = new Uint8Array(pigment.data);
		for (let at = 0; at < data.length; at++) {
			if (at % 4 === 3) continue;
			const wash = (blots[at >> 2]! - 128) * 0.13 + (paper[at >> 2]! - 128) * 0.07;
			data[at] = byte(data[at]! + wash);
		}
		return relief({ ...pigment, data }, 0.15);
	},
	cartoon: async (picture, amount) => {
		const flat = kuwahara(picture, Math.max(2, Math.round(Math.max(picture.width, picture.height) / 240)));
		const bands = stepped(graded(flat, { saturation: 1.4, brightness: 1.06 }), 7);
		const lines = await outlines(await blurred(flat, 1), 1.9 * amount);
		return graded(bands, { brightness: 0.1, saturation: 0.8 }, 1, harden(lines));
	},
	comic: async (picture, amount) => {
		const flat = kuwahara(graded(picture, { contrast: 1.3, saturation: 1.35 }), 3);
		const bands = stepped(flat, 5);
		const lines = harden(await outlines(await blurred(flat, 0.8), 2.2 * amount));
		return graded(dotted(bands), { brightness: 0.05, saturation: 0.5 }, 1, lines);
	},
	halftone: async (picture, amount) => {
		const cell = Math.max(3, (Math.max(picture.width, picture.height) / 95) * Math.sqrt(amount));
		return screened(picture, cell);
	},
	emboss: (picture) =>
		relief(
			grey(
				picture,
				lumaOf(picture).map((value) => 110 + value * 0.14),
			),
			3.2,
			picture,
		),
	mosaic: (picture, amount, { random }) => cells(picture, random, cellSize(picture, amount), 0.5),
	'stained glass': async (picture, amount, { random }) => {
		const glass = cells(
			graded(picture, { saturation: 1.6, contrast: 1.2, brightness: 1.1 }),
			random,
			cellSize(picture, 1.6 * amount),
			2.2,
		);
		return glowing(glass, 0.5);
	},
	glitch: (picture, amount, { random }) => glitched(picture, amount, random),
};

function cellSize({ width, height }: Picture, amount: number): number {
	return Math.max(3, (Math.max(width, height) / 46) * amount);
}
