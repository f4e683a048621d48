import type { Inset, Layout } from '../scene/layout.ts';
import { stencilled } from './effects.ts';
import { bordered } from './frames.ts';
import { cover, type Layer, layered, type Picture, pipeline, plain, resized, settle } from './picture.ts';
import { type Canvas, insetLayer, placed, scattered, shadow } from './prints.ts';
import { toned } from './tones.ts';

type Of<Name extends Layout['layout']> = Layout extends infer One
	? One extends { layout: infer Own }
		? Name extends Own
			? One
			: never
		: never
	: never;
type Composer<Name extends Layout['layout']> = (
	pictures: readonly Picture[],
	layout: Of<Name>,
	canvas: Canvas,
) => Promise<Picture>;

/** Arranges pictures on the canvas. Indices without a picture mean the first one. */
export function arrange(pictures: readonly Picture[], layout: Layout, canvas: Canvas): Promise<Picture> {
	return (composers[layout.layout] as Composer<Layout['layout']>)(pictures, layout as never, canvas);
}

const composers: { readonly [Name in Layout['layout']]: Composer<Name> } = {
	single: (pictures, { image }, canvas) => cover(at(pictures, image), canvas),
	row: (pictures, { order }, canvas) => tiled(inOrder(pictures, order), canvas, slices(order.length, 'x')),
	column: (pictures, { order }, canvas) => tiled(inOrder(pictures, order), canvas, slices(order.length, 'y')),
	grid: (pictures, { order }, canvas) => {
		const wide = canvas.width >= canvas.height;
		const boxes = order.length < 3 ? slices(order.length, wide ? 'x' : 'y') : FEATURED[canvas.variation % 2];
		return tiled(inOrder(pictures, order), canvas, boxes ?? []);
	},
	prints: (pictures, { order }, canvas) => scattered(inOrder(pictures, order), canvas),
	inset: async (pictures, { ground, insets }, canvas) => {
		const layers: Layer[] = [];
		for (const inset of insets) layers.push(await insetLayer(at(pictures, inset.image), inset, canvas));
		return layered(await cover(at(pictures, ground), canvas), layers);
	},
	blend: async (pictures, { order, mode }, canvas) => {
		const [first, ...others] = await covering(pictures, order, canvas);
		let result = first!;
		// The first picture keeps its part, and a little more or less of it in other variations.
		const weight = canvas.variation === 0 ? 1 : canvas.random.between(0.7, 1.3);
		for (const [index, other] of others.entries()) {
			if (mode === 'mix') result = await layered(result, [{ picture: await faint(other, weight / (index + 2)) }]);
			else {
				// Screen brightens and multiply darkens: the pictures are brought half way towards it first.
				const brightness = mode === 'screen' ? 0.65 : mode === 'multiply' ? 1.3 : 1;
				const [below, above] = [await toned(result, { brightness }), await toned(other, { brightness })];
				result = await layered(below, [{ picture: above, blend: mode }]);
			}
		}
		return toned(result, { contrast: 1.3, saturation: 1.15 });
	},
	split: (pictures, { order, direction }, canvas) => parted(pictures, order, direction, canvas, 0),
	fade: (pictures, { order, direction }, canvas) => parted(pictures, order, direction, canvas, 0.75 / order.length),
	frame: async (pictures, { inside, around }, canvas) => {
		const border = Math.round(Math.min(canvas.width, canvas.height) * (canvas.variation % 2 ? 0.19 : 0.14));
		const ground = await cover(at(pictures, around), canvas);
		const size = { width: canvas.width - border * 2, height: canvas.height - border * 2 };
		const line = Math.max(1, Math.round(border * 0.07));
		const inner = await bordered(await cover(at(pictures, inside), size), '#faf8f2', line);
		return layered(ground, [
			await shadow(inner, border / 4, border - line, border - line),
			placed(inner, border - line),
		]);
	},
	colours: async (pictures, { of, on }, canvas) => cover(await recoloured(at(pictures, on), at(pictures, of)), canvas),
	any: (pictures, _, canvas) => {
		const order = pictures.map((_, index) => index);
		const insets = order
			.slice(1)
			.map((image): Inset => ({ image, spot: { x: image === 1 ? 1 : 0, y: 1 }, size: 0.4, shape: 'print' }));
		const layouts: readonly Layout[] = [
			{ layout: 'prints', order },
			{ layout: pictures.length > 2 ? 'grid' : 'row', order },
			{ layout: 'inset', ground: 0, insets },
			{ layout: 'split', order, direction: 'diagonal' },
		];
		return arrange(pictures, layouts[canvas.variation % layouts.length]!, canvas);
	},
};

function at(pictures: readonly Picture[], index: number): Picture {
	return pictures[index] ?? pictures[0]!;
}

function inOrder(pictures: readonly Picture[], order: readonly number[]): Picture[] {
	return order.length > 0 ? order.map((index) => at(pictures, index)) : [at(pictures, 0)];
}

function covering(pictures: readonly Picture[], order: readonly number[], canvas: Canvas): Promise<Picture[]> {
	return Promise.all(inOrder(pictures, order).map((picture) => cover(picture, canvas)));
}

