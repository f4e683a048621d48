import { convert } from './convert.ts';
import { prepare } from './prepare.ts';

/** Chat models scale larger pictures down themselves. https://developers.openai.com/api/docs/guides/images-vision */
const MAX_SIDE = 1536;
const MAX_BYTES = 1_000_000;

/**
 * Turns a person's file into a picture for a chat model: as `prepare`, and with a longer side of at most 1536 pixels and 1 MB.
 * @throws PictureError
 */
export async function reduce(bytes: Uint8Array): Promise<Uint8Array> {
	const { bytes: prepared, type, width, height } = await prepare(bytes);
	if (prepared.length <= MAX_BYTES && Math.max(width, height) <= MAX_SIDE) return prepared;
	const { default: sharp } = await import('sharp');
	const { bytes: reduced } = await convert(() => sharp(prepared), type === 'image/jpeg', {
		...{ bytes: MAX_BYTES, side: MAX_SIDE },
	});
	return reduced;
}
