import type { Metadata, PngOptions, Sharp } from 'sharp';
import { decodingOf } from './decoding.ts';
import { readMarks, withMark } from './marks.ts';
import type { Size } from './parts.ts';

/** The change that made a picture fit. */
export type Fitting = { how: 'unchanged' } | { how: 'packed' } | { how: 'scaled'; from: Size; to: Size };

/** Sizes that are tried beyond the first that fits. Each costs as much as compressing the picture once. */
const MAX_TRIES = 6;

/** A picture that uses this share of the limit is large enough. */
const GOOD_ENOUGH = 0.96;

/** The share of the limit that the search aims at: a little less than allowed, since the target is met only roughly. */
const AIM = 0.985;

/** Compression settings of PNG, the usually better first. Which filter is better depends on the picture. */
const PACKED = [
	{ compressionLevel: 9, adaptiveFiltering: true },
	{ compressionLevel: 9, adaptiveFiltering: false },
] as const;

/**
 * Makes a picture fit into a number of bytes: unchanged if it fits, else compressed better with the same pixels, depth and colour
 * profile, else scaled down (Lanczos) to about the largest size that fits. Works off the main thread. A picture that is not unchanged
 * loses its credentials, which would be broken; it says in its metadata that a machine made it, in the words of the original if it does.
 * @throws when it cannot be decoded, or when not even one pixel fits
 */
export async function fitPicture(bytes: Uint8Array, maxBytes: number): Promise<Fitting & { bytes: Uint8Array }> {
	if (bytes.length <= maxBytes) return { bytes, how: 'unchanged' };
	const { default: sharp } = await import('sharp');
	const header = await sharp(bytes).metadata();
	const decoding = decodingOf(header, bytes);
	return decoding.use(decoding.pixels, undefined, () => pack(sharp, header, bytes, maxBytes));
}

async function pack(
	sharp: typeof import('sharp').default,
	{ width, height, depth }: Metadata,
	bytes: Uint8Array,
	maxBytes: number,
): Promise<Fitting & { bytes: Uint8Array }> {
	const from = { width, height };
	const { source = 'trainedAlgorithmicMedia' } = readMarks(bytes);
	const encode = async (picture: Sharp, options: PngOptions = PACKED[0]) =>
		withMark(await picture.png(options).toBuffer(), source);

	let smallest = Number.POSITIVE_INFINITY;
	for (const options of PACKED) {
		// Converted neither to sRGB nor to 8 bits.
		const whole = sharp(bytes, { ignoreIcc: true }).keepIccProfile();
		if (depth === 'ushort') whole.toColourspace('rgb16');
		const packed = await encode(whole, options);
		if (packed.length <= maxBytes) return { bytes: packed, how: 'packed' };
		smallest = Math.min(smallest, packed.length);
	}
	const scaled = (size: Size) => encode(sharp(bytes).resize({ ...size, fit: 'fill' }));
	const { to, data } = await largest(from, smallest, maxBytes, scaled);
	return { bytes: data, how: 'scaled', from, to };
}

/** The length of the longer side, and the bytes that the picture has with it. */
type Tried = { side: number; length: number };

/**
 * Searches for the largest size that fits, between one that does and one that does not. The next side follows from the last ones: the
 * bytes grow roughly with a power of it. The longer side is searched, since a shorter one of a pixel cannot shrink.
 */
async function largest(whole: Size, length: number, maxBytes: number, scaled: (size: Size) => Promise<Uint8Array>) {
	const longer = Math.max(whole.width, whole.height);
	let tooLarge: Tried = { side: longer, length };
	let best: (Tried & { to: Size; data: Uint8Array }) | undefined;
	for (let tries = 0; ; tries++) {
		const side = best
			? Math.round(between(best, tooLarge, maxBytes * AIM))
			: Math.floor(tooLarge.side * Math.min(0.95, Math.sqrt((maxBytes * AIM) / tooLarge.length)));
		if (best && (side <= best.side || side >= tooLarge.side)) return best;
		if (side < 1) throw new RangeError(`No picture fits into ${maxBytes} bytes`);
		const shrunk = (pixels: number) => Math.max(1, Math.round((pixels * side) / longer));
		const to = { width: shrunk(whole.width), height: shrunk(whole.height) };
		const data = await scaled(to);
		if (data.length > maxBytes) tooLarge = { side, length: data.length };
		else best = { side, length: data.length, to, data };
		if (best && (best.length >= maxBytes * GOOD_ENOUGH || tries >= MAX_TRIES)) return best;
	}
}

