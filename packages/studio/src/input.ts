import sharp from 'sharp';
import { decodingMemory, isTooLarge, MAX_DECODING_BYTES } from './budget.ts';
import { ApiError } from './http/api-error.ts';

/** Accepted formats, by the decoder's names. */
export type InputFormat = 'png' | 'jpeg' | 'webp' | 'gif';

/** Pixels as displayed, after the rotation by EXIF; of the first frame when animated. */
export type InputHeader = { format: InputFormat; width: number; height: number };

/** The published interface allows about 10 MB for one input picture. */
export const MAX_INPUT_BYTES = 10 * 1024 * 1024;

/** Allows phone cameras of 50 megapixels; a decoded picture of this size takes at most 200 MB. */
const MAX_INPUT_PIXELS = 50_000_000;

/** Decoder options of every input picture: first frame only, no more pixels than the cap, no truncated data. */
const INPUT_OPTIONS = { failOn: 'error', limitInputPixels: MAX_INPUT_PIXELS, pages: 1 } as const;

/** Thrown when an input cannot be used as a picture. The message is one sentence for the caller. */
export class InputError extends ApiError {
	constructor(message: string, status: 400 | 413 = 400) {
		super(status, message, { code: 'invalid_image' });
	}
}

/**
 * Returns the format and size of a picture, after checking that all of it can be decoded. Cheap checks come first: no pixel
 * is decoded before the header is valid.
 * @throws InputError
 */
export async function readInput(bytes: Uint8Array): Promise<InputHeader> {
	if (bytes.length === 0) throw new InputError('The picture is empty.');
	if (bytes.length > MAX_INPUT_BYTES) {
		throw new InputError(
			`The picture has ${megabytes(bytes.length)} MB; at most ${megabytes(MAX_INPUT_BYTES)} MB are taken.`,
			413,
		);
	}
	const format = sniff(bytes);
	// Without the pixel limit, which is told with the size: nothing is decoded here.
	const header = await undamaged(format, sharp(bytes, { ...INPUT_OPTIONS, limitInputPixels: false }).metadata());
	const { width, height } = header.autoOrient;
	const size = `The picture has ${width} × ${height} pixels`;
	if (width * height > MAX_INPUT_PIXELS)
		throw new InputError(`${size}; at most ${MAX_INPUT_PIXELS / 1e6} million are taken.`);
	if (isTooLarge(header))
		throw new InputError(`${size}, which would take too much memory; a smaller one, or a plain PNG or JPEG, is taken.`);
	// Decodes everything and keeps next to nothing: libvips streams the rows, and a small target saves most arithmetic.
	const decode = () => sharp(bytes, INPUT_OPTIONS).resize(16, 16, { fit: 'fill' }).raw().toBuffer();
	await undamaged(format, decodingMemory.use(MAX_DECODING_BYTES, undefined, decode));
	return { format, width, height };
}

/** The decoder's message is for programmers. */
async function undamaged<Result>(format: InputFormat, reading: Promise<Result>): Promise<Result> {
	try {
		return await reading;
	} catch {
		throw new InputError(`The ${format.toUpperCase().replace('WEBP', 'WebP')} file is damaged or cut off.`);
	}
}

/** Recognises the format by magic bytes; a file's name and its declared type are not trusted. */
function sniff(bytes: Uint8Array): InputFormat {
	const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 32)).toString('latin1');
	if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
	if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
	if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'webp';
	if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif';
	if (/^.{4}ftyp(?:hei|hev|mif1|msf1|avi)/s.test(start)) {
		throw new InputError('HEIC and AVIF pictures are not taken; send it as PNG, JPEG, WebP or GIF.');
	}
	throw new InputError('This is not a picture that can be read; PNG, JPEG, WebP and GIF are taken.');
}

/** Rounded up, so that a size above the limit never looks like the limit. */
function megabytes(bytes: number) {
	return Math.ceil((bytes / 1024 / 1024) * 10) / 10;
}
