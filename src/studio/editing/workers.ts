import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Answer, Job, Request } from './worker.ts';

/** Runs jobs in worker threads, which start with the first job, are used again, and keep no process alive. */
export type Workers = {
	/** Rejects with the job's error, or with the signal's reason. Bytes are copied to the worker. */
	run(job: Job, signal?: AbortSignal): Promise<Uint8Array>;
};

type Settle = { resolve(png: Uint8Array): void; reject(error: unknown): void };
type Hand = { worker: Worker; jobs: Map<number, Settle> };

export function createWorkers(most = Math.min(2, availableParallelism())): Workers {
	const hands = new Set<Hand>();
	let last = 0;

	function hire(): Hand {
		const hand: Hand = { worker: new Worker(new URL('./worker.ts', import.meta.url)), jobs: new Map() };
		hands.add(hand);
		hand.worker.on('message', (answer: Answer) => {
			const job = hand.jobs.get(answer.id);
			if ('png' in answer) job?.resolve(answer.png);
			else job?.reject(answer.error);
		});
		const gone = (error: Error) => {
			hands.delete(hand);
			for (const job of hand.jobs.values()) job.reject(error);
		};
		hand.worker.on('error', gone);
		hand.worker.on('exit', (code) => gone(new Error(`The editing worker ended with code ${code}.`)));
		return hand;
	}

	/** An idle hand, else a new one while there may be more, else the one with the least to do. */
	function leastBusy(): Hand {
		const [best] = [...hands].sort((one, other) => one.jobs.size - other.jobs.size);
		return best && (best.jobs.size === 0 || hands.size >= most) ? best : hire();
	}

	return {
		run(job, signal) {
			if (signal?.aborted) return Promise.reject(signal.reason);
			const hand = leastBusy();
			const id = ++last;
			const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
			const abort = () => {
				hand.worker.postMessage({ id, abort: true } satisfies Request);
				reject(signal?.reason);
			};
			signal?.addEventListener('abort', abort, { once: true });
			hand.jobs.set(id, { resolve, reject });
			hand.worker.ref();
			const { copy, buffers } = packed(job);
			hand.worker.postMessage({ id, job: copy } satisfies Request, buffers);
			return promise.finally(() => {
				signal?.removeEventListener('abort', abort);
				hand.jobs.delete(id);
				if (hand.jobs.size === 0) hand.worker.unref();
			});
		},
	};
}

/** Copies of just the bytes: what is handed in may be a view on much more, and stays the caller's. */
function packed(job: Job): { copy: Job; buffers: ArrayBuffer[] } {
	if (job.do === 'edit') {
		const image = new Uint8Array(job.image);
		return { copy: { ...job, image }, buffers: [image.buffer] };
	}
	const images = job.images.map((image) => new Uint8Array(image));
	return { copy: { ...job, images }, buffers: images.map(({ buffer }) => buffer) };
}

/** The studio's own: its calls are plain functions, and threads are worth having once a process. */
export const workers = createWorkers();
