import { seeded } from '../drawing/tools/random.ts';
import type { Layout } from '../scene/layout.ts';
import type { Operation } from '../scene/operation.ts';
import { apply, type Manner } from './apply.ts';
import { arrange, fitted } from './layouts.ts';
import { type Picture, readPicture, writePicture } from './picture.ts';

/**
 * Does operations with a picture (PNG, JPEG, WebP or GIF; upright by its EXIF, first frame) in the thread that it is called in;
 * the studio calls it in its worker threads.
 * @returns a PNG, its longer side at most `LONGEST_SIDE`. Rejects when the picture can't be decoded.
 */
export async function operate(
	picture: Uint8Array,
	operations: readonly Operation[],
	manner: Manner,
): Promise<Uint8Array> {
	return writePicture(await apply(await readPicture(picture), operations, manner));
}

export type LayoutRequest = {
	/** In the order of "image 1", "image 2"…; formats as for `operate`. */
	readonly pictures: readonly Uint8Array[];
	readonly layout: Layout;
	/** Done with each picture before it is arranged, by its index. */
	readonly each?: readonly (readonly Operation[])[];
	/** Done with the arranged picture. */
	readonly afterwards?: readonly Operation[];
	/** Pixels of the result, each at most `LONGEST_SIDE`. */
	readonly width: number;
	readonly height: number;
};

/** Arranges pictures. @returns a PNG of exactly the requested size. Rejects as `operate` does. */
export async function layOut(request: LayoutRequest, manner: Manner): Promise<Uint8Array> {
	const { layout, each = [], afterwards = [], width, height } = request;
	const { seed, variation, sharpText } = manner;
	const pictures: Picture[] = [];
	for (const [index, bytes] of request.pictures.entries()) {
		const own = { seed: `${seed} ${index}`, variation: 0, sharpText };
		pictures.push(await apply(await readPicture(bytes), each[index] ?? [], own));
	}
	const random = seeded(`${seed} ${variation} layout`);
	const arranged = await arrange(pictures, layout, { width, height, random, variation });
	return writePicture(await fitted(await apply(arranged, afterwards, manner), width, height));
}
