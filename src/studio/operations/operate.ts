import type { Operation } from '../scene/operation.ts';
import { workers } from '../workers.ts';
import type { Manner } from './apply.ts';
import type { LayoutRequest } from './process.ts';

/**
 * Does operations with a picture (PNG, JPEG, WebP or GIF; upright by its EXIF, first frame) in a worker thread.
 * @returns a PNG, its longer side at most `LONGEST_SIDE`. Rejects when the picture can't be decoded, or with the signal's
 * reason.
 */
export function operate(
	picture: Uint8Array,
	operations: readonly Operation[],
	manner: Manner,
	signal?: AbortSignal,
): Promise<Uint8Array> {
	return workers.run({ do: 'operate', picture, operations, manner }, signal);
}

/** Arranges pictures in a worker thread. @returns a PNG of exactly the requested size. Rejects as `operate` does. */
export function layOut(request: LayoutRequest, manner: Manner, signal?: AbortSignal): Promise<Uint8Array> {
	return workers.run({ do: 'layOut', request, manner }, signal);
}
