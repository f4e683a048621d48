import { css, mix, type Rgb } from '../colours.ts';
import { blurred, graded } from '../grade.ts';
import { masked } from '../masks.ts';
import type { Of } from '../operation.ts';
import { crop, drawing, LONGEST_SIDE, layered, type Picture, plain, resized, whole } from '../picture.ts';
import { centred } from './geometry.ts';
import { heart, starPoints } from './outlines.ts';
import type { Painters } from './painter.ts';

export const frames: Painters<'frame' | 'round' | 'extend'> = {
	frame: async (picture, operation) => {
		const fitting = await leavingRoom(picture, 1.3);
		return framers[operation.style](fitting, operation);
	},
	round: async (picture, { shape, amount }) => {
		const cut = shape === 'corners' ? picture : crop(picture, centred(picture, shorter(picture), shorter(picture)));
		const { width, height } = cut;
		const stencil = await drawing(width, height, outlines[shape](width, height, amount));
		return masked(cut, alphaOf(stencil));
	},
	extend: async (picture, { colour, amount, sides }) => {
		const inner = await leavingRoom(picture, 1 + 0.5 * amount);
		const by = Math.round(Math.max(inner.width, inner.height) * 0.22 * amount);
		const pad = (side: string, axis: readonly string[]) =>
			sides === side || sides === 'all' ? by : axis.includes(sides) ? 0 : 0;
		const [left, right] = [pad('left', ['right']), pad('right', ['left'])];
		const [top, bottom] = [pad('top', ['bottom']), pad('bottom', ['top'])];
		const size = { width: whole(inner.width + left + right), height: whole(inner.height + top + bottom) };
		const ground = colour === 'blurred' ? await surroundings(inner, size) : plain(size.width, size.height, colour);
		return layered(ground, [{ picture: inner, left, top }]);
	},
};

function shorter({ width, height }: Picture): number {
	return Math.min(width, height);
}

export function alphaOf({ data }: Picture): Uint8Array {
	const mask = new Uint8Array(data.length / 4);
	for (let at = 0; at < mask.length; at++) mask[at] = data[at * 4 + 3]!;
	return mask;
}

/** Scaled down where `factor` times its size would pass the largest. */
async function leavingRoom(picture: Picture, factor: number): Promise<Picture> {
	const scale = LONGEST_SIDE / factor / Math.max(picture.width, picture.height);
	return scale >= 1 ? picture : resized(picture, picture.width * scale, picture.height * scale);
}

/** The picture itself, large and out of focus: what lies beyond its sides looks as if it went on. */
async function surroundings(picture: Picture, { width, height }: { width: number; height: number }): Promise<Picture> {
	const cover = await resized(picture, width, height, 'cover');
	return graded(await blurred(cover, Math.max(width, height) / 40), { brightness: 0.86 });
}

type Framer = (picture: Picture, operation: Of<'frame'>) => Promise<Picture>;

