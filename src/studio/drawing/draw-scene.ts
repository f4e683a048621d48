import type { Scene } from '../scene/scene.ts';
import { workers } from '../workers.ts';

/**
 * Draws a scene in a worker thread. The same scene in the same size gives the same bytes.
 * @param size pixels, 64–2048 each
 * @returns a PNG without the scene's operations. Rejects with the signal's reason when it aborts.
 */
export function drawScene(
	scene: Scene,
	size: { width: number; height: number },
	signal?: AbortSignal,
): Promise<Uint8Array> {
	return workers.run({ do: 'draw', scene, width: size.width, height: size.height }, signal);
}
