import { MemoryBudget } from '../domain/queues.ts';
import { type HttpAnswer, lengthOf, readBody } from './exchange.ts';

/** What is taken for an answer that does not say how long it is: one picture. */
const UNKNOWN_BYTES = 4 * 1024 * 1024;

/** What is read of an answer without memory for it: text, and what waits in a connection anyway. */
const SMALL_BYTES = 128 * 1024;

/**
 * Limits how much of the pictures of all answers is in memory at once: an answer that comes while others are decoded or posted is read
 * when they are done, and one that is larger than the limit alone. It waits for a short time only: a picture that is paid for must not
 * be lost to a time-out of the service.
 */
export class PictureMemory extends MemoryBudget {
	constructor({ limitBytes = 24 * 1024 * 1024, waitMs = 2000 } = {}) {
		super(limitBytes, waitMs);
	}
}

/** The memory for the pictures of one answer. What it holds is given back once: by who gets the pictures, or without any, at its end. */
export class AnswerMemory {
	readonly #memory: PictureMemory;
	readonly #signal: AbortSignal;
	#held: (() => void)[] = [];
	#bytes = 0;

	constructor(memory: PictureMemory, signal: AbortSignal) {
		this.#memory = memory;
		this.#signal = signal;
	}

	/**
	 * Reads a body with pictures, once there is memory for them.
	 * @param decode also gets what has come of a body that is cut off, with the reason, which is thrown when it finds nothing
	 */
	async read<T>(
		answer: HttpAnswer,
		limit: number,
		decode: (body: Buffer<ArrayBuffer>, fault?: unknown) => T,
	): Promise<T> {
		await this.#take(lengthOf(answer));
		let fault: unknown;
		const body = await readBody(answer, limit, (error) => {
			fault = error;
		});
		try {
			return decode(body, fault);
		} catch (error) {
			throw fault ?? error;
		}
	}

	/** Waits for memory for so many bytes of an answer that grows. */
	async reach(bytes: number): Promise<void> {
		while (bytes > Math.max(SMALL_BYTES, this.#bytes)) await this.#take();
	}

	async #take(bytes = UNKNOWN_BYTES): Promise<void> {
		this.#bytes += bytes;
		this.#held.push(await this.#memory.take(bytes, this.#signal));
	}

	/** Returns what gives back all that is held by now. Further pictures take memory of their own. */
	handOn(): () => void {
		const held = this.#held;
		[this.#held, this.#bytes] = [[], 0];
		return () => {
			for (const release of held) release();
		};
	}
}
