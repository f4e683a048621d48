/** Runs the studio's work on pictures off the main thread. One message is one job; see workers.ts. */
import { parentPort } from 'node:worker_threads';
import { paintScene } from './drawing/paint-scene.ts';
import type { Manner } from './operations/apply.ts';
import { type LayoutRequest, layOut, operate } from './operations/operate.ts';
import type { Operation } from './scene/operation.ts';
import type { Scene } from './scene/scene.ts';

export type Job =
	/** `width` and `height` in pixels. */
	| { do: 'draw'; scene: Scene; width: number; height: number }
	| { do: 'operate'; picture: Uint8Array; operations: readonly Operation[]; manner: Manner }
	| { do: 'layOut'; request: LayoutRequest; manner: Manner };

/** `abort` ends the job of that number at its next step; it is not answered then. */
export type Request = { id: number; job: Job } | { id: number; abort: true };
export type Answer = { id: number; png: Uint8Array } | { id: number; error: unknown };

const running = new Map<number, AbortController>();

parentPort?.on('message', async (request: Request) => {
	const { id } = request;
	if ('abort' in request) return running.get(id)?.abort();
	const controller = new AbortController();
	running.set(id, controller);
	try {
		const png = Uint8Array.from(await run(request.job, controller.signal));
		parentPort?.postMessage({ id, png } satisfies Answer, [png.buffer]);
	} catch (error) {
		if (!controller.signal.aborted) parentPort?.postMessage({ id, error } satisfies Answer);
	} finally {
		running.delete(id);
	}
});

function run(job: Job, signal: AbortSignal): Promise<Uint8Array> {
	switch (job.do) {
		case 'draw':
			return paintScene(job.scene, job, signal);
		case 'operate':
			return operate(job.picture, job.operations, job.manner, signal);
		case 'layOut':
			return layOut(job.request, job.manner, signal);
	}
}
