import { decodingOf } from './decoding.ts';
import { readMarks } from './marks.ts';
import { withMark } from './write-mark.ts';

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
