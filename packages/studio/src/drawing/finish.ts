/** From vectors to the finished picture: raster, bloom, the look of a style, grain, PNG. All of it runs in libvips' threads. */
import sharp, { type Sharp } from 'sharp';
import type { Mood, Style } from '../scene/names.ts';
import { brushStrokes } from './brush-strokes.ts';
import { seeded } from './random.ts';

export interface Finish {
	readonly width: number;
	readonly height: number;
	readonly style: Style | undefined;
	readonly mood: Mood | undefined;
}

const grainSide = 256;

/** A tile of film grain about middle grey, repeated over the picture; drawing it takes a millisecond or two. */
function grain(strength: number, picture: Pixels) {
	const [width, height] = [Math.min(grainSide, picture.width), Math.min(grainSide, picture.height)];
	const random = seeded('grain');
	const input = Buffer.allocUnsafe(width * height * 3);
	for (let at = 0; at < input.length; at += 3)
		input.fill(128 + (random.next() + random.next() - 1) * strength, at, at + 3);
	return { input, raw: { width, height, channels: 3 as const }, tile: true, blend: 'overlay' as const };
}

interface Look {
	readonly grain: number;
	readonly bloom: number;
	/** Each works on finished pixels: chained, libvips would compute a median again for every neighbourhood that a sharpening reads. */
	readonly steps?: readonly ((picture: Sharp) => Sharp)[];
	/** Painted this many times coarser than the picture, whatever its size. */
	readonly coarse?: number;
	/** Made of this many pixels along the short side. */
	readonly pixels?: number;
	/** Printed in so few colours. */
	readonly colours?: number;
	/** Grey wash under drawn outlines. */
	readonly outlined?: boolean;
	/** Painted with strokes of a brush. */
	readonly brushed?: boolean;
}

const plain: Look = { grain: 10, bloom: 0.3 };

const looks: Readonly<Record<Style, Look>> = {
	watercolour: {
		coarse: 1.5,
		grain: 15,
		bloom: 0.1,
		steps: [(picture) => picture.median(5), (picture) => picture.modulate({ saturation: 0.82, brightness: 1.07 })],
	},
	minimal: { grain: 7, bloom: 0.1, steps: [(picture) => picture.modulate({ saturation: 0.85 })] },
	pixel: { grain: 0, bloom: 0, pixels: 112, colours: 40 },
	flat: { grain: 0, bloom: 0, steps: [(picture) => picture.modulate({ saturation: 1.12 })] },
	noir: { grain: 36, bloom: 0.3, steps: [(picture) => picture.greyscale().linear(1.35, -44)] },
	neon: { grain: 14, bloom: 0.75, steps: [(picture) => picture.modulate({ saturation: 1.35 })] },
	pastel: { grain: 13, bloom: 0.2, steps: [(picture) => picture.modulate({ saturation: 0.7 }).linear(0.7, 74)] },
	ink: { grain: 20, bloom: 0, outlined: true },
	oil: { grain: 15, bloom: 0.15, brushed: true, steps: [(picture) => picture.modulate({ saturation: 1.25 })] },
	poster: { grain: 20, bloom: 0, colours: 18, steps: [(picture) => picture.modulate({ saturation: 1.15 })] },
	vintage: {
		grain: 38,
		bloom: 0.2,
		steps: [
			(picture) =>
				picture
					.modulate({ saturation: 0.55 })
					.recomb([
						[0.95, 0.12, 0.02],
						[0.06, 0.88, 0.02],
						[0.06, 0.1, 0.66],
					])
					.linear(0.86, 26),
		],
	},
};

const moods: Readonly<Partial<Record<Mood, (picture: Sharp) => Sharp>>> = {
	calm: (picture) => picture.modulate({ saturation: 0.9 }),
	cosy: (picture) =>
		picture.recomb([
			[1.05, 0.02, 0],
			[0, 1, 0],
			[0, 0, 0.9],
		]),
	eerie: (picture) => picture.modulate({ saturation: 0.75, brightness: 0.92 }),
	joyful: (picture) => picture.modulate({ saturation: 1.15, brightness: 1.03 }),
	dramatic: (picture) => picture.linear(1.14, -16),
	lonely: (picture) => picture.modulate({ saturation: 0.7 }),
};

const software = 'Easel Studio';

