import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { decodingMemory, decodingOf } from './decoding.ts';
import { ApiError } from './http/api-error.ts';
import { InputError } from './input.ts';
import { LONGEST_SIDE } from './operations/picture.ts';
import type { Answer, Drawing, Job, Readers, Request } from './worker.ts';

/** Reads words in a thread. Rejects with an ApiError 400 when that takes too long. */
export type Read = <What extends keyof Readers>(
	what: What,
	texts: Parameters<Readers[What]>,
	signal: AbortSignal,
) => Promise<ReturnType<Readers[What]>>;

type Task = {
	id: number;
	job: Job;
	signal: AbortSignal | undefined;
	resolve(result: unknown): void;
	reject(error: unknown): void;
	thread?: Thread;
	/** Ends the thread; set while the job runs. */
	limit?: NodeJS.Timeout;
};
type Thread = { worker: Worker; tasks: Map<number, Task> };

/** Words of the longest texts take less than a second, and the largest pictures a few. */
const READ_LIMIT_MS = 5000;
const DRAW_LIMIT_MS = 120_000;
/** Young objects take 48 MB in each thread by default, which is not faster here: pictures are outside of V8's heap. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };
/** Jobs that run or wait; beyond that, 429. */
const MAX_TASKS = 256;

/**
 * A pool of threads for words and pictures. They start with the first job, are used again, and keep no process alive. A thread that a
 * job holds beyond its limit is ended, and its other jobs start again in another one.
 */
export class Workers {
	readonly #most: number;
	readonly #readLimitMs: number;
	readonly #threads = new Set<Thread>();
	#lastId = 0;

	constructor(most = Math.min(2, availableParallelism()), readLimitMs = READ_LIMIT_MS) {
		this.#most = most;
		this.#readLimitMs = readLimitMs;
	}

