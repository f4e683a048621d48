import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { Budget, decodingMemory, MAX_DECODING_BYTES } from './budget.ts';
import { ApiError } from './http/api-error.ts';
import { InputError } from './input.ts';
import type { Edit } from './operations/operate.ts';
import type { DrawnScene } from './scene/picture-scene.ts';
import type { Answer, Job, JobName, Jobs } from './worker.ts';

/** Does a job in a thread. Rejects with an ApiError 400 when words take too long, and with the job's error or the signal's reason. */
export type Run = <Name extends JobName>(
	name: Name,
	given: Parameters<Jobs[Name]>,
	signal?: AbortSignal,
) => Promise<Awaited<ReturnType<Jobs[Name]>>>;

/** Words of the longest texts take less than a second, and the largest pictures a few. */
const READ_LIMIT_MS = 5000;
const DRAW_LIMIT_MS = 120_000;
/** Young objects take 48 MB in each thread by default, which is not faster here: pictures are outside of V8's heap. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };
/** Jobs that run or wait; beyond that, 429. */
const MAX_TASKS = 256;

/**
 * A pool of threads, each with one job at a time; others wait in their order. Threads start with the first jobs, are used again, and keep no
 * process alive. One that a job holds beyond its limit is ended.
 */
export class Workers {
	readonly #threads: Budget;
	readonly #readLimitMs: number;
	readonly #idle = new Set<Worker>();
	/** The jobs that run or wait. */
	#size = 0;

	constructor(most = Math.min(2, availableParallelism()), readLimitMs = READ_LIMIT_MS) {
		this.#threads = new Budget(most);
		this.#readLimitMs = readLimitMs;
	}

	/** When a thread crashes, its job is rejected and the others go on. An aborted job that runs already goes on until its end. */
	readonly run: Run = async (name, given, signal) => {
		signal?.throwIfAborted();
		if (this.#size >= MAX_TASKS) throw ApiError.tooMany('Too many requests wait; try again in a moment.');
		this.#size++;
		const done = this.#threads.use(1, signal, () => this.#do({ name, given }) as Promise<never>);
		return done.finally(() => {
			this.#size--;
			signal?.throwIfAborted();
		});
	};

	/** Ends when the thread is free, or is left out of the pool. */
	async #do(job: Job): Promise<unknown> {
		const [worker = this.#start()] = this.#idle;
		this.#idle.delete(worker);
		worker.ref();
		const { promise, resolve, reject } = Promise.withResolvers<Exclude<Answer, { started: true }>>();
		const [ms, tooLong] =
			job.name === 'draw' || job.name === 'edit'
				? [DRAW_LIMIT_MS, new Error('A picture took too long to draw.')]
				: [this.#readLimitMs, new ApiError(400, TOO_LONG, { code: 'too_complex' })];
		let limit: NodeJS.Timeout | undefined;
		const hear = (answer: Answer) => {
			if ('started' in answer) limit = setTimeout(() => reject(tooLong), ms);
			else resolve(answer);
		};
		const end = (code: number) => reject(new Error(`A worker thread of the studio ended with code ${code}.`));
		worker.on('message', hear).on('error', reject).on('exit', end);
		worker.postMessage(job);
		try {
			const answer = await promise;
			this.#idle.add(worker);
			worker.unref();
			if ('result' in answer) return answer.result;
			throw 'refused' in answer ? new InputError(answer.refused) : answer.error;
		} finally {
			clearTimeout(limit);
			worker.off('message', hear).off('error', reject).off('exit', end);
			if (!this.#idle.has(worker)) void worker.terminate();
		}
	}

	#start(): Worker {
		const file = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);
		const worker = new Worker(file, { resourceLimits: LIMITS });
		return worker.on('error', () => {}).on('exit', () => this.#idle.delete(worker));
	}
}

const TOO_LONG = 'The words took too long to read; use fewer or simpler ones.';

// For all threads: libvips would keep up to 50 MB of what it has drawn, which is never asked for again.
sharp.cache(false);

/** The studio's pools: words do not wait for pictures. */
export const workers = { drawing: new Workers(), reading: new Workers(1) };

/** What reads words, and makes PNGs of scenes and of other pictures. The same request gives the same pixels. */
export type Artist = typeof artist;

/** A drawing has its pixels about twelve times at once. */
const BYTES_PER_PIXEL = 4 * 12;

/** Works in the threads of the pools; makes pictures when there is memory for it. */
export const artist = {
	read: workers.reading.run,
	draw(drawn: DrawnScene, signal: AbortSignal) {
		const { width, height, scene } = drawn;
		const bytes = scene.operations.length > 0 ? MAX_DECODING_BYTES : width * height * BYTES_PER_PIXEL;
		return decodingMemory.use(bytes, signal, () => workers.drawing.run('draw', [drawn], signal));
	},
	/** A picture from elsewhere may take all memory while it is decoded. */
	edit: (edit: Edit, signal: AbortSignal) =>
		decodingMemory.use(MAX_DECODING_BYTES, signal, () => workers.drawing.run('edit', [edit], signal)),
};
