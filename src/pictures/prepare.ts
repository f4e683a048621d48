import { check } from './check.ts';
import { convert, type Prepared } from './convert.ts';
import { readJpegParts } from './jpeg.ts';
import { MAX_INPUT_PIXELS, MAX_SENT_BYTES } from './limits.ts';
import { leaveOut, type Parts } from './parts.ts';
import { damaged, endsTooEarly, PictureError, withoutDecoderWords } from './picture-error.ts';
import { readPngParts } from './png.ts';
import type { ReadableType } from './sniff.ts';

export { PictureError };

/** How a picture is opened: its first frame alone, no more pixels than the cap, nothing that ends halfway. */
const OPEN = { failOn: 'error', limitInputPixels: MAX_INPUT_PIXELS, pages: 1 } as const;

/**
 * Makes of what a person brought a picture that the service surely takes: a PNG or JPEG, whole, upright, sRGB, not animated,
 * and with nothing in it but the picture. A PNG or JPEG that is all this already is taken byte for byte; what has text, EXIF
 * or the like in it is rid of that without touching a pixel, where it can be. Decodes off the main thread.
 * @throws PictureError
 */
export async function prepare(bytes: Uint8Array): Promise<Prepared> {
	const type = check(bytes);
	const { default: sharp } = await import('sharp');
	const parts = readParts(bytes, type);
	const picture = leaveOut(bytes, parts.extras, parts.end);

	return withoutDecoderWords(async () => {
		const { format, depth, space, icc, orientation = 1, autoOrient } = await sharp(picture, OPEN).metadata();
		if (`image/${format}` !== type) throw damaged();
		const isPlain =
			depth === 'uchar' && space !== 'cmyk' && !icc && orientation <= 1 && picture.length <= MAX_SENT_BYTES;
		if (!isPlain || (type !== 'image/png' && type !== 'image/jpeg')) {
			return convert(() => sharp(picture, OPEN), type === 'image/jpeg');
		}
		// Reads all of it and keeps next to nothing: rows are streamed, and a small target saves most arithmetic.
		await sharp(picture, OPEN).resize(16, 16, { fit: 'fill' }).raw().toBuffer();
		const bare = leaveOut(
			bytes,
			[...parts.extras, ...parts.exif].sort(([a], [b]) => a - b),
			parts.end,
		);
		return { bytes: bare, type, width: autoOrient.width, height: autoOrient.height };
	});
}

/** Of the two kinds that may be taken as they are. */
function readParts(bytes: Uint8Array, type: ReadableType): Parts {
	if (type !== 'image/png' && type !== 'image/jpeg') return { extras: [], exif: [], end: bytes.length };
	const parts = type === 'image/png' ? readPngParts(bytes) : readJpegParts(bytes);
	if (!parts) throw endsTooEarly();
	return parts;
}
