import { fromLab, type Lab, toLab } from './colours.ts';
import { blurred, graded, mixed } from './grade.ts';
import { fade, masked, oval } from './masks.ts';
import { contentOf } from './operations/geometry.ts';
import { crop, drawing, type Layer, layered, type Picture, pipeline, plain, settle, whole } from './picture.ts';
import { between, pick, type Random } from './random.ts';
import type { Inset, Layout } from './read-composition.ts';
import { subjectOf } from './subject.ts';

/** The stage that pictures are put together on. */
export type Stage = { width: number; height: number; random: Random };

type Of<Name> = Having<Layout, Name>;
type Having<One, Name> = One extends { layout: infer Own } ? (Name extends Own ? One : never) : never;
type Layouter<Name extends Layout['layout']> = (
	pictures: readonly Picture[],
	layout: Of<Name>,
	stage: Stage,
) => Promise<Picture>;

const layouts: { readonly [Name in Layout['layout']]: Layouter<Name> } = {
	single: (pictures, { image }, stage) => cover(at(pictures, image), stage.width, stage.height),
	row: (pictures, { order }, stage) => tiled(inOrder(pictures, order), stage, split(order.length, 'x')),
	column: (pictures, { order }, stage) => tiled(inOrder(pictures, order), stage, split(order.length, 'y')),
	grid: (pictures, { order }, stage) => {
		const boxes = order.length === 3 ? pick(stage.random, featured) : split(2, stage.width >= stage.height ? 'x' : 'y');
		return tiled(inOrder(pictures, order), stage, boxes);
	},
	prints: (pictures, { order }, stage) => onTable(inOrder(pictures, order), stage),
	inset,
	blend: async (pictures, { order, mode }, stage) => {
		const [first, ...others] = await Promise.all(
			inOrder(pictures, order).map((one) => cover(one, stage.width, stage.height)),
		);
		let result = first!;
		for (const [index, other] of others.entries()) {
			if (mode === 'mix') result = mixed(result, other, undefined, 1 / (index + 2));
			else {
				// Screen brightens and multiply darkens: the pictures are brought half way towards it first.
				const dim = mode === 'screen' ? 0.62 : mode === 'multiply' ? 1.3 : 1;
				result = await layered(graded(result, { brightness: dim }), [
					{ picture: graded(other, { brightness: dim }), blend: mode },
				]);
			}
		}
		return graded(result, { contrast: 1.35, saturation: 1.15 });
	},
	fade: async (pictures, { order, direction }, stage) => {
		const ordered = await Promise.all(inOrder(pictures, order).map((one) => cover(one, stage.width, stage.height)));
		return ordered.reduce((result, picture, index) => {
			if (index === 0) return picture;
			const edge = index / ordered.length;
			const width = 0.75 / ordered.length;
			const along = {
				across: (x: number) => x,
				down: (_: number, y: number) => y,
				diagonal: (x: number, y: number) => (x + y) / 2,
			};
			return mixed(
				result,
				picture,
				fade(stage, (x, y) => (along[direction](x, y) - edge) / width + 0.5),
			);
		});
	},
	frame: async (pictures, { inside, around }, stage) => {
		const { width, height } = stage;
		const border = Math.round(Math.min(width, height) * 0.14);
		const line = Math.max(1, Math.round(border * 0.07));
		const ground = await cover(at(pictures, around), width, height);
		const inner = await cover(at(pictures, inside), width - border * 2, height - border * 2);
		return layered(ground, [
			{
				picture: await shadowOf(inner.width, inner.height, border / 4),
				left: border - border / 2,
				top: border - border / 2,
			},
			{
				picture: plain(inner.width + line * 2, inner.height + line * 2, [250, 248, 242]),
				left: border - line,
				top: border - line,
			},
			{ picture: inner, left: border, top: border },
		]);
	},
	any: (pictures, _, stage) => {
		const order = pictures.map((_, index) => index);
		const corner = pick(stage.random, [
			{ x: 1, y: 1 },
			{ x: 0, y: 1 },
			{ x: 1, y: 0 },
		]);
		const insets = order.slice(1).map(
			(image, index): Inset => ({
				image,
				place: { x: index === 0 ? corner.x : 1 - corner.x, y: corner.y },
				size: 0.36,
				shape: 'print',
			}),
		);
		const some: readonly [Layout, ...Layout[]] =
			pictures.length === 3
				? [
						{ layout: 'grid', order },
						{ layout: 'row', order },
						{ layout: 'prints', order },
					]
				: [
						{ layout: 'row', order },
						{ layout: 'fade', order, direction: 'diagonal' },
						{ layout: 'inset', ground: 0, insets },
						{ layout: 'prints', order },
					];
		return lay(pictures, pick(stage.random, some), stage);
	},
};

