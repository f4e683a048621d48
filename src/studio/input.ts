import sharp from 'sharp';

/** Accepted formats, by the decoder's names. */
export type InputFormat = 'png' | 'jpeg' | 'webp' | 'gif';

/** Pixels as a person sees them, after the turn that EXIF asks for; of the first frame when animated. */
export type InputHeader = { format: InputFormat; width: number; height: number };

/** "About 10 MB": the limit that the published interface gives for one input picture. */
export const MAX_INPUT_BYTES = 10 * 1024 * 1024;

/** Room for a 50-megapixel telephone camera; a decoded picture of this size takes 200 MB at most. */
const MAX_INPUT_PIXELS = 50_000_000;

/** Decoder options of every input picture: first frame only, no more pixels than the cap, no truncated data. */
const INPUT_OPTIONS = { failOn: 'error', limitInputPixels: MAX_INPUT_PIXELS, pages: 1 } as const;

/** Thrown when an input cannot be used as a picture. The message is one sentence for the caller. */
export class InputError extends Error {
	override name = 'InputError';
	readonly status: 400 | 413;

	constructor(message: string, status: 400 | 413 = 400) {
		super(message);
		this.status = status;
	}
}

/**
 * Says what a picture is, after making sure that it can be decoded to its end. The cheap checks come first, so that no
 * pixel is decoded before its header was found sound.
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
	const { width, height } = await readHeader(bytes, format);
	if (width * height > MAX_INPUT_PIXELS) {
		throw new InputError(
			`The picture has ${width} × ${height} pixels; at most ${MAX_INPUT_PIXELS / 1e6} million are taken.`,
		);
	}
	await decodeToEnd(bytes, format);
	return { format, width, height };
}

/** By magic bytes: neither a file's name nor its claimed type is worth anything. */
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

async function readHeader(bytes: Uint8Array, format: InputFormat) {
	try {
		// Without the pixel cap, which is for the caller to name with the figures: nothing is decoded here.
		const header = await sharp(bytes, { ...INPUT_OPTIONS, limitInputPixels: false }).metadata();
		if (header.format === format) return header.autoOrient;
	} catch {
		// The decoder's own words are for programmers.
	}
	throw damaged(format);
}

/** Reads all of it and keeps next to nothing: libvips streams the rows, and a small target lets it skip most arithmetic. */
async function decodeToEnd(bytes: Uint8Array, format: InputFormat) {
	try {
		await sharp(bytes, INPUT_OPTIONS).resize(16, 16, { fit: 'fill' }).raw().toBuffer();
	} catch {
		throw damaged(format);
	}
}

function damaged(format: InputFormat) {
	return new InputError(`The ${format.toUpperCase().replace('WEBP', 'WebP')} file is damaged or cut off.`);
}

/** Rounded up, so that what is over the limit never looks like the limit. */
function megabytes(bytes: number) {
	return Math.ceil((bytes / 1024 / 1024) * 10) / 10;
}
