import type { Size } from '../drawing/compose.ts';
import type { Inset, Layout } from '../scene/layout.ts';
import { blurred, stencilled } from './effects.ts';
import { bordered } from './frames.ts';
import table from './layouts.json' with { type: 'json' };
import { type Blend, cover, drawing, type Layer, layered, type Picture, pipeline, plain, settle } from './picture.ts';
import { toned } from './tones.ts';

/** A layout, and the pixels of its result, at most `LONGEST_SIDE`. */
export type Arranged = Size & { readonly layout: Layout };

/** A picture on the canvas, in pixels: its middle and its size, to which it is cropped. */
type Piece = {
	readonly picture: Picture;
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
	/** The breadth of its white border. */
	readonly border?: number;
	/** How far its shadow spreads. */
	readonly shadow?: number;
	readonly degrees?: number;
	/** A drawing; the picture shows where it is opaque. */
	readonly mask?: string;
	/** A drawing on it. */
	readonly over?: string;
	readonly blend?: Blend;
};

/** Left, top, width, height as shares of the canvas. */
type Share = readonly [left: number, top: number, width: number, height: number];

type Pictures = readonly [Picture, ...Picture[]];

/** Arranges pictures on a canvas. Indices without a picture mean the first one. */
export async function arrange(pictures: readonly Picture[], { layout, ...canvas }: Arranged): Promise<Picture> {
	const at = (index: number) => pictures[index] ?? pictures[0]!;
	const order = 'order' in layout && layout.order.length > 0 ? layout.order : [0];
	const arrangement = LAYOUTS[layout.layout] as Arranger<Layout>;
	const pieces = await arrangement(order.map(at) as unknown as Pictures, canvas, layout, at);
	const layers = await Array.fromAsync(pieces, (piece) => layersOf(piece, canvas));
	return layered(await plain(canvas, '#00000000'), layers.flat());
}

async function layersOf(piece: Piece, canvas: Size): Promise<Layer[]> {
	const { x, y, border, shadow, degrees, mask, over, blend } = piece;
	let shown = await cover(piece.picture, piece);
	if (over) shown = await layered(shown, [{ picture: await drawing(shown, over) }]);
	if (mask) shown = await stencilled(shown, mask);
	if (border) shown = await bordered(shown, '#fcfbf8', border);
	const { width, height } = shown;
	if (degrees) shown = await settle(pipeline(shown).rotate(degrees, { background: { r: 0, g: 0, b: 0, alpha: 0 } }));
	const layer = { picture: shown, left: x - shown.width / 2, top: y - shown.height / 2, blend };
	if (!shadow) return [layer];
	const dark = `<rect x="${x - width / 2}" y="${y - height / 2 + shadow / 2}" width="${width}" height="${height}" transform="rotate(${degrees ?? 0} ${x} ${y})" fill-opacity="0.5" filter="url(#soft)"/>`;
	const soft = `<filter id="soft" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${shadow}"/></filter>`;
	return [{ picture: await drawing(canvas, soft + dark) }, layer];
}

/** Returns what lies on the canvas, the first piece lowest, of pictures in the order of the layout, or of the first one. */
type Arranger<One> = (
	ordered: Pictures,
	canvas: Size,
	layout: One,
	at: (index: number) => Picture,
) => readonly Piece[] | Promise<readonly Piece[]>;

