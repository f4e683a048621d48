import type { Scene } from '../scene/scene.ts';
import { compose, type Size } from './compose.ts';
import { finish } from './finish.ts';

/** Draws a scene on the calling thread, which is a worker's (workers.ts). */
export function paintScene(scene: Scene, size: Size, signal?: AbortSignal): Promise<Uint8Array> {
	return finish(compose(scene, size), { ...size, style: scene.style, mood: scene.mood }, signal);
}
