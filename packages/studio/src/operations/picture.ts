import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import type { Size } from '../drawing/compose.ts';

/** A decoded picture: 8-bit sRGB with alpha (not premultiplied), row by row from the top left. */
export type Picture = { data: Uint8Array; width: number; height: number };

/**
 * Longest side of a result. Larger inputs are scaled down to it first, which bounds the time and the memory of any list of
 * operations; chat platforms show no more.
 */
export const LONGEST_SIDE = 2048;

/** Decodes a picture upright (EXIF), first frame only, scaled into `LONGEST_SIDE`. Rejects when it can't be decoded. */
export function readPicture(bytes: Uint8Array): Promise<Picture> {
	return settle(
		sharp(bytes, { autoOrient: true, failOn: 'error' })
			.resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
			.toColourspace('srgb'),
	);
}

/** A PNG that names its program; without an alpha channel when nothing is transparent. */
export async function writePicture(picture: Picture): Promise<Uint8Array> {
	const image = pipeline(picture);
	if (isOpaque(picture)) image.removeAlpha();
	return image
		.png({ compressionLevel: 3 })
		.withExif({ IFD0: { Software: 'Easel Studio' } })
		.toBuffer();
}

/** Starts libvips operations on a picture; `settle` runs them. */
export function pipeline({ data, width, height }: Picture): Sharp {
	return sharp(data, { raw: { width, height, channels: 4 } });
}

export async function settle(image: Sharp): Promise<Picture> {
	const { data, info } = await image.ensureAlpha().raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
	return { data, width: info.width, height: info.height };
}

export function isOpaque({ data }: Picture): boolean {
	for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
	return true;
}

/** Stretches to exactly this size, or covers it and cuts what passes over the sides. */
export function resized(picture: Picture, width: number, height: number, fit: 'fill' | 'cover' = 'fill') {
	return settle(pipeline(picture).resize({ width: whole(width), height: whole(height), fit }));
}

/** Fills a size, and crops where least is to be seen. */
export function cover(picture: Picture, { width, height }: Size): Promise<Picture> {
	const size = { width: whole(width), height: whole(height) };
	return settle(pipeline(picture).resize({ ...size, fit: 'cover', position: 'attention' }));
}

/** A number of pixels: whole, at least 1, at most `LONGEST_SIDE`. */
export function whole(pixels: number): number {
	return Math.max(1, Math.min(LONGEST_SIDE, Math.round(pixels)));
}

/** Rasterises the inside of an SVG document, of the given size in pixels. */
export function drawing({ width, height }: Size, svg: string): Promise<Picture> {
	const document = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${svg}</svg>`;
	return settle(sharp(Buffer.from(document)).resize(width, height, { fit: 'fill' }));
}

export type Layer = { picture: Picture; left?: number; top?: number; blend?: Blend };
export type Blend = 'over' | 'screen' | 'multiply' | 'overlay' | 'colour-dodge' | 'atop' | 'dest-in';

/** Lays pictures on a base, the first of `layers` lowest. Parts beyond the base are cropped. */
export async function layered(base: Picture, layers: readonly Layer[]): Promise<Picture> {
	const inputs: OverlayOptions[] = [];
	for (const { picture, left = 0, top = 0, blend = 'over' } of layers) {
		const [x, y] = [Math.round(left), Math.round(top)];
		const hidden = { left: Math.max(0, -x), top: Math.max(0, -y) };
		const width = Math.min(picture.width, base.width - x) - hidden.left;
		const height = Math.min(picture.height, base.height - y) - hidden.top;
		if (width <= 0 || height <= 0) continue;
		const isWhole = width === picture.width && height === picture.height;
		const { data } = isWhole ? picture : await crop(picture, { ...hidden, width, height });
		inputs.push({
			input: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
			raw: { width, height, channels: 4 },
			left: Math.max(0, x),
			top: Math.max(0, y),
			blend,
		});
	}
	return inputs.length === 0 ? base : settle(pipeline(base).composite(inputs));
}

export type Box = { left: number; top: number; width: number; height: number };

/** A part of a picture; the box must lie in it. */
export function crop(picture: Picture, box: Box): Promise<Picture> {
	return settle(pipeline(picture).extract(box));
}

/** A picture of one colour. */
export function plain({ width, height }: Size, background: string): Promise<Picture> {
	return settle(sharp({ create: { width, height, channels: 4, background } }));
}
