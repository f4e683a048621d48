import type { Operation } from '../scene/operation.ts';
import { apply, type Manner } from './apply.ts';
import { readPicture, writePicture } from './picture.ts';

/**
 * Does operations with a picture (PNG, JPEG, WebP or GIF; upright by its EXIF, first frame).
 * @returns a PNG, its longer side at most `LONGEST_SIDE`. Rejects when the picture can't be decoded, or with the signal's
 * reason.
 */
export async function operate(
	picture: Uint8Array,
	operations: readonly Operation[],
	manner: Manner,
	signal?: AbortSignal,
): Promise<Uint8Array> {
	return writePicture(await apply(await readPicture(picture), operations, manner, signal));
}
