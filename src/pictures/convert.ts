import type { Sharp } from 'sharp';
import { MAX_SENT_BYTES } from './limits.ts';

export type Prepared = { bytes: Uint8Array; type: 'image/png' | 'image/jpeg'; width: number; height: number };

type Encode = (picture: Sharp) => Sharp;

const PNG: readonly Encode[] = [(picture) => picture.png()];

/** Indistinguishable from the original, then the quality of most cameras. */
const JPEG: readonly Encode[] = [
	(picture) => picture.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }),
	(picture) => picture.jpeg({ quality: 80 }),
];

/** The largest picture to make: its bytes, and the pixels of its longer side. */
type Bounds = { bytes: number; side: number };

/**
 * Encodes a picture again: upright, in sRGB with 8 bits, and without metadata. As JPEG if it was one, or if the PNG would be too large
 * and the picture is opaque; scaled down if that is not enough.
 * @param open reads the picture from its start; called once for each attempt
 */
export async function convert(
	open: () => Sharp,
	asJpeg: boolean,
	bounds: Bounds = { bytes: MAX_SENT_BYTES, side: Number.POSITIVE_INFINITY },
): Promise<Prepared> {
	const { width, height } = (await open().metadata()).autoOrient;
	for (let scale = Math.min(1, bounds.side / Math.max(width, height)); ; ) {
		let length = 0;
		for (const encode of asJpeg ? JPEG : PNG) {
			const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale), fit: 'fill' } as const;
			const picture = encode(open().autoOrient().resize(size).toColourspace('srgb'));
			const { data, info } = await picture.toBuffer({ resolveWithObject: true });
			if (data.length <= bounds.bytes) {
				return { bytes: data, type: asJpeg ? 'image/jpeg' : 'image/png', width: info.width, height: info.height };
			}
			length = data.length;
		}
		if (!asJpeg && (await open().stats()).isOpaque) return convert(open, true, bounds);
		scale *= Math.min(0.9, Math.sqrt(bounds.bytes / length));
	}
}