/** Puts pictures together on the stage. */
export function lay(pictures: readonly Picture[], layout: Layout, stage: Stage): Promise<Picture> {
	return (layouts[layout.layout] as Layouter<Layout['layout']>)(pictures, layout as never, stage);
}

function at(pictures: readonly Picture[], index: number): Picture {
	return pictures[index] ?? pictures[0]!;
}

function inOrder(pictures: readonly Picture[], order: readonly number[]): Picture[] {
	return order.map((index) => at(pictures, index));
}

/** Fills a box, cutting what is least worth looking at. */
function cover(picture: Picture, width: number, height: number): Promise<Picture> {
	return settle(pipeline(picture).resize(whole(width), whole(height), { fit: 'cover', position: 'attention' }));
}

/** Left, top, width, height as shares. */
type Share = readonly [number, number, number, number];

function split(count: number, axis: 'x' | 'y'): Share[] {
	return Array.from({ length: count }, (_, index) =>
		axis === 'x' ? [index / count, 0, 1 / count, 1] : [0, index / count, 1, 1 / count],
	);
}

/** One large and two small. */
const featured: readonly [readonly Share[], ...(readonly Share[])[]] = [
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

async function tiled(
	pictures: readonly Picture[],
	{ width, height }: Stage,
	boxes: readonly Share[],
): Promise<Picture> {
	const gap = Math.round(Math.min(width, height) * 0.008);
	const layers = await Promise.all(
		boxes.map(async ([x, y, w, h], index): Promise<Layer> => {
			const left = Math.round(x * width) + (x > 0 ? Math.ceil(gap / 2) : 0);
			const top = Math.round(y * height) + (y > 0 ? Math.ceil(gap / 2) : 0);
			const right = Math.round((x + w) * width) - (x + w < 0.999 ? Math.floor(gap / 2) : 0);
			const bottom = Math.round((y + h) * height) - (y + h < 0.999 ? Math.floor(gap / 2) : 0);
			return { picture: await cover(at(pictures, index), right - left, bottom - top), left, top };
		}),
	);
	return layered(plain(width, height, [250, 250, 248]), layers);
}

/** White-bordered prints, a little turned, on a soft ground in the first one's colours. */
async function onTable(pictures: readonly Picture[], { width, height, random }: Stage): Promise<Picture> {
	const first = await cover(at(pictures, 0), width, height);
	const ground = graded(await blurred(first, Math.max(width, height) / 16), { brightness: 0.78, saturation: 0.85 });
	const wide = width >= height;
	const size = Math.min(width, height) * (pictures.length === 2 ? 0.54 : 0.47);
	const places =
		pictures.length === 2
			? [
					[0.31, 0.35],
					[0.68, 0.64],
				]
			: [
					[0.3, 0.29],
					[0.71, 0.4],
					[0.43, 0.72],
				];
	const layers: Layer[] = [];
	for (const [index, picture] of pictures.entries()) {
		const [along = 0.5, across = 0.5] = places[index] ?? [];
		const [x, y] = wide ? [along, across] : [across, along];
		const print = await printOf(picture, size, size * 0.045, 1);
		const angle = (index % 2 ? 1 : -1) * between(random, 2, 7);
		const turned = await settle(pipeline(print).rotate(angle, { background: { r: 0, g: 0, b: 0, alpha: 0 } }));
		layers.push({ picture: turned, left: x * width - turned.width / 2, top: y * height - turned.height / 2 });
	}
	return layered(ground, layers);
}

/** A picture with a white border and a soft shadow; `longer` is the longer side of the picture itself. */
async function printOf(picture: Picture, longer: number, border: number, shape: number): Promise<Picture> {
	const aspect = Math.min(1.5, Math.max(1 / 1.5, (picture.width / picture.height) * shape));
	const inner = await cover(picture, aspect >= 1 ? longer : longer * aspect, aspect >= 1 ? longer / aspect : longer);
	const edge = Math.max(1, Math.round(border));
	const spread = Math.max(2, Math.round(longer * 0.03));
	const card = plain(inner.width + edge * 2, inner.height + edge * 2, [252, 251, 248]);
	const pad = spread * 2;
	return layered(await shadowOf(card.width, card.height, spread), [
		{ picture: card, left: pad, top: pad },
		{ picture: inner, left: pad + edge, top: pad + edge },
	]);
}

/** A soft shadow of a card, which lies `spread` × 2 inside of it. */
async function shadowOf(width: number, height: number, spread: number): Promise<Picture> {
	const pad = Math.round(spread * 2);
	const shape = `<rect x="${pad}" y="${pad + spread * 0.5}" width="${width}" height="${height}" fill="#000" fill-opacity=".45"/>`;
	return blurred(await drawing(width + pad * 2, height + pad * 2, shape), spread * 0.75);
}

async function inset(pictures: readonly Picture[], { ground, insets }: Of<'inset'>, stage: Stage): Promise<Picture> {
	const { width, height } = stage;
	const layers: Layer[] = [];
	for (const one of insets) layers.push(await insetLayer(at(pictures, one.image), one, stage));
	return layered(await cover(at(pictures, ground), width, height), layers);
}

async function insetLayer(picture: Picture, { place, size, shape }: Inset, { width, height }: Stage): Promise<Layer> {
	const shorter = Math.min(width, height);
	const put = (layer: Picture, margin: number): Layer => ({
		picture: layer,
		left: margin + (width - layer.width - margin * 2) * place.x,
		top: margin + (height - layer.height - margin * 2) * place.y,
	});
	if (shape === 'cutout') {
		const subject = await cutoutOf(picture);
		// A cut-out stands on the lower edge, as large as the ground lets it.
		const share = size >= 1 ? 0.86 : size * 1.25;
		const scale = Math.min((width * share) / subject.width, (height * share) / subject.height);
		return put(
			await settle(
				pipeline(subject).resize(whole(subject.width * scale), whole(subject.height * scale), { fit: 'fill' }),
			),
			0,
		);
	}
	const longer = shorter * Math.min(0.92, size);
	if (shape === 'circle') {
		const disc = await cover(picture, longer, longer);
		const ring = Math.max(1, Math.round(longer * 0.025));
		const rim = masked(
			plain(disc.width + ring * 2, disc.height + ring * 2, [252, 251, 248]),
			oval({ width: disc.width + ring * 2, height: disc.height + ring * 2 }, 1 - 2 / longer, 3 / longer),
		);
		return put(
			await layered(rim, [{ picture: masked(disc, oval(disc, 1 - 2 / longer, 3 / longer)), left: ring, top: ring }]),
			shorter * 0.04,
		);
	}
	const print = await printOf(picture, longer, longer * 0.022, 1);
	// The shadow reaches over the margin.
	return put(print, shorter * 0.04 - Math.max(2, Math.round(longer * 0.03)) * 2);
}

/** The subject alone, without the empty space about it. */
async function cutoutOf(picture: Picture): Promise<Picture> {
	const { mask } = await subjectOf(picture);
	const cut = masked(picture, mask);
	return crop(cut, contentOf(cut));
}

/** Gives a picture the colours of another: the mean and the spread of each axis of OKLab (after Reinhard et al. 2001). */
export function recoloured(picture: Picture, like: Picture, amount: number): Picture {
	const own = statistics(picture);
	const wanted = statistics(like);
	const scale = own.map(({ spread }, axis) =>
		Math.min(2.2, Math.max(0.45, wanted[axis]!.spread / Math.max(0.004, spread))),
	);
	const data = new Uint8Array(picture.data);
	const lab: Lab = [0, 0, 0];
	for (let index = 0; index < data.length; index += 4) {
		toLab(data[index]!, data[index + 1]!, data[index + 2]!, lab);
		for (const axis of [0, 1, 2] as const) {
			const moved = (lab[axis] - own[axis]!.mean) * scale[axis]! + wanted[axis]!.mean;
			// Light follows less than colour, so that the picture stays readable.
			lab[axis] += (moved - lab[axis]) * amount * (axis === 0 ? 0.7 : 1);
		}
		fromLab(lab[0], lab[1], lab[2], data, index);
	}
	return { ...picture, data };
}

function statistics({ data }: Picture): { mean: number; spread: number }[] {
	const lab: Lab = [0, 0, 0];
	const sums = [0, 0, 0];
	const squares = [0, 0, 0];
	let count = 1e-9;
	for (let index = 0; index < data.length; index += 12) {
		if (data[index + 3]! < 128) continue;
		toLab(data[index]!, data[index + 1]!, data[index + 2]!, lab);
		count++;
		for (const axis of [0, 1, 2] as const) {
			sums[axis]! += lab[axis];
			squares[axis]! += lab[axis] * lab[axis];
		}
	}
	return sums.map((sum, axis) => {
		const mean = sum / count;
		return { mean, spread: Math.sqrt(Math.max(0, squares[axis]! / count - mean * mean)) };
	});
}
