import type { Random } from '../drawing/tools/random.ts';
import type { Inset } from '../scene/layout.ts';
import { blurred, stencilled } from './effects.ts';
import { bordered } from './frames.ts';
import { cover, drawing, type Layer, layered, type Picture, pipeline, plain, settle } from './picture.ts';
import { toned } from './tones.ts';

export type Canvas = {
	readonly width: number;
	readonly height: number;
	readonly random: Random;
	/** 0 is the plainest result of a layout. */
	readonly variation: number;
};

/** White-bordered prints, a little turned, on a soft ground in the first one's colours. */
export async function scattered(pictures: readonly Picture[], canvas: Canvas): Promise<Picture> {
	const { width, height, random } = canvas;
	const ground = await blurred(await cover(pictures[0]!, canvas), Math.max(width, height) / 16);
	const side = Math.min(width, height) * (pictures.length < 3 ? 0.54 : 0.46);
	const spots = SPOTS[pictures.length < 3 ? 0 : 1]!;
	const layers: Layer[] = [];
	for (const [index, picture] of pictures.entries()) {
		const [along, across] = spots[index % spots.length]!;
		const [x, y] = width >= height ? [along, across] : [across, along];
		const print = await printOf(picture, side);
		const angle = (index % 2 === canvas.variation % 2 ? -1 : 1) * random.between(2, 8);
		const turned = await settle(pipeline(print).rotate(angle, { background: { r: 0, g: 0, b: 0, alpha: 0 } }));
		const [left, top] = [x * width - turned.width / 2, y * height - turned.height / 2];
		layers.push(await shadow(turned, side * 0.03, left, top), placed(turned, left, top));
	}
	return layered(await toned(ground, { brightness: 0.8, saturation: 0.85 }), layers);
}

const SPOTS = [
	[
		[0.31, 0.35],
		[0.68, 0.64],
	],
	[
		[0.29, 0.29],
		[0.72, 0.4],
		[0.43, 0.72],
	],
] as const;

/** A picture with a white border, close to its own shape; `longer` is the longer side of the picture itself. */
async function printOf(picture: Picture, longer: number): Promise<Picture> {
	const ratio = Math.min(1.5, Math.max(1 / 1.5, picture.width / picture.height));
	const size = ratio >= 1 ? { width: longer, height: longer / ratio } : { width: longer * ratio, height: longer };
	return bordered(await cover(picture, size), '#fcfbf8', Math.max(1, Math.round(longer * 0.035)));
}

export async function insetLayer(picture: Picture, { spot, size, shape }: Inset, canvas: Canvas): Promise<Layer> {
	const shorter = Math.min(canvas.width, canvas.height);
	const longer = shorter * Math.min(0.92, canvas.variation === 0 ? size : size * canvas.random.between(0.75, 1.25));
	if (shape === 'plain') {
		const fitting = await settle(
			pipeline(picture).resize(Math.round(longer * 1.6), Math.round(longer * 1.6), { fit: 'inside' }),
		);
		const left = (canvas.width - fitting.width) * (spot.x === 1 ? 0.6 : spot.x === 0 ? 0.3 : 0.5);
		const top = spot.y === 1 ? canvas.height * 0.94 - fitting.height : (canvas.height - fitting.height) * spot.y;
		return placed(fitting, left, Math.max(0, top));
	}
	const layer = shape === 'circle' ? await disc(picture, longer) : await printOf(picture, longer);
	const margin = shorter * 0.04;
	const left = margin + (canvas.width - layer.width - margin * 2) * spot.x;
	return placed(layer, left, margin + (canvas.height - layer.height - margin * 2) * spot.y);
}

/** A round picture with a white rim. */
async function disc(picture: Picture, diameter: number): Promise<Picture> {
	const square = await cover(picture, { width: diameter, height: diameter });
	const rim = '<circle cx="50%" cy="50%" r="48.5%" fill="none" stroke="#fcfbf8" stroke-width="3%"/>';
	const rimmed = await layered(square, [{ picture: await drawing(square, rim) }]);
	return stencilled(rimmed, '<circle cx="50%" cy="50%" r="50%" fill="#fff"/>');
}

export function placed(picture: Picture, left: number, top = left): Layer {
	return { picture, left, top };
}

/** The soft shadow of a picture that lies at `left`, `top`. */
export async function shadow(picture: Picture, spread: number, left: number, top: number): Promise<Layer> {
	const pad = Math.max(2, Math.round(spread * 2));
	const { width, height } = picture;
	const ground = plain(width + pad * 2, height + pad * 2, [0, 0, 0], 0);
	const black = await settle(pipeline(picture).linear([0, 0, 0, 0.5], [0, 0, 0, 0]));
	const soft = await blurred(await layered(ground, [{ picture: black, left: pad, top: pad }]), Math.max(0.5, spread));
	return { picture: soft, left: left - pad, top: top - pad + spread * 0.5 };
}
