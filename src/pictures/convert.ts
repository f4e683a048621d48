import type { Sharp } from 'sharp';

export type Prepared = { bytes: Uint8Array; type: 'image/png' | 'image/jpeg'; width: number; height: number };

type Encode = (picture: Sharp) => Sharp;

const PNG: readonly Encode[] = [(picture) => picture.png()];

/** Indistinguishable from the original, then the quality of most cameras. Optimised coding would hold 6 bytes of each pixel. */
const JPEG: readonly Encode[] = [
	(picture) => picture.jpeg({ quality: 92, chromaSubsampling: '4:4:4', optimiseCoding: false }),
	(picture) => picture.jpeg({ quality: 80, optimiseCoding: false }),
];

/** The largest picture to make: its bytes, and the pixels of its longer side. */
export type Bounds = { bytes: number; side: number };

/**
 * Encodes a picture again: upright, in sRGB with 8 bits, and without metadata. As JPEG if it was one, or if the PNG would be too large
 * and the picture is opaque; scaled down if that is not enough.
 * @param open reads the picture from its start; called once for each attempt
 */
export async function convert(
	open: () => Sharp,
	asJpeg: boolean,
	bounds: Bounds & { pixels: number },
): Promise<Prepared> {
	const { hasAlpha, autoOrient } = await open().metadata();
	const { width, height } = autoOrient;
	const most = Math.min(1, bounds.side / Math.max(width, height), Math.sqrt(bounds.pixels / (width * height)));
	for (let scale = most; ; ) {
		const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale), fit: 'fill' } as const;
		let made = new Uint8Array();
		for (const encode of asJpeg ? JPEG : PNG) {
			const picture = encode(open().autoOrient().resize(size).toColourspace('srgb'));
			const { data, info } = await picture.toBuffer({ resolveWithObject: true });
			if (data.length <= bounds.bytes) {
				return { bytes: data, type: asJpeg ? 'image/jpeg' : 'image/png', width: info.width, height: info.height };
			}
			made = data;
		}
		if (!asJpeg && (!hasAlpha || (await isOpaque(made)))) return convert(open, true, bounds);
		scale *= Math.min(0.9, Math.sqrt(bounds.bytes / made.length));
	}
}

/** The side that transparency is looked for at: of 50 megapixels, a transparent one is still a fiftieth of a pixel then. */
const OPACITY_SIDE = 1024;

/** Tells whether a PNG that was made here has no transparent pixel, reading it row by row: statistics would hold all of it. */
async function isOpaque(png: Uint8Array): Promise<boolean> {
	const { default: sharp } = await import('sharp');
	const transparent = sharp(png).extractChannel('alpha').threshold(255).negate();
	const size = { width: OPACITY_SIDE, height: OPACITY_SIDE, fit: 'fill', withoutEnlargement: true } as const;
	return (await transparent.resize(size).raw().toBuffer()).every((value) => value === 0);
}
