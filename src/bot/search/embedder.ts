import { LRUCache } from 'lru-cache';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/sentence-error.ts';
import { ServiceError } from '../../service/errors.ts';

/** Models that run on people's own machines take some 500 tokens, and ignore the rest. In UTF-16 units. */
const MAX_TEXT = 2000;

/** The most prompts that wait in memory. */
const MAX_WAITING = 1000;

const TIMEOUT_MS = 15_000;

/** How long no prompts are embedded after a failure, and nothing where the service has no embeddings, in milliseconds. */
const PAUSE_MS = 60_000;
const OFF_MS = 3_600_000;

/** Statuses of a service that does not have this call. */
const ABSENT: ReadonlySet<number | undefined> = new Set([404, 405, 501]);

/** A prompt, and what is done with its embedding. */
type Waiting = { text: string; onVector: (vector: Int8Array) => Promise<void> };

/** Embeds texts by the image service: words at once, and prompts in the background, one call after the other. */
export class Embedder {
	readonly #easel: Easel;
	/** Prompts are often asked for again. */
	readonly #vectors = new LRUCache<string, Int8Array>({ max: 500 });
	readonly #waiting: Waiting[] = [];
	#isRunning = false;
	#pausedUntil = Number.NEGATIVE_INFINITY;
	#offUntil = Number.NEGATIVE_INFINITY;

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/**
	 * Embeds words that a person searches for.
	 *
	 * @throws SentenceError when the service has no embeddings
	 * @throws ServiceError
	 */
	async embed(words: string): Promise<Int8Array> {
		const unavailable = () => new SentenceError('find.errors.unavailable');
		if (this.#isOff) throw unavailable();
		return this.#request(words).catch((error: unknown) => {
			throw this.#isOff ? unavailable() : error;
		});
	}

	/** Embeds a prompt in the background. Nothing happens when the service does not answer, or refuses the prompt. */
	enqueue(waiting: Waiting): void {
		if (this.#waiting.length >= MAX_WAITING || this.#isOff) return;
		this.#waiting.push(waiting);
		if (!this.#isRunning) void this.#run();
	}

	get #isOff(): boolean {
		return this.#easel.now() < this.#offUntil;
	}

	async #run(): Promise<void> {
		this.#isRunning = true;
		for (let next = this.#waiting[0]; next && this.#easel.now() >= this.#pausedUntil; next = this.#waiting[0]) {
			try {
				await next.onVector(await this.#request(next.text));
				this.#waiting.shift();
			} catch (error) {
				if (isRefusal(error) && !this.#isOff) this.#waiting.shift();
				else this.#pause(error);
			}
		}
		if (this.#isOff) this.#waiting.length = 0;
		this.#isRunning = false;
	}

	async #request(text: string): Promise<Int8Array> {
		const { service, stopping, now } = this.#easel;
		const clipped = text.slice(0, MAX_TEXT);
		const known = this.#vectors.get(clipped);
		if (known) return known;
		const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
		try {
			const [numbers = []] = await service.embed({ input: [clipped] }, signal);
			const vector = quantize(numbers);
			this.#vectors.set(clipped, vector);
			return vector;
		} catch (error) {
			if (error instanceof ServiceError && ABSENT.has(error.status)) this.#offUntil = now() + OFF_MS;
			throw error;
		}
	}

	#pause(error: unknown): void {
		const { stopping, log, now } = this.#easel;
		this.#pausedUntil = now() + PAUSE_MS;
		if (!stopping.aborted) log.warn({ err: error }, 'Prompts could not be embedded');
	}
}

const isRefusal = (error: unknown): boolean =>
	error instanceof ServiceError && (error.kind === 'content' || error.kind === 'request');

/** Returns a vector in whole numbers from -127 to 127. It has the same direction, and another length. */
export function quantize(vector: ArrayLike<number>): Int8Array {
	let largest = 0;
	for (let index = 0; index < vector.length; index++) largest = Math.max(largest, Math.abs(vector[index] ?? 0));
	return Int8Array.from(vector, (value) => Math.round((value * 127) / (largest || 1)));
}