const framers: Readonly<Record<Of<'frame'>['style'], Framer>> = {
	plain: async (picture, { colour, amount }) => {
		const border = Math.max(1, Math.round(shorter(picture) * 0.05 * amount));
		const ground = plain(picture.width + border * 2, picture.height + border * 2, colour);
		const hair = Math.max(1, Math.round(border * 0.05));
		const line = plain(picture.width + hair * 2, picture.height + hair * 2, mix(colour, [0, 0, 0], 0.25));
		return layered(ground, [
			...(border > 8 ? [{ picture: line, left: border - hair, top: border - hair }] : []),
			{ picture, left: border, top: border },
		]);
	},
	polaroid: async (picture, { colour }) => {
		const square = crop(picture, centred(picture, shorter(picture), shorter(picture) * 0.98));
		const border = Math.max(1, Math.round(square.width * 0.06));
		const foot = Math.round(square.width * 0.2);
		const faded = graded(square, { fade: 0.22, gains: [1.03, 1, 0.95] });
		return layered(plain(square.width + border * 2, square.height + border + foot, colour), [
			{ picture: plain(square.width + 2, square.height + 2, [205, 200, 190]), left: border - 1, top: border - 1 },
			{ picture: faded, left: border, top: border },
		]);
	},
	ornate: async (picture, { colour, amount }) => {
		const border = Math.max(3, Math.round(shorter(picture) * 0.085 * amount));
		const [width, height] = [picture.width + border * 2, picture.height + border * 2];
		return layered(await drawing(width, height, moulding(width, height, border, colour)), [
			{ picture, left: border, top: border },
			{ picture: await drawing(width, height, innerShadow(width, height, border)) },
		]);
	},
	film: async (picture, { colour }) => {
		const edge = Math.max(4, Math.round(shorter(picture) * 0.12));
		const side = Math.max(1, Math.round(edge * 0.25));
		const [width, height] = [picture.width + side * 2, picture.height + edge * 2];
		const hole = edge * 0.42;
		const count = Math.max(1, Math.floor(width / (hole * 1.9)));
		const holes = Array.from({ length: count * 2 }, (_, index) => {
			const x = ((index % count) + 0.5) * (width / count) - hole / 2;
			const y = index < count ? (edge - hole) / 2 : height - (edge + hole) / 2;
			return `<rect x="${x}" y="${y}" width="${hole}" height="${hole}" rx="${hole * 0.22}" fill="#e9e4d8"/>`;
		});
		const ground = await drawing(
			width,
			height,
			`<rect width="100%" height="100%" fill="${css(colour)}"/>${holes.join('')}`,
		);
		return layered(ground, [{ picture, left: side, top: edge }]);
	},
};

/** Four mitred boards, each a profile of light and dark bands lit from the top left. */
function moulding(width: number, height: number, border: number, colour: Rgb): string {
	const bands = [
		[0, 0.5],
		[0.1, -0.25],
		[0.2, 0.35],
		[0.42, 0],
		[0.66, -0.35],
		[0.8, 0.55],
		[0.92, -0.4],
	] as const;
	return bands
		.flatMap(([from, light]) => {
			const d = from * border;
			const [r, b] = [width - d, height - d];
			const [cx, cy] = [Math.min(width, height) / 2, Math.min(width, height) / 2];
			const side = (points: string, lit: number) => {
				const shade = light + lit;
				const fill =
					shade > 0
						? mix(colour, [255, 250, 225], Math.min(0.85, shade))
						: mix(colour, [30, 16, 4], Math.min(0.85, -shade));
				return `<polygon points="${points}" fill="${css(fill)}"/>`;
			};
			return [
				side(`${d},${d} ${r},${d} ${width - cx},${cy} ${cx},${cy}`, 0.18),
				side(`${d},${d} ${cx},${cy} ${cx},${height - cy} ${d},${b}`, 0.05),
				side(`${r},${d} ${r},${b} ${width - cx},${height - cy} ${width - cx},${cy}`, -0.12),
				side(`${d},${b} ${cx},${height - cy} ${width - cx},${height - cy} ${r},${b}`, -0.22),
			];
		})
		.join('');
}

function innerShadow(width: number, height: number, border: number): string {
	const [w, h, s] = [width - border * 2, height - border * 2, border * 0.35];
	return `<defs><linearGradient id="d" x2="0" y2="1"><stop stop-opacity=".5"/><stop offset="1" stop-opacity="0"/></linearGradient><linearGradient id="r"><stop stop-opacity=".4"/><stop offset="1" stop-opacity="0"/></linearGradient></defs><rect x="${border}" y="${border}" width="${w}" height="${s}" fill="url(#d)"/><rect x="${border}" y="${border}" width="${s}" height="${h}" fill="url(#r)"/>`;
}

const outlines: Readonly<Record<Of<'round'>['shape'], (width: number, height: number, amount: number) => string>> = {
	corners: (width, height, amount) =>
		`<rect width="${width}" height="${height}" rx="${Math.min(width, height) * Math.min(0.5, 0.09 * amount)}"/>`,
	circle: (width, height) => `<ellipse cx="${width / 2}" cy="${height / 2}" rx="${width / 2}" ry="${height / 2}"/>`,
	heart: (width, height) => `<path transform="scale(${width / 100} ${height / 100})" d="${heart}"/>`,
	star: (width, height) =>
		`<polygon transform="scale(${width / 100} ${height / 100})" points="${starPoints(50, 52, 50, 5, 0.45)}"/>`,
};
