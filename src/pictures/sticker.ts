import { decodingOf } from './decoding.ts';
import { readMarks, withMark } from './marks.ts';

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

type Sticker = { bytes: Uint8Array; width: number; height: number; isOpaque: boolean };

/**
 * Makes a PNG of the size of stickers from a picture: without its transparent margins, its longer side 320 pixels, at most 256 kB. It says in
 * its metadata that a machine made it, in the words of the original if it does.
 * @throws when the picture cannot be decoded with the memory that there is, or has nothing but transparency
 */
export async function makeSticker(picture: Uint8Array, signal?: AbortSignal): Promise<Sticker> {
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
