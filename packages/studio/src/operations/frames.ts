import { type Hex, mix } from '../drawing/tools/colour.ts';
import type { Operation } from '../scene/scene.ts';
import { stencilled } from './effects.ts';
import { type Picture, pipeline, settle } from './picture.ts';
import { cropTo, fitting } from './shapes.ts';
import { toned } from './tones.ts';

export type FrameStyle = Extract<Operation, { do: 'frame' }>['style'];
type Framer = (picture: Picture, colour: Hex, breadth: number) => Promise<Picture>;

/** Puts a picture into a frame. `breadth` 1 is the frame's usual one. */
export async function framed(picture: Picture, style: FrameStyle, colour: Hex, breadth = 1): Promise<Picture> {
	return framers[style](await fitting(picture, 1.35), colour, breadth);
}

const framers: Readonly<Record<FrameStyle, Framer>> = {
	plain: (picture, colour, breadth) => bordered(picture, colour, sideOf(picture, 0.05 * breadth)),
	polaroid: async (picture, colour, breadth) => {
		const square = await toned(await cropTo(picture, 1), { gains: [1.03, 1, 0.95], shadows: '#2a2a30', share: 0.35 });
		const side = sideOf(square, 0.06 * breadth);
		return bordered(square, colour, side, side + sideOf(square, 0.14));
	},
	async ornate(picture, colour, breadth) {
		const side = sideOf(picture, 0.085 * breadth);
		let result = picture;
		for (const [share, shade, strength] of RIDGES)
			result = await bordered(result, mix(colour, shade, strength), Math.max(1, Math.round(side * share)));
		return result;
	},
	rounded: (picture, _, breadth) => {
		const radius = sideOf(picture, 0.08 * breadth);
		return stencilled(picture, `<rect width="100%" height="100%" rx="${radius}" fill="#fff"/>`);
	},
	circle: async (picture) => stencilled(await cropTo(picture, 1), '<circle cx="50%" cy="50%" r="50%" fill="#fff"/>'),
};

function sideOf({ width, height }: Picture, share: number) {
	return Math.max(1, Math.round(Math.min(width, height) * share));
}

/** Adds a border. */
export function bordered(picture: Picture, background: string, side: number, foot = side): Promise<Picture> {
	const border = { top: side, left: side, right: side, bottom: foot, background };
	return settle(pipeline(picture).flatten({ background }).extend(border));
}

/** Ridges of a moulding from the inside: their breadth as a share of it, and how light or dark they are. */
const RIDGES: readonly (readonly [share: number, shade: Hex, strength: number])[] = [
	[0.12, '#000000', 0.4],
	[0.16, '#ffffff', 0.35],
	[0.44, '#ffffff', 0],
	[0.16, '#ffffff', 0.25],
	[0.12, '#000000', 0.3],
];
