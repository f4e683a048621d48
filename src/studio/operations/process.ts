import { seeded } from '../drawing/random.ts';
import type { Layout } from '../scene/layout.ts';
import type { Operation } from '../scene/operation.ts';
import { apply, type Manner } from './apply.ts';
import { arrange, fitted } from './layouts.ts';
import { type Picture, readPicture, writePicture } from './picture.ts';

/** Does the operations in the thread that it is called in; see `operate`. */
export async function processPicture(
	picture: Uint8Array,
	operations: readonly Operation[],
	manner: Manner,
	signal?: AbortSignal,
): Promise<Uint8Array> {
	return writePicture(await apply(await readPicture(picture), operations, manner, signal));
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

/** Arranges the pictures in the thread that it is called in; see `layOut`. */
export async function processLayout(request: LayoutRequest, manner: Manner, signal?: AbortSignal): Promise<Uint8Array> {
	const { layout, each = [], afterwards = [], width, height } = request;
	const { seed, variation, sharpText } = manner;
	const pictures: Picture[] = [];
	for (const [index, bytes] of request.pictures.entries()) {
		const own = { seed: `${seed} ${index}`, variation: 0, sharpText };
		pictures.push(await apply(await readPicture(bytes), each[index] ?? [], own, signal));
	}
	signal?.throwIfAborted();
	const random = seeded(`${seed} ${variation} layout`);
	const arranged = await arrange(pictures, layout, { width, height, random, variation });
	return writePicture(await fitted(await apply(arranged, afterwards, manner, signal), width, height));
}
