import { check } from './check.ts';
import { convert, type Prepared } from './convert.ts';
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

/**
 * Turns a person's file into a picture that the service accepts: a PNG or JPEG, complete, upright, sRGB, not animated, and without
 * metadata. A PNG or JPEG that already fits is taken byte for byte; text, EXIF and the like are removed without changing a pixel where
 * possible, apart from the scene that Easel's own service keeps in its pictures for later edits. Credentials would be broken and are
 * removed as well; what a machine had to do with the picture is said in new metadata then. Decodes off the main thread.
 * @throws PictureError
 */
export async function prepare(bytes: Uint8Array): Promise<Prepared> {
	const prepared = await withoutMetadata(bytes);
	const { source } = readMarks(bytes);
	return source ? { ...prepared, bytes: withMark(prepared.bytes, source) } : prepared;
}

async function withoutMetadata(bytes: Uint8Array): Promise<Prepared> {
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
		// Decodes everything and keeps almost nothing: rows are streamed, and a small target saves most arithmetic.
		await sharp(picture, OPEN).resize(16, 16, { fit: 'fill' }).raw().toBuffer();
		const scene = type === 'image/png' ? sceneChunk(bytes, parts) : undefined;
		const extras = parts.extras.filter((range) => range !== scene);
		const bare = leaveOut(
			bytes,
			[...extras, ...parts.exif].sort(([a], [b]) => a - b),
			parts.end,
		);
		return { bytes: bare, type, width: autoOrient.width, height: autoOrient.height };
	});
}

/** Reads the parts of the two kinds that can be taken as they are. */
function readParts(bytes: Uint8Array, type: ReadableType): Parts {
	if (type !== 'image/png' && type !== 'image/jpeg') return { extras: [], exif: [], end: bytes.length };
	const parts = type === 'image/png' ? readPngParts(bytes) : readJpegParts(bytes);
	if (!parts) throw endsTooEarly();
	return parts;
}
