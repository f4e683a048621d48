import type { Inset, Layout } from '../scene/layout.ts';
import { stencilled } from './effects.ts';
import { bordered } from './frames.ts';
import { cover, type Layer, layered, type Picture, pipeline, plain, resized, settle } from './picture.ts';
import { type Canvas, insetLayer, placed, scattered, shadow } from './prints.ts';
import { toned } from './tones.ts';

type BlendMode = Extract<Layout, { layout: 'blend' }>['mode'];
type Direction = Extract<Layout, { direction: unknown }>['direction'];

/** Arranges pictures on the canvas. Indices without a picture mean the first one. */
export async function arrange(pictures: readonly Picture[], layout: Layout, canvas: Canvas): Promise<Picture> {
	const ordered = 'order' in layout ? inOrder(pictures, layout.order) : pictures;
	switch (layout.layout) {
		case 'single':
			return cover(at(pictures, layout.image), canvas);
		case 'row':
			return tiled(ordered, canvas, slices(ordered.length, 'x'));
		case 'column':
			return tiled(ordered, canvas, slices(ordered.length, 'y'));
		case 'grid': {
			const along = slices(ordered.length, canvas.width >= canvas.height ? 'x' : 'y');
			return tiled(ordered, canvas, ordered.length < 3 ? along : FEATURED[canvas.variation % 2]!);
		}
		case 'prints':
			return scattered(ordered, canvas);
		case 'inset': {
			const layers: Layer[] = [];
			for (const inset of layout.insets) layers.push(await insetLayer(at(pictures, inset.image), inset, canvas));
			return layered(await cover(at(pictures, layout.ground), canvas), layers);
		}
		case 'blend':
			return blended(ordered, layout.mode, canvas);
		case 'split':
			return parted(ordered, layout.direction, canvas, 0);
		case 'fade':
			return parted(ordered, layout.direction, canvas, 0.75 / ordered.length);
		case 'frame':
			return surrounded(at(pictures, layout.inside), at(pictures, layout.around), canvas);
		case 'colours':
			return cover(await recoloured(at(pictures, layout.on), at(pictures, layout.of)), canvas);
		case 'any':
			return arrange(pictures, anyLayout(pictures.length, canvas.variation), canvas);
	}
}

/** Returns an arrangement for words that name none; each variation is another one. */
function anyLayout(count: number, variation: number): Layout {
	const order = Array.from({ length: count }, (_, index) => index);
	const insets = order.slice(1).map((image): Inset => {
		return { image, spot: { x: image === 1 ? 1 : 0, y: 1 }, size: 0.4, shape: 'print' };
	});
	const layouts: readonly Layout[] = [
		{ layout: 'prints', order },
		{ layout: count > 2 ? 'grid' : 'row', order },
		{ layout: 'inset', ground: 0, insets },
		{ layout: 'split', order, direction: 'diagonal' },
	];
	return layouts[variation % layouts.length]!;
}

async function blended(pictures: readonly Picture[], mode: BlendMode, canvas: Canvas): Promise<Picture> {
	const [first, ...others] = await covering(pictures, canvas);
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
}

/** A picture with another one as its frame. */
async function surrounded(inside: Picture, around: Picture, canvas: Canvas): Promise<Picture> {
	const border = Math.round(Math.min(canvas.width, canvas.height) * (canvas.variation % 2 ? 0.19 : 0.14));
	const size = { width: canvas.width - border * 2, height: canvas.height - border * 2 };
	const line = Math.max(1, Math.round(border * 0.07));
	const inner = await bordered(await cover(inside, size), '#faf8f2', line);
	const [at, spread] = [border - line, border / 4];
	return layered(await cover(around, canvas), [await shadow(inner, spread, at, at), placed(inner, at)]);
}

function at(pictures: readonly Picture[], index: number): Picture {
	return pictures[index] ?? pictures[0]!;
}

function inOrder(pictures: readonly Picture[], order: readonly number[]): Picture[] {
	return order.length > 0 ? order.map((index) => at(pictures, index)) : [at(pictures, 0)];
}

const covering = (pictures: readonly Picture[], canvas: Canvas): Promise<Picture[]> =>
	Promise.all(pictures.map((picture) => cover(picture, canvas)));

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
	direction: Direction,
	canvas: Canvas,
	transition: number,
): Promise<Picture> {
	const [first, ...others] = await covering(pictures, canvas);
	const end = { across: 'x2="1" y2="0"', down: 'x2="0" y2="1"', diagonal: 'x2="1" y2="1"' }[direction];
	const breadth = canvas.variation === 0 ? transition : transition * canvas.random.between(0.4, 1.3);
	const layers = others.map(async (picture, index): Promise<Layer> => {
		const edge = (index + 1) / pictures.length;
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