/** Left, top, width, height as shares of the canvas. */
type Share = readonly [left: number, top: number, width: number, height: number];

function slices(pictures: number, axis: 'x' | 'y'): Share[] {
	const count = Math.max(1, pictures);
	return Array.from({ length: count }, (_, index) =>
		axis === 'x' ? [index / count, 0, 1 / count, 1] : [0, index / count, 1, 1 / count],
	);
}

/** One large and two small. */
const FEATURED: readonly (readonly Share[])[] = [
	[
		[0, 0, 0.62, 1],
		[0.62, 0, 0.38, 0.5],
		[0.62, 0.5, 0.38, 0.5],
	],
	[
		[0, 0, 1, 0.6],
		[0, 0.6, 0.5, 0.4],
		[0.5, 0.6, 0.5, 0.4],
	],
];

/** The gaps between tiles, by the variation: their share of the shorter side, their colour, whether they surround the tiles. */
const GAPS = [
	{ share: 0.008, colour: [250, 250, 248], around: false },
	{ share: 0.035, colour: [250, 250, 248], around: true },
	{ share: 0.02, colour: [22, 22, 26], around: true },
	{ share: 0, colour: [250, 250, 248], around: false },
] as const;

async function tiled(pictures: readonly Picture[], canvas: Canvas, boxes: readonly Share[]): Promise<Picture> {
	const { share, colour, around } = GAPS[canvas.variation % GAPS.length]!;
	const gap = Math.min(canvas.width, canvas.height) * share;
	const margin = around ? gap : 0;
	// Each tile with a gap at its right and bottom: the last ones reach over the margin by it.
	const [across, down] = [canvas.width + gap - margin * 2, canvas.height + gap - margin * 2];
	const layers = boxes.map(async ([x, y, width, height], index): Promise<Layer> => {
		const [left, top] = [Math.round(margin + x * across), Math.round(margin + y * down)];
		const right = Math.round(margin + (x + width) * across - gap);
		const bottom = Math.round(margin + (y + height) * down - gap);
		return { picture: await cover(at(pictures, index), { width: right - left, height: bottom - top }), left, top };
	});
	return layered(plain(canvas.width, canvas.height, colour), await Promise.all(layers));
}

function faint(picture: Picture, share: number): Promise<Picture> {
	return settle(pipeline(picture).linear([1, 1, 1, share], [0, 0, 0, 0]));
}

/** Shows a part of each picture, one after the other along a direction; `transition` is its share of the canvas. */
async function parted(
	pictures: readonly Picture[],
	order: readonly number[],
	direction: Of<'fade'>['direction'],
	canvas: Canvas,
	transition: number,
): Promise<Picture> {
	const [first, ...others] = await covering(pictures, order, canvas);
	const end = { across: 'x2="1" y2="0"', down: 'x2="0" y2="1"', diagonal: 'x2="1" y2="1"' }[direction];
	const breadth = canvas.variation === 0 ? transition : transition * canvas.random.between(0.4, 1.3);
	const layers = others.map(async (picture, index): Promise<Layer> => {
		const edge = (index + 1) / order.length;
		const stop = (offset: number, opacity: number) =>
			`<stop offset="${Math.min(1, Math.max(0, offset))}" stop-color="#fff" stop-opacity="${opacity}"/>`;
		const stops = stop(edge - breadth / 2, 0) + stop(edge + breadth / 2, 1);
		const mask = `<defs><linearGradient id="g" ${end}>${stops}</linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/>`;
		return { picture: await stencilled(picture, mask) };
	});
	return layered(first!, await Promise.all(layers));
}

/** Gives a picture the mean and the spread of another one's red, green and blue (after Reinhard et al. 2001). */
async function recoloured(picture: Picture, like: Picture): Promise<Picture> {
	const [own, wanted] = [await pipeline(picture).stats(), await pipeline(like).stats()];
	const factors: number[] = [];
	const offsets: number[] = [];
	for (const channel of [0, 1, 2]) {
		const [from, to] = [own.channels[channel]!, wanted.channels[channel]!];
		// A single pixel has no deviation (NaN).
		const factor = Math.min(1.8, Math.max(0.5, (to.stdev || 1) / Math.max(1, from.stdev || 1)));
		factors.push(factor);
		offsets.push(to.mean - from.mean * factor);
	}
	const moved = await settle(pipeline(picture).linear(factors, offsets));
	return layered(moved, [{ picture: await faint(picture, 0.12) }]);
}

/** Brings a picture to a size: stretched where its shape is nearly the same, otherwise with margins. */
export async function fitted(picture: Picture, width: number, height: number): Promise<Picture> {
	if (picture.width === width && picture.height === height) return picture;
	const off = Math.abs(Math.log(picture.width / picture.height / (width / height)));
	if (off < 0.12) return resized(picture, width, height);
	const inside = await settle(pipeline(picture).resize(width, height, { fit: 'inside' }));
	const margins = { left: (width - inside.width) / 2, top: (height - inside.height) / 2 };
	return layered(plain(width, height, [250, 250, 248]), [{ picture: inside, ...margins }]);
}
