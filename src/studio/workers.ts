import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Answer, Job, Request } from './worker.ts';

type Pending = { resolve(png: Uint8Array): void; reject(error: unknown): void };
type Thread = { worker: Worker; jobs: Map<number, Pending> };

/** A pool of threads for work on pictures. They start with the first job, are used again, and keep no process alive. */
export class Workers {
	readonly #most: number;
	readonly #threads = new Set<Thread>();
	#lastId = 0;

	constructor(most = Math.min(2, availableParallelism())) {
		this.#most = most;
	}

	/**
	 * @returns a PNG. Rejects with the job's error, or with the signal's reason; when a thread crashes, its jobs are rejected and
	 * the others go on. Bytes are copied to the thread.
	 */
	async run(job: Job, signal?: AbortSignal): Promise<Uint8Array> {
		signal?.throwIfAborted();
		const { worker, jobs } = this.#leastBusy();
		const id = ++this.#lastId;
		const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
		const abort = () => {
			worker.postMessage({ id, abort: true } satisfies Request);
			reject(signal?.reason);
		};
		signal?.addEventListener('abort', abort, { once: true });
		jobs.set(id, { resolve, reject });
		worker.ref();
		worker.postMessage({ id, job: compact(job) } satisfies Request);
		try {
			return await promise;
		} finally {
			signal?.removeEventListener('abort', abort);
			jobs.delete(id);
			if (jobs.size === 0) worker.unref();
		}
	}

	/** Returns an idle thread, else a new one while more are allowed, else the one with the fewest jobs. */
	#leastBusy(): Thread {
		const [best] = [...this.#threads].sort((one, other) => one.jobs.size - other.jobs.size);
		return best && (best.jobs.size === 0 || this.#threads.size >= this.#most) ? best : this.#start();
	}

	#start(): Thread {
		const thread: Thread = { worker: new Worker(new URL('./worker.ts', import.meta.url)), jobs: new Map() };
		this.#threads.add(thread);
		thread.worker.on('message', (answer: Answer) => {
			const job = thread.jobs.get(answer.id);
			if ('png' in answer) job?.resolve(answer.png);
			else job?.reject(answer.error);
		});
		const end = (error: Error) => {
			this.#threads.delete(thread);
			for (const job of thread.jobs.values()) job.reject(error);
		};
		thread.worker.on('error', end);
		thread.worker.on('exit', (code) => end(new Error(`A worker thread of the studio ended with code ${code}.`)));
		return thread;
	}
}

/** A message clones the whole buffer of a view: a copy of a small view keeps a large buffer on this side. */
function compact(job: Job): Job {
	if (job.do === 'operate') return { ...job, picture: job.picture.slice() };
	if (job.do === 'draw') return job;
	return { ...job, request: { ...job.request, pictures: job.request.pictures.map((picture) => picture.slice()) } };
}

/** The studio's pool: a process has one. */
export const workers = new Workers();
