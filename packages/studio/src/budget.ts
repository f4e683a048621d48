import type { Metadata } from 'sharp';

/** Bounds what work takes at once. Work that does not fit waits, in its order. */
export class Budget {
	readonly #most: number;
	#free: number;
	readonly #waiting = new Set<{ amount: number; start: () => void }>();

	constructor(most: number) {
		this.#most = most;
		this.#free = most;
	}

	/**
	 * Does work once so much is free; more than there is takes all of it.
	 * @throws the signal's reason when it is aborted before the work has begun
	 */
	async use<Result>(amount: number, signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
		const taken = Math.min(amount, this.#most);
		await this.#take(taken, signal);
		try {
			return await work();
		} finally {
			this.#free += taken;
			this.#admit();
		}
	}

	async #take(amount: number, signal: AbortSignal | undefined): Promise<void> {
		signal?.throwIfAborted();
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const entry = { amount, start: resolve };
		const leave = () => {
			this.#waiting.delete(entry);
			reject(signal?.reason);
			this.#admit();
		};
		signal?.addEventListener('abort', leave, { once: true });
		this.#waiting.add(entry);
		this.#admit();
		await promise.finally(() => signal?.removeEventListener('abort', leave));
	}

	#admit(): void {
		for (const entry of this.#waiting) {
			if (entry.amount > this.#free) return;
			this.#waiting.delete(entry);
			this.#free -= entry.amount;
			entry.start();
		}
	}
}

/** The most that decoding takes at once. */
export const MAX_DECODING_BYTES = 128 * 1024 * 1024;

/** Lets work wait for the memory that it takes, in bytes. */
export type Memory = Pick<Budget, 'use'>;

let memory: Memory = new Budget(MAX_DECODING_BYTES);

/** Decodes within the memory of the program that embeds the studio. */
export function shareMemory(shared: Memory): void {
	memory = shared;
}

/** The memory of this process for decoded pictures. */
export const decodingMemory: Memory = { use: (bytes, signal, work) => memory.use(bytes, signal, work) };

/** The most pixels of a picture that its decoder holds as a whole: with up to 8 bytes for each, in `MAX_DECODING_BYTES` (libvips 8.18). */
const MAX_WHOLE_PIXELS = 13_000_000;

/** Tells whether a picture takes too much memory, to whatever size it is scaled. Plain PNG and JPEG are read row by row. */
export function isTooLarge({ format, isProgressive, width, height, pageHeight = height }: Metadata): boolean {
	return (isProgressive || format === 'gif' || format === 'webp') && width * pageHeight > MAX_WHOLE_PIXELS;
}
