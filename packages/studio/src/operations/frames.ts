import type { Size } from '../drawing/compose.ts';
import { box, fill, line } from '../drawing/tools/svg.ts';
import type { Operation } from '../scene/scene.ts';
import { stencilled } from './effects.ts';
import { drawing, layered, type Picture, pipeline, settle } from './picture.ts';
import { cropTo, fitting } from './shapes.ts';
import { toned } from './tones.ts';

export type FrameStyle = Extract<Operation, { do: 'frame' }>['style'];
type Framer = (picture: Picture, colour: string, breadth: number) => Promise<Picture>;

/** Puts a picture into a frame. `breadth` 1 is the frame's usual one. */
export async function framed(picture: Picture, style: FrameStyle, colour: string, breadth = 1): Promise<Picture> {
	return framers[style](await fitting(picture, 1.35), colour, breadth);
}

const framers: Readonly<Record<FrameStyle, Framer>> = {
	plain: (picture, colour, breadth) => bordered(picture, colour, sideOf(picture, 0.05 * breadth)),
	polaroid: async (picture, colour, breadth) => {
		const square = await toned(await cropTo(picture, 1), { gains: [1.03, 1, 0.95], shadows: '#2a2a30', share: 0.35 });
		const side = sideOf(square, 0.06 * breadth);
		return bordered(square, colour, side, side + sideOf(square, 0.14));
	},
	ornate: async (picture, colour, breadth) => {
		const side = Math.max(3, sideOf(picture, 0.085 * breadth));
		const size = { width: picture.width + side * 2, height: picture.height + side * 2 };
		return layered(await drawing(size, moulding(size, side, colour)), [{ picture, left: side, top: side }]);
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

/** Ridges of a moulding: their place and breadth as shares of its side, colour and opacity. */
const RIDGES = [
	[0.3, 0.08, '#fff', 0.4],
	[0.42, 0.1, '#000', 0.28],
	[0.8, 0.06, '#fff', 0.25],
	[0.97, 0.06, '#000', 0.5],
] as const;

/** A wooden or gilded moulding: mitred sides in four shades, with ridges. */
function moulding({ width, height }: Size, side: number, colour: string): string {
	const [right, bottom] = [width - side, height - side];
	return [
		fill(box(0, 0, width, height), colour),
		fill(`M0 0H${width}L${right} ${side}H${side}Z`, '#fff', 0.28),
		fill(`M0 0L${side} ${side}V${bottom}L0 ${height}Z`, '#fff', 0.12),
		fill(`M${width} 0V${height}L${right} ${bottom}V${side}Z`, '#000', 0.16),
		fill(`M0 ${height}L${side} ${bottom}H${right}L${width} ${height}Z`, '#000', 0.3),
		...RIDGES.map(([at, breadth, shade, opacity]) =>
			line(box(side * at, side * at, width - side * at * 2, height - side * at * 2), shade, side * breadth, opacity),
		),
	].join('');
}
