import { LRUCache } from 'lru-cache';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/sentence-error.ts';
import { ServiceError } from '../../service/errors.ts';

/** Models that run on people's own machines take some 500 tokens, and ignore the rest. In UTF-16 units. */
const MAX_TEXT = 2000;

/** The most prompts of one call in the background, and the most that wait in memory. */
const BATCH = 32;
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
		const [vector] = await this.#request([words]).catch((error: unknown) => {
			throw this.#isOff ? unavailable() : error;
		});
		return vector ?? new Int8Array();
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
		let count = BATCH;
		while (this.#waiting.length > 0 && this.#easel.now() >= this.#pausedUntil) {
			try {
				await this.#embedNext(count);
			} catch (error) {
				if (!isRefusal(error) || this.#isOff) this.#pause(error);
				// The service refused one of them, so each is sent alone.
				else if (count > 1) count = 1;
				else this.#waiting.shift();
			}
		}
		if (this.#isOff) this.#waiting.length = 0;
		this.#isRunning = false;
	}

	async #embedNext(count: number): Promise<void> {
		const batch = this.#waiting.slice(0, count);
		const vectors = await this.#request(batch.map(({ text }) => text));
		this.#waiting.splice(0, batch.length);
		for (const [index, { onVector }] of batch.entries()) await onVector(vectors[index] ?? new Int8Array());
	}

	async #request(texts: readonly string[]): Promise<Int8Array[]> {
		const { service, stopping, now } = this.#easel;
		const clipped = texts.map((text) => text.slice(0, MAX_TEXT));
		const input = [...new Set(clipped)].filter((text) => !this.#vectors.has(text));
		const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
		try {
			const vectors = input.length === 0 ? [] : await service.embed({ input }, signal);
			for (const [index, text] of input.entries()) this.#vectors.set(text, quantize(vectors[index] ?? []));
		} catch (error) {
			if (error instanceof ServiceError && ABSENT.has(error.status)) this.#offUntil = now() + OFF_MS;
			throw error;
		}
		return clipped.map((text) => this.#vectors.get(text) ?? new Int8Array());
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