/** Estimates the side at which the picture has this many bytes. */
function between(small: Tried, large: Tried, length: number): number {
	const power = Math.log(large.length / small.length) / Math.log(large.side / small.side);
	return small.side * (length / small.length) ** (1 / Math.max(power, 0.5));
}

/** The longer side, in pixels: about what lists show on screens of twice the density. */
const SIDE = 256;

/** Returns a small JPEG of a picture that the service made, which says so in its metadata. */
export async function thumbnail(bytes: Uint8Array): Promise<Uint8Array> {
	const { default: sharp } = await import('sharp');
	const size = { width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true } as const;
	const small = await decodingOf(await sharp(bytes).metadata(), bytes).use(SIDE ** 2, undefined, () =>
		sharp(bytes).autoOrient().resize(size).flatten({ background: '#ffffff' }).jpeg().toBuffer(),
	);
	return withMark(small, readMarks(bytes).source ?? 'trainedAlgorithmicMedia');
}

/**
 * The longer side of stickers in pixels, as Discord wants it, and their most bytes: half of what it takes.
 * https://docs.discord.com/developers/resources/sticker#create-guild-sticker
 */
const STICKER = { side: 320, bytes: 256 * 1024 };

/** The sides of the pictures whose margins are looked for, and the bytes of their pixels, twice. */
const READ_SIDE = 1536;
const READ_BYTES = 2 * 4 * READ_SIDE ** 2;

/** Alpha up to this is not seen. */
const UNSEEN = 8;

/** Full colour, then a palette: 256 colours of this side take 100 kB at most. */
const ENCODINGS = [{ compressionLevel: 9, adaptiveFiltering: true }, { palette: true }] as const;

/**
 * Makes a PNG of the size of stickers from a picture: without its transparent margins, its longer side 320 pixels, at most 256 kB. It says in
 * its metadata that a machine made it, in the words of the original if it does.
 * @throws when the picture cannot be decoded with the memory that there is, or has nothing but transparency
 */
export async function makeSticker(picture: Uint8Array, signal?: AbortSignal) {
	const { default: sharp } = await import('sharp');
	const decoding = decodingOf(await sharp(picture).metadata(), picture);
	if (decoding.maxPixels === 0) throw new RangeError('This picture takes more memory than there is');
	const work = async () => {
		const size = { width: READ_SIDE, height: READ_SIDE, fit: 'inside', withoutEnlargement: true } as const;
		const read = sharp(picture, { failOn: 'error' }).autoOrient().resize(size).toColourspace('srgb').ensureAlpha();
		const { data, info } = await read.raw().toBuffer({ resolveWithObject: true });
		const { isOpaque, ...shown } = shownPart(data, info);
		const raw = { width: info.width, height: info.height, channels: 4 } as const;
		for (const encoding of ENCODINGS) {
			const sticker = sharp(data, { raw }).extract(shown).resize(STICKER.side, STICKER.side, { fit: 'inside' });
			const made = await sticker.png(encoding).toBuffer({ resolveWithObject: true });
			const bytes = withMark(made.data, readMarks(picture).source ?? 'trainedAlgorithmicMedia');
			const { width, height } = made.info;
			if (bytes.length <= STICKER.bytes) return { bytes, width, height, isOpaque };
		}
		throw new RangeError('No encoding of this picture is small enough for a sticker');
	};
	return decoding.use(READ_SIDE ** 2, signal, work, READ_BYTES);
}

/** Returns the part of RGBA pixels that is seen, and whether all of them are opaque. */
function shownPart(data: Uint8Array, { width, height }: { width: number; height: number }) {
	let [left, top, right, bottom, isOpaque] = [width, height, -1, -1, true];
	for (let place = 0; place < width * height; place++) {
		const alpha = data[place * 4 + 3] ?? 0;
		if (alpha < 255) isOpaque = false;
		if (alpha <= UNSEEN) continue;
		const x = place % width;
		left = Math.min(left, x);
		right = Math.max(right, x);
		bottom = (place - x) / width;
		top = Math.min(top, bottom);
	}
	if (right < 0) throw new RangeError('Nothing of this picture is seen');
	return { left, top, width: right - left + 1, height: bottom - top + 1, isOpaque };
}
