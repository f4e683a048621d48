import type { Operation } from '../scene/scene.ts';
import { stencilled } from './effects.ts';
import { drawing, layered, type Picture, plain } from './picture.ts';
import { cropTo, fitting } from './shapes.ts';
import { rgbOf, toned } from './tones.ts';

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

/** Adds a border with a hairline where it meets the picture. */
export async function bordered(picture: Picture, colour: string, side: number, foot = side): Promise<Picture> {
	const { width, height } = picture;
	const hair = Math.max(1, Math.round(side * 0.05));
	const line = await plain(width + hair * 2, height + hair * 2, [0, 0, 0], side > 8 ? 0.2 : 0);
	return layered(await plain(width + side * 2, height + side + foot, rgbOf(colour)), [
		{ picture: line, left: side - hair, top: side - hair },
		{ picture, left: side, top: side },
	]);
}

/** A wooden or gilded moulding: mitred sides in four shades, with a lit ridge. */
function moulding({ width, height }: { width: number; height: number }, side: number, colour: string): string {
	const trapezoid = (points: string, shade: string) => `<polygon points="${points}" fill="${shade}"/>`;
	const [right, bottom] = [width - side, height - side];
	const lit = (opacity: number) => `rgba(255,255,255,${opacity})`;
	const shaded = (opacity: number) => `rgba(0,0,0,${opacity})`;
	const ridge = (inset: number, stroke: string, breadth: number) =>
		`<rect x="${inset}" y="${inset}" width="${width - inset * 2}" height="${height - inset * 2}" fill="none" stroke="${stroke}" stroke-width="${breadth}"/>`;
	return [
		`<rect width="100%" height="100%" fill="${colour}"/>`,
		trapezoid(`0,0 ${width},0 ${right},${side} ${side},${side}`, lit(0.28)),
		trapezoid(`0,0 ${side},${side} ${side},${bottom} 0,${height}`, lit(0.12)),
		trapezoid(`${width},0 ${width},${height} ${right},${bottom} ${right},${side}`, shaded(0.16)),
		trapezoid(`0,${height} ${side},${bottom} ${right},${bottom} ${width},${height}`, shaded(0.3)),
		ridge(side * 0.3, lit(0.4), side * 0.08),
		ridge(side * 0.42, shaded(0.28), side * 0.1),
		ridge(side * 0.8, lit(0.25), side * 0.06),
		ridge(side * 0.97, shaded(0.5), side * 0.06),
	].join('');
}