	/**
	 * @returns a PNG. Rejects with the job's error, or with the signal's reason; when a thread crashes, its jobs are rejected and
	 * the others go on. Bytes are copied to the thread.
	 */
	async draw(job: Drawing, signal?: AbortSignal): Promise<Uint8Array> {
		const bytes = await memoryFor(job);
		return decodingMemory.use(bytes, signal, () => this.#run(job, signal) as Promise<Uint8Array>);
	}

	readonly read: Read = (what, texts, signal) =>
		this.#run({ do: 'read', what, texts }, signal) as Promise<ReturnType<Readers[typeof what]>>;

	/** The jobs that run or wait. */
	get size(): number {
		return [...this.#threads].reduce((sum, { tasks }) => sum + tasks.size, 0);
	}

	async #run(job: Job, signal: AbortSignal | undefined): Promise<unknown> {
		signal?.throwIfAborted();
		if (this.size >= MAX_TASKS) {
			throw new ApiError(429, 'Too many requests wait; try again in a moment.', {
				code: 'rate_limit_exceeded',
				headers: { 'retry-after': '2' },
			});
		}
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		const task: Task = { id: ++this.#lastId, job, signal, resolve, reject };
		// The thread stays busy until the job has noticed.
		const abort = () => {
			task.thread?.worker.postMessage({ id: task.id, abort: true } satisfies Request);
			reject(signal?.reason);
		};
		signal?.addEventListener('abort', abort, { once: true });
		this.#send(task);
		return promise.finally(() => signal?.removeEventListener('abort', abort));
	}

	#send(task: Task): void {
		const thread = this.#leastBusy();
		task.thread = thread;
		thread.tasks.set(task.id, task);
		thread.worker.ref();
		const { job, moved } = movable(task.job);
		thread.worker.postMessage({ id: task.id, job } satisfies Request, moved);
	}

	/** Returns an idle thread, else a new one while more are allowed, else the one with the fewest jobs. */
	#leastBusy(): Thread {
		const [best] = [...this.#threads].sort((one, other) => one.tasks.size - other.tasks.size);
		return best && (best.tasks.size === 0 || this.#threads.size >= this.#most) ? best : this.#start();
	}

	#start(): Thread {
		const worker = new Worker(new URL(`./worker${extname(import.meta.filename)}`, import.meta.url), {
			resourceLimits: LIMITS,
		});
		const thread: Thread = { worker, tasks: new Map() };
		this.#threads.add(thread);
		thread.worker.on('message', (answer: Answer) => {
			const task = thread.tasks.get(answer.id);
			if (!task) return;
			if ('started' in answer) {
				const ms = task.job.do === 'read' ? this.#readLimitMs : DRAW_LIMIT_MS;
				task.limit = setTimeout(() => this.#endHeld(task), ms);
				return;
			}
			clearTimeout(task.limit);
			thread.tasks.delete(answer.id);
			if (thread.tasks.size === 0) thread.worker.unref();
			if ('result' in answer) task.resolve(answer.result);
			else task.reject('refused' in answer ? new InputError(answer.refused) : answer.error);
		});
		const end = (error: Error) => {
			for (const task of this.#remove(thread)) task.reject(error);
		};
		thread.worker.on('error', end);
		thread.worker.on('exit', (code) => end(new Error(`A worker thread of the studio ended with code ${code}.`)));
		return thread;
	}

	/** Ends the thread that a job holds. */
	#endHeld(held: Task): void {
		const thread = held.thread as Thread;
		const tasks = this.#remove(thread);
		void thread.worker.terminate();
		held.reject(
			held.job.do === 'read'
				? new ApiError(400, 'The words took too long to read; use fewer or simpler ones.', { code: 'too_complex' })
				: new Error('A picture took too long to draw.'),
		);
		for (const task of tasks) if (task !== held && !task.signal?.aborted) this.#send(task);
	}

	/** Takes a thread out of the pool, and returns the jobs that it leaves. */
	#remove(thread: Thread): Task[] {
		this.#threads.delete(thread);
		const tasks = [...thread.tasks.values()];
		thread.tasks.clear();
		for (const { limit } of tasks) clearTimeout(limit);
		return tasks;
	}
}

/** Pictures of the size of the result that a thread has at once: layers, steps of operations, and their copies. */
const COPIES = 6;

/** Returns the memory for a job in bytes. A thread decodes one picture at a time, scaled down, and keeps it. */
async function memoryFor(job: Drawing): Promise<number> {
	if (job.do === 'draw') return job.width * job.height * 4 * 2 * COPIES;
	const pictures = job.do === 'operate' ? [job.picture] : job.request.pictures;
	const each = await Promise.all(pictures.map(async (bytes) => decodingOf(await sharp(bytes).metadata(), bytes)));
	const scaled = each.map(({ pixels }) => Math.min(pixels, LONGEST_SIDE ** 2));
	const decoding = Math.max(...each.map(({ bytesFor }, index) => bytesFor(scaled[index] ?? 0)));
	return decoding + 4 * (scaled.reduce((sum, pixels) => sum + pixels, 0) + (COPIES - 1) * Math.max(...scaled));
}

/** Returns a job with copies of its pictures, which move to the thread: this side keeps the pictures for another attempt. */
function movable(job: Job): { job: Job; moved: ArrayBuffer[] } {
	if (job.do === 'operate') {
		const picture = Uint8Array.from(job.picture);
		return { job: { ...job, picture }, moved: [picture.buffer] };
	}
	if (job.do !== 'layOut') return { job, moved: [] };
	const pictures = job.request.pictures.map((picture) => Uint8Array.from(picture));
	return { job: { ...job, request: { ...job.request, pictures } }, moved: pictures.map(({ buffer }) => buffer) };
}

// For all threads: libvips would keep up to 50 MB of what it has drawn, which is never asked for again.
sharp.cache(false);

/** The studio's pool: a process has one. */
export const workers = new Workers();
