import type { Manner } from '../operations/apply.ts';
import type { LayoutRequest } from '../operations/operate.ts';
import type { Operation } from '../scene/operation.ts';
import type { Scene } from '../scene/scene.ts';
import { type Read, workers } from '../workers.ts';

export type Size = { width: number; height: number };

/** What reads words, and makes PNGs of scenes and of other pictures. The same request gives the same pixels. */
export type Artist = {
	read: Read;
	/** Returns a scene without its operations; `size` in pixels, 64–2048 each. */
	draw(scene: Scene, size: Size, signal: AbortSignal): Promise<Uint8Array>;
	operate(
		picture: Uint8Array,
		operations: readonly Operation[],
		manner: Manner,
		signal: AbortSignal,
	): Promise<Uint8Array>;
	layOut(request: LayoutRequest, manner: Manner, signal: AbortSignal): Promise<Uint8Array>;
};

/** Works in threads of its own. */
export const artist: Artist = {
	read: workers.reading.read,
	draw: (scene, size, signal) => workers.drawing.draw({ do: 'draw', scene, ...size }, signal),
	operate: (picture, operations, manner, signal) =>
		workers.drawing.draw({ do: 'operate', picture, operations, manner }, signal),
	layOut: (request, manner, signal) => workers.drawing.draw({ do: 'layOut', request, manner }, signal),
};
