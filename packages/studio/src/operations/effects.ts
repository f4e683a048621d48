import type { Hex } from '../drawing/tools/colour.ts';
import { seeded } from '../drawing/tools/random.ts';
import { definitions, fill, group, line, oval, round, stop } from '../drawing/tools/svg.ts';
import { type Box, drawing, isOpaque, layered, type Picture, pipeline, resized, settle } from './picture.ts';

/** Effects whose strength follows the picture's size, so that they look the same at every size. */
export const effects = {
	blur: (picture: Picture, amount: number) => blurred(picture, (longer(picture) / 110) * amount),
	blurEdges: async (picture: Picture, amount: number) => {
		const soft = await effects.blur(picture, amount * 1.3);
		const sharpPart = await stencilled(picture, ellipse(picture, '#ffffff', 0.25, 0.65, [1, 0]));
		return keepShape(await layered(soft, [{ picture: sharpPart }]), picture);
	},
	sharpen: (picture: Picture, amount: number) =>
		settle(pipeline(picture).sharpen({ sigma: 1 + amount, m1: 1.2 * amount, m2: 2.2 * amount })),
	vignette: async (picture: Picture, amount: number) => {
		const shade = await drawing(picture, ellipse(picture, '#000000', 0.5, 1, [0, Math.min(1, 0.7 * amount)]));
		return layered(picture, [{ picture: shade, blend: 'atop' }]);
	},
	pixelate: async (picture: Picture, amount: number) => {
		const block = Math.max(2, (longer(picture) / 60) * amount);
		const coarse = await fewColours(await resized(picture, picture.width / block, picture.height / block), 40);
		const size = { width: picture.width, height: picture.height, fit: 'fill', kernel: 'nearest' } as const;
		return settle(pipeline(coarse).resize(size));
	},
	grain: async (picture: Picture, amount: number) => {
		const { width, height } = { width: Math.min(256, picture.width), height: Math.min(256, picture.height) };
		const random = seeded('grain');
		const data = new Uint8Array(width * height * 4);
		for (let at = 0; at < data.length; at += 4) {
			const value = 128 + (random.next() + random.next() - 1) * 58 * amount;
			data.set([value, value, value, 255], at);
		}
		const input = { input: Buffer.from(data.buffer), raw: { width, height, channels: 4 as const } };
		return keepShape(await settle(pipeline(picture).composite([{ ...input, tile: true, blend: 'overlay' }])), picture);
	},
	/** Light that spills from the bright parts: a small, blurred picture of them, laid over the whole. */
	glow: async (picture: Picture, amount: number) => {
		const { width, height } = picture;
		const small = await resized(picture, Math.max(4, width / 8), Math.max(4, height / 8));
		const bright = pipeline(small).linear(2.2 * amount, -360 * amount);
		const halo = await settle(bright.blur(Math.max(1, longer(small) / 28)));
		const light = pipeline(halo).removeAlpha().resize({ width, height, fit: 'fill', kernel: 'cubic' });
		return keepShape(await layered(picture, [{ picture: await settle(light), blend: 'screen' }]), picture);
	},
};

/** Looks of paint and pencil. */
export const painterly = {
	/** Pencil lines: the grey picture, divided by its blurred negative. */
	sketch: async (picture: Picture) => {
		const grey = await settle(pipeline(picture).modulate({ saturation: 0 }));
		const negative = await settle(pipeline(grey).negate({ alpha: false }));
		const soft = await blurred(negative, longer(picture) / 130);
		const lines = await layered(grey, [{ picture: soft, blend: 'colour-dodge' }]);
		return keepShape(await settle(pipeline(lines).linear(4.4, -867)), picture);
	},
	watercolour: async (picture: Picture) => {
		const wash = await brushed(picture, 260);
		const pale = await settle(pipeline(wash).modulate({ saturation: 0.85, brightness: 1.08 }));
		return effects.grain(pale, 0.7);
	},
	oil: async (picture: Picture) => {
		const vivid = await settle(pipeline(picture).modulate({ saturation: 1.25 }));
		return layered(vivid, [{ picture: await drawing(vivid, brushStrokes(vivid)), blend: 'atop' }]);
	},
	poster: async (picture: Picture) =>
		fewColours(await settle(pipeline(await brushed(picture, 640)).modulate({ saturation: 1.25 })), 24),
};

async function fewColours(picture: Picture, colours: number): Promise<Picture> {
	const few = await pipeline(picture).png({ palette: true, colours, dither: 0, effort: 1 }).toBuffer();
	return settle(pipeline(picture).composite([{ input: few, blend: 'atop' }]));
}

export function blurred(picture: Picture, sigma: number): Promise<Picture> {
	return settle(pipeline(picture).blur(Math.max(0.3, sigma)));
}

/** Brush strokes: the picture at `side` pixels, its details removed. */
async function brushed(picture: Picture, side: number): Promise<Picture> {
	const shrink = Math.max(1, Math.min(picture.width, picture.height) / side);
	const coarse = await resized(picture, picture.width / shrink, picture.height / shrink);
	const strokes = await settle(pipeline(coarse).median(Math.min(5, coarse.width, coarse.height)));
	return resized(strokes, picture.width, picture.height);
}

function longer({ width, height }: Pick<Box, 'width' | 'height'>) {
	return Math.max(width, height);
}

/** An ellipse as large as the picture, its opacity going from `within` at the radius `from` to `beyond` at `to`. */
function ellipse(
	{ width, height }: Picture,
	colour: Hex,
	from: number,
	to: number,
	[within, beyond]: readonly [within: number, beyond: number],
) {
	const paints = definitions();
	const paint = paints.radial([stop(from, colour, within), stop(to, colour, beyond)]);
	return `${paints}${fill(oval(width / 2, height / 2, width * 0.72, height * 0.72), paint)}`;
}

/** Keeps a picture where the drawing is opaque. */
export async function stencilled(picture: Picture, svg: string): Promise<Picture> {
	return layered(picture, [{ picture: await drawing(picture, svg), blend: 'dest-in' }]);
}

/** Gives a result the transparency of the picture that it was made of. */
async function keepShape(result: Picture, picture: Picture): Promise<Picture> {
	return isOpaque(picture) ? result : layered(result, [{ picture, blend: 'dest-in' }]);
}

/** Strokes in the picture's own colours, along lines that swirl: large ones first, small ones over them. */
function brushStrokes({ data, width, height }: Picture): string {
	const random = seeded('brush');
	const side = Math.min(width, height);
	const longest = Math.min(3, Math.max(width, height) / side);
	const strokes = Array.from({ length: Math.round(11_000 * longest) }, (_, index) => {
		const thick = side / (index < 2000 * longest ? 44 : 120);
		const [x, y] = [random.whole(0, width - 1), random.whole(0, height - 1)];
		const at = (y * width + x) * 4;
		const shade = random.between(0.9, 1.1);
		const colour = [0, 1, 2].map((channel) => Math.min(255, Math.round((data[at + channel] ?? 0) * shade)));
		const turn = Math.sin((x / side) * 5.3) + Math.cos((y / side) * 6.1) + Math.sin(((x + y) / side) * 3.7);
		const [dx, dy] = [Math.cos(turn) * thick * 1.5, Math.sin(turn) * thick * 1.5];
		const path = [x - dx, y - dy, dx - dy * 0.3, dy + dx * 0.3, 2 * dx, 2 * dy].map(round);
		return line(`M${path.slice(0, 2).join(' ')}q${path.slice(2).join(' ')}`, `rgb(${colour.join()})`, thick);
	});
	return group(strokes.join(''), 'opacity="0.82"');
}
