import type { Metadata } from 'sharp';
import { check } from './check.ts';
import { type Bounds, convert, type Prepared } from './convert.ts';
import { type Decoding, decodingOf } from './decoding.ts';
import { readJpegParts } from './jpeg.ts';
import { MAX_INPUT_PIXELS, MAX_SENT_BYTES } from './limits.ts';
import { readMarks } from './marks.ts';
import { leaveOut, type Parts } from './parts.ts';
import { damaged, endsTooEarly, PictureError, withoutDecoderWords } from './picture-error.ts';
import { readPngParts } from './png.ts';
import { sceneChunk } from './scene-chunk.ts';
import type { ReadableType } from './sniff.ts';
import { withMark } from './write-mark.ts';

export { PictureError, type Prepared };

/** Opens only the first frame, no more pixels than the limit, and no truncated file. */
const OPEN = { failOn: 'error', limitInputPixels: MAX_INPUT_PIXELS, pages: 1 } as const;

const SENT: Bounds = { bytes: MAX_SENT_BYTES, side: Number.POSITIVE_INFINITY };

/** The fewest pixels that a picture is scaled down to so that there is memory for it. */
const MIN_PIXELS = 4_000_000;

/**
 * Turns a person's file into a picture that the service accepts: a PNG or JPEG, complete, upright, sRGB, not animated, and without
 * metadata. A PNG or JPEG that already fits is taken byte for byte; text, EXIF and the like are removed without changing a pixel where
 * possible, apart from the scene that Easel's own service keeps in its pictures for later edits. Credentials would be broken and are
 * removed as well; what a machine had to do with the picture is said in new metadata then. Decodes off the main thread.
 * @throws PictureError
 */
export async function prepare(bytes: Uint8Array, signal?: AbortSignal, bounds = SENT): Promise<Prepared> {
	const prepared = await withoutMetadata(bytes, signal, bounds);
	const { source } = readMarks(bytes);
	return source ? { ...prepared, bytes: withMark(prepared.bytes, source) } : prepared;
}

async function withoutMetadata(bytes: Uint8Array, signal: AbortSignal | undefined, bounds: Bounds): Promise<Prepared> {
	const type = check(bytes);
	const { default: sharp } = await import('sharp');
	// libvips would keep up to 50 MB of what it has decoded, which is never asked for again.
	sharp.cache(false);
	const parts = readParts(bytes, type);
	const picture = leaveOut(bytes, parts.extras, parts.end);

	return withoutDecoderWords(signal, async () => {
		const header = await sharp(picture, OPEN).metadata();
		const { format, depth, space, icc, orientation = 1, autoOrient } = header;
		if (`image/${format}` !== type) throw damaged();
		const decoding = decodingOf(header, picture);
		checkMemory(header, decoding);
		const { width, height } = autoOrient;
		const fits = picture.length <= bounds.bytes && Math.max(width, height) <= bounds.side;
		const isPlain = depth === 'uchar' && space !== 'cmyk' && !icc && orientation <= 1 && fits;
		if (!isPlain || (type !== 'image/png' && type !== 'image/jpeg')) {
			return decoding.use(decoding.maxPixels, signal, () =>
				convert(() => sharp(picture, OPEN), type === 'image/jpeg', { ...bounds, pixels: decoding.maxPixels }),
			);
		}
		// Decodes everything and keeps almost nothing: rows are streamed, and a small target saves most arithmetic.
		await decoding.use(0, signal, () => sharp(picture, OPEN).resize(16, 16, { fit: 'fill' }).raw().toBuffer());
		const scene = type === 'image/png' ? sceneChunk(bytes, parts) : undefined;
		const extras = parts.extras.filter((range) => range !== scene);
		const bare = leaveOut(
			bytes,
			// A profile that was not found to be one could still do harm elsewhere.
			[...extras, ...parts.exif, ...parts.profile].sort(([a], [b]) => a - b),
			parts.end,
		);
		return { bytes: bare, type, width, height };
	});
}

/** @throws PictureError when decoding would take more memory than there is, or leave little of the picture */
function checkMemory({ width, height }: Metadata, { pixels, maxPixels }: Decoding): void {
	if (maxPixels < Math.min(pixels, MIN_PIXELS)) throw new PictureError('errors.picture.memory', { width, height });
}

/** Reads the parts of the two kinds that can be taken as they are. */
function readParts(bytes: Uint8Array, type: ReadableType): Parts {
	if (type !== 'image/png' && type !== 'image/jpeg') return { extras: [], exif: [], profile: [], end: bytes.length };
	const parts = type === 'image/png' ? readPngParts(bytes) : readJpegParts(bytes);
	if (!parts) throw endsTooEarly();
	return parts;
}