const LAYOUTS: { [Name in Layout['layout']]: Arranger<Extract<Layout, { layout: Name }>> } = {
	row: (ordered, canvas) => tiled(ordered, canvas, slices(ordered.length, 'x')),
	column: (ordered, canvas) => tiled(ordered, canvas, slices(ordered.length, 'y')),
	grid(ordered, canvas) {
		const isWide = canvas.width >= canvas.height;
		if (ordered.length < 3) return tiled(ordered, canvas, slices(ordered.length, isWide ? 'x' : 'y'));
		return tiled(ordered, canvas, table.featured[isWide ? 'across' : 'down'] as unknown as Share[]);
	},
	/** Prints, a little turned, on a soft ground in the first one's colours. */
	async prints(ordered, canvas) {
		const { width, height } = canvas;
		const isFew = ordered.length < 3;
		const side = Math.min(width, height) * (isFew ? 0.54 : 0.46);
		const spots = isFew ? table.prints.two : table.prints.three;
		const prints = ordered.map((picture, index): Piece => {
			const [along = 0, across = 0] = spots[index % spots.length]!;
			const [x, y] = width >= height ? [along, across] : [across, along];
			const degrees = (index % 2 ? 1 : -1) * (3 + index * 2);
			return { ...printOf(picture, side), x: x * width, y: y * height, degrees, shadow: side * 0.03 };
		});
		const soft = await blurred(await cover(ordered[0], canvas), Math.max(width, height) / 16);
		return [filling(await toned(soft, { brightness: 0.8, saturation: 0.85 }), canvas), ...prints];
	},
	inset: (_, canvas, { ground, insets }, at) => [
		filling(at(ground), canvas),
		...insets.map((inset) => insetPiece(at(inset.image), inset, canvas)),
	],
	async blend(ordered, canvas, { mode }) {
		// Screen brightens and multiply darkens: the pictures are brought half way towards it first.
		const tone = { brightness: table.brightness[mode], contrast: 1.3, saturation: 1.15 };
		const strong = await Promise.all(ordered.map((picture) => toned(picture, tone)));
		return strong.map((picture, index): Piece => {
			const share = `<rect width="100%" height="100%" fill-opacity="${1 / (index + 1)}"/>`;
			return { ...filling(picture, canvas), ...(mode === 'mix' ? { mask: share } : index > 0 && { blend: mode }) };
		});
	},
	split: (ordered, canvas, { direction }) => parted(ordered, direction, canvas, 0),
	fade: (ordered, canvas, { direction }) => parted(ordered, direction, canvas, 0.75 / ordered.length),
	frame(_, canvas, { inside, around }, at) {
		const side = Math.round(Math.min(canvas.width, canvas.height) * 0.14);
		const framed = { border: Math.max(1, Math.round(side * 0.07)), shadow: side / 4 };
		return [filling(at(around), canvas), { ...filling(at(inside), canvas, side), ...framed }];
	},
	colours: async (_, canvas, { on, of }, at) => [filling(await recoloured(at(on), at(of)), canvas)],
};

/** A picture as large as the canvas, but for a margin. */
function filling(picture: Picture, { width, height }: Size, margin = 0): Piece {
	return { picture, x: width / 2, y: height / 2, width: width - margin * 2, height: height - margin * 2 };
}

const slices = (count: number, axis: 'x' | 'y'): Share[] =>
	Array.from({ length: count }, (_, index) =>
		axis === 'x' ? [index / count, 0, 1 / count, 1] : [0, index / count, 1, 1 / count],
	);

/** Beside each other, with narrow gaps. */
function tiled(pictures: Pictures, canvas: Size, boxes: readonly Share[]): Piece[] {
	const gap = Math.min(canvas.width, canvas.height) * 0.008;
	// Each tile has a gap at its right and bottom: that of the last ones is beyond the canvas.
	const [across, down] = [canvas.width + gap, canvas.height + gap];
	const tiles = boxes.map(([x, y, wide, tall], index): Piece => {
		const [left, top] = [Math.round(x * across), Math.round(y * down)];
		const width = Math.max(1, Math.round((x + wide) * across - gap) - left);
		const height = Math.max(1, Math.round((y + tall) * down - gap) - top);
		return { picture: pictures[index] ?? pictures[0], x: left + width / 2, y: top + height / 2, width, height };
	});
	return [filling({ data: Uint8Array.of(250, 250, 248, 255), width: 1, height: 1 }, canvas), ...tiles];
}

/** A white-bordered print, close to the picture's own shape; `longer` is the longer side of the picture itself. */
function printOf(picture: Picture, longer: number): Omit<Piece, 'x' | 'y'> {
	const ratio = Math.min(1.5, Math.max(1 / 1.5, picture.width / picture.height));
	const [width, height] = [Math.round(longer * Math.min(1, ratio)), Math.round(longer / Math.max(1, ratio))];
	return { picture, width, height, border: Math.max(1, Math.round(longer * 0.035)) };
}

