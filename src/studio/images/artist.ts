import { drawScene } from '../drawing/draw-scene.ts';
import type { Manner } from '../operations/apply.ts';
import type { LayoutRequest } from '../operations/operate.ts';
import type { Operation } from '../scene/operation.ts';
import type { Scene } from '../scene/scene.ts';
import { workers } from '../workers.ts';

export type Size = { width: number; height: number };

/** What makes PNGs of scenes and of other pictures. The same request gives the same pixels. */
export type Artist = {
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
	draw: drawScene,
	operate: (picture, operations, manner, signal) => workers.run({ do: 'operate', picture, operations, manner }, signal),
	layOut: (request, manner, signal) => workers.run({ do: 'layOut', request, manner }, signal),
};