/** Rasterises a composed scene and gives it its look; `signal` is heeded between the steps. */
export async function finish(
	svg: string,
	{ width, height, style, mood }: Finish,
	signal?: AbortSignal,
): Promise<Uint8Array> {
	const look = style ? looks[style] : plain;
	const shrink = look.pixels ? Math.max(1, Math.min(width, height) / look.pixels) : (look.coarse ?? 1);
	const small = { width: Math.max(1, Math.round(width / shrink)), height: Math.max(1, Math.round(height / shrink)) };
	const raster = await pixels(
		sharp(Buffer.from(svg), { limitInputPixels: 2 ** 24 }).resize(small.width, small.height, { fit: 'fill' }),
	);
	signal?.throwIfAborted();
	const light = look.bloom > 0 ? [await bloom(raster, look.bloom)] : [];
	const steps = look.steps ?? (mood && moods[mood] ? [moods[mood]] : []);
	const asIs = steps.length === 0 && !look.outlined && !look.brushed && !look.colours && shrink === 1;
	const bloomed = asIs || light.length === 0 ? raster : await pixels(open(raster).composite(light));
	let applied = bloomed;
	for (const step of steps) applied = await pixels(step(open(applied)));
	const styled = look.outlined ? await outlined(applied) : look.brushed ? await brushed(applied) : applied;
	const posterised = look.colours ? await fewColours(styled, look.colours) : styled;
	const kernel = look.pixels ? 'nearest' : 'cubic';
	const sized = shrink > 1 ? await pixels(open(posterised).resize(width, height, { kernel, fit: 'fill' })) : posterised;
	signal?.throwIfAborted();
	// One pass for both layers where nothing comes between them.
	const layers = [...(asIs ? light : []), ...(look.grain > 0 ? [grain(look.grain, sized)] : [])];
	return open(sized)
		.composite(layers)
		.removeAlpha()
		.png({ compressionLevel: 3 })
		.withExif({ IFD0: { Software: software } })
		.toBuffer();
}

interface Pixels {
	readonly data: Buffer;
	readonly width: number;
	readonly height: number;
}

async function pixels(picture: Sharp): Promise<Pixels> {
	const { data, info } = await picture.removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
	return { data, width: info.width, height: info.height };
}

const open = ({ data, width, height }: Pixels) =>
	sharp(data, { raw: { width, height, channels: (data.length / (width * height)) as 1 | 3 } });

/** Light runs over edges: a small, blurred picture of the bright parts, laid over the whole. */
async function bloom(picture: Pixels, strength: number) {
	const [w, h] = [Math.max(4, Math.round(picture.width / 8)), Math.max(4, Math.round(picture.height / 8))];
	const bright = await pixels(
		open(picture)
			.resize(w, h, { fit: 'fill' })
			.linear(2.2 * strength, -360 * strength)
			.blur(Math.max(1, Math.min(w, h) / 28)),
	);
	const { width, height } = picture;
	const input = await open(bright).resize(width, height, { fit: 'fill', kernel: 'cubic' }).raw().toBuffer();
	return { input, raw: { width, height, channels: 3 as const }, blend: 'screen' as const };
}

async function fewColours(picture: Pixels, colours: number): Promise<Pixels> {
	return pixels(
		sharp(await open(picture).png({ palette: true, colours, dither: 0, effort: 1, compressionLevel: 0 }).toBuffer()),
	);
}

async function brushed(picture: Pixels): Promise<Pixels> {
	const channels = picture.data.length / (picture.width * picture.height);
	const strokes = open(picture).composite([{ input: brushStrokes({ ...picture, channels }) }]);
	return pixels(open(await pixels(strokes)).sharpen({ sigma: 1.6, m1: 1.5, m2: 2 }));
}

/** A pale wash, and over it dark lines where neighbouring pixels differ. */
async function outlined(picture: Pixels): Promise<Pixels> {
	const kernel = [-1, -1, -1, -1, 8, -1, -1, -1, -1];
	const edges = open(picture).blur(1.1).greyscale().convolve({ width: 3, height: 3, kernel, scale: 1 });
	const lines = await pixels(
		open(await pixels(edges))
			.linear(-9, 262)
			.toColourspace('srgb'),
	);
	const wash = open(picture).modulate({ saturation: 0.12 }).linear([0.62, 0.6, 0.55], [98, 94, 84]);
	const { data, width, height } = lines;
	const channels = (data.length / (width * height)) as 1 | 3;
	return pixels(
		open(await pixels(wash)).composite([{ input: data, raw: { width, height, channels }, blend: 'multiply' }]),
	);
}