const DISC: Pick<Piece, 'mask' | 'over' | 'border'> = {
	mask: '<circle cx="50%" cy="50%" r="50%"/>',
	over: '<circle cx="50%" cy="50%" r="48.5%" fill="none" stroke="#fcfbf8" stroke-width="3%"/>',
};

/** A disc with a white rim, a print, or the picture as it is. */
function insetPiece(picture: Picture, { spot, size, shape }: Inset, canvas: Size): Piece {
	const shorter = Math.min(canvas.width, canvas.height);
	const longer = shorter * Math.min(0.92, size);
	if (shape === 'plain') {
		const scale = (longer * 1.6) / Math.max(picture.width, picture.height);
		const [width, height] = [picture.width * scale, picture.height * scale];
		const x = width / 2 + (canvas.width - width) * (spot.x === 1 ? 0.6 : spot.x === 0 ? 0.3 : 0.5);
		const y = spot.y === 1 ? canvas.height * 0.94 - height / 2 : height / 2 + (canvas.height - height) * spot.y;
		return { picture, x, y: Math.max(height / 2, y), width, height };
	}
	const piece = shape === 'circle' ? { picture, width: longer, height: longer, ...DISC } : printOf(picture, longer);
	const around = shorter * 0.04 + (piece.border ?? 0);
	const along = (whole: number, own: number, share: number) => around + own / 2 + (whole - own - around * 2) * share;
	return { ...piece, x: along(canvas.width, piece.width, spot.x), y: along(canvas.height, piece.height, spot.y) };
}

type Direction = Extract<Layout, { direction: unknown }>['direction'];

/** Shows a part of each picture, one after the other along a direction; `transition` is its share of the canvas. */
function parted(pictures: Pictures, direction: Direction, canvas: Size, transition: number): Piece[] {
	const [right, down] = table.ends[direction];
	return pictures.map((picture, index): Piece => {
		if (index === 0) return filling(picture, canvas);
		const edge = index / pictures.length;
		const stop = (offset: number, opacity: number) =>
			`<stop offset="${Math.min(1, Math.max(0, offset))}" stop-color="#fff" stop-opacity="${opacity}"/>`;
		const stops = stop(edge - transition / 2, 0) + stop(edge + transition / 2, 1);
		const mask = `<defs><linearGradient id="g" x2="${right}" y2="${down}">${stops}</linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/>`;
		return { ...filling(picture, canvas), mask };
	});
}

/** Gives a picture the mean and the spread of another one's red, green and blue (after Reinhard et al. 2001). */
async function recoloured(picture: Picture, like: Picture): Promise<Picture> {
	const [own, wanted] = [await pipeline(picture).stats(), await pipeline(like).stats()];
	// A single pixel has no deviation (NaN).
	const spread = (channel: { stdev: number } | undefined) => channel?.stdev || 1;
	const factors = [0, 1, 2].map((channel) => {
		const [from, to] = [own.channels[channel], wanted.channels[channel]];
		return Math.min(1.8, Math.max(0.5, spread(to) / Math.max(1, spread(from))));
	});
	const offsets = factors.map((factor, at) => wanted.channels[at]!.mean - own.channels[at]!.mean * factor);
	// An eighth of its own colours stays.
	const [scales, shifts] = [factors.map((one) => one * 0.88 + 0.12), offsets.map((one) => one * 0.88)];
	return settle(pipeline(picture).linear(scales, shifts));
}

/** Brings a picture to a size: stretched where its shape is nearly the same, otherwise with margins. */
export function fitted(picture: Picture, { width, height }: Size): Picture | Promise<Picture> {
	if (picture.width === width && picture.height === height) return picture;
	const isAlike = Math.abs(Math.log(picture.width / picture.height / (width / height))) < 0.12;
	if (isAlike) return settle(pipeline(picture).resize(width, height, { fit: 'fill' }));
	const background = '#fafaf8';
	return settle(pipeline(picture).flatten({ background }).resize(width, height, { fit: 'contain', background }));
}
