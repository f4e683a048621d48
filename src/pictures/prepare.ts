import type { Sharp } from 'sharp';
import { megabytes } from '../domain/text.ts';
import { SentenceError } from '../i18n/translator.ts';
import { decodingOf } from './decoding.ts';
import { readMarks, withMark } from './marks.ts';
import { leaveOut, type ReadableType, readJpegParts, readPngParts, type Sections, sceneChunk, sniff } from './parts.ts';

/**
 * The service takes "about 10 MB" a picture, without saying which MB. People may send the larger 10 MB, which is also Discord's;
 * pictures above the smaller 10 MB are reduced before they are sent, with room for a mark.
 */
export const MAX_INPUT_BYTES = 10 * 1024 * 1024;
export const MAX_SENT_BYTES = 10_000_000 - 1000;

/** Enough for a 50-megapixel phone camera. Decoded at once, such a picture takes at most 200 MB. */
const MAX_INPUT_PIXELS = 50_000_000;

/** Longest side: the maximum of WebP, which other programs can still show. https://developers.google.com/speed/webp/faq */
const MAX_INPUT_SIDE = 16_383;

/** Thrown when a file cannot be used as a picture. */
export class PictureError extends SentenceError {
	override name = 'PictureError';
}

const damaged = () => new PictureError('errors.picture.damaged');

const endsTooEarly = () => new PictureError('errors.picture.truncated');

/** Replaces errors of the decoder, whose messages are for programmers. The reason of an abort stays. */
async function withoutDecoderWords<Result>(
	signal: AbortSignal | undefined,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		signal?.throwIfAborted();
		if (error instanceof PictureError) throw error;
		throw /premature|unexpected end|truncated/i.test(String(error)) ? endsTooEarly() : damaged();
	}
}

/**
 * Checks a picture by its first bytes, before anything is decoded.
 * @throws PictureError
 */
export function check(bytes: Uint8Array): ReadableType {
	if (bytes.length === 0) throw new PictureError('errors.picture.empty');
	const sniffed = sniff(bytes);
	if (!sniffed) throw new PictureError('errors.picture.unknown');
	const { type, width, height, kind } = sniffed;
	if (kind !== undefined) throw new PictureError('errors.picture.kind', { kind });
	if (bytes.length > MAX_INPUT_BYTES) {
		const [size, most] = [megabytes(bytes.length), megabytes(MAX_INPUT_BYTES)];
		throw new PictureError('errors.picture.bytes', { size, most });
	}
	if (width === 0 || height === 0) throw damaged();
	if (width * height > MAX_INPUT_PIXELS) {
		throw new PictureError('errors.picture.pixels', { width, height, most: MAX_INPUT_PIXELS / 1e6 });
	}
	if (Math.max(width, height) > MAX_INPUT_SIDE) {
		throw new PictureError('errors.picture.side', { width, height, most: MAX_INPUT_SIDE });
	}
	return type;
}

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
		const { pixels, maxPixels } = decoding;
		// Decoding would take more memory than there is, or leave little of the picture.
		if (maxPixels < Math.min(pixels, MIN_PIXELS))
			throw new PictureError('errors.picture.memory', { width: header.width, height: header.height });
		const { width, height } = autoOrient;
		const fits = picture.length <= bounds.bytes && Math.max(width, height) <= bounds.side;
		const isPlain = depth === 'uchar' && space !== 'cmyk' && !icc && orientation <= 1 && fits;
		if (!isPlain || (type !== 'image/png' && type !== 'image/jpeg')) {
			return decoding.use(maxPixels, signal, () =>
				convert(() => sharp(picture, OPEN), type === 'image/jpeg', { ...bounds, pixels: maxPixels }),
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

/** Reads the parts of the two kinds that can be taken as they are. */
function readParts(bytes: Uint8Array, type: ReadableType): Sections {
	if (type !== 'image/png' && type !== 'image/jpeg') return { extras: [], exif: [], profile: [], end: bytes.length };
	const parts = type === 'image/png' ? readPngParts(bytes) : readJpegParts(bytes);
	if (!parts) throw endsTooEarly();
	return parts;
}

/** Chat models scale larger pictures down themselves. https://developers.openai.com/api/docs/guides/images-vision */
const BOUNDS = { side: 1536, bytes: 1_000_000 };

/**
 * Turns a person's file into a picture for a chat model: as `prepare`, and with a longer side of at most 1536 pixels and 1 MB.
 * @throws PictureError
 */
export const reduce = async (bytes: Uint8Array): Promise<Uint8Array> => (await prepare(bytes, undefined, BOUNDS)).bytes;

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
async function convert(open: () => Sharp, asJpeg: boolean, bounds: Bounds & { pixels: number }): Promise<Prepared> {
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
