/** Runs reading, all operations and encoding off the main thread. One message is one job; see workers.ts. */
import { parentPort } from 'node:worker_threads';
import { composePicture } from './compose-picture.ts';
import { editPicture } from './edit-picture.ts';

export type Job =
	| { do: 'edit'; image: Uint8Array; instruction: string; variation: number; sharp: boolean }
	| {
			do: 'compose';
			images: readonly Uint8Array[];
			prompt: string;
			width: number;
			height: number;
			variation: number;
	  };

/** `abort` ends the job of that number at its next operation; it is not answered then. */
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
	return job.do === 'edit' ? editPicture(job, signal) : composePicture(job, signal);
}
