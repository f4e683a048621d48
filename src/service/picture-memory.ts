import type { Flow } from './exchange.ts';

/** What is taken for an answer that does not say how long it is: one picture. */
export const UNKNOWN_BYTES = 4 * 1024 * 1024;

type Options = {
	/** Bytes of pictures that are in memory at once. Default: 24 MB. */
	limitBytes?: number;
	/** How long an answer waits for others at most, in milliseconds. Default: 2 seconds. */
	waitMs?: number;
};

/** The memory for the pictures of one answer. */
export type MemoryClaim = {
	/** Holds the answer back until there is memory for its pictures. */
	take(bytes: number, flow: Flow): void;
	/** Gives the memory back. It can be called at any time, and more than once. */
	release(): void;
};

/**
 * Limits how much of the pictures of all answers is in memory at once: an answer that comes while others are decoded or posted is read
 * when they are done, and one that is larger than the limit alone. It waits for a short time only: a picture that is paid for must not
 * be lost to a time-out of the service.
 */
export class PictureMemory {
	readonly #limitBytes: number;
	readonly #waitMs: number;
	readonly #held = new Map<MemoryClaim, number>();
	/** What starts the answers that wait, in their order. */
	readonly #waiting = new Map<MemoryClaim, { bytes: number; start: () => void }>();

	constructor({ limitBytes = 24 * 1024 * 1024, waitMs = 2000 }: Options = {}) {
		this.#limitBytes = limitBytes;
		this.#waitMs = waitMs;
	}

	claim(): MemoryClaim {
		const claim: MemoryClaim = {
			take: (bytes, flow) => {
				if (this.#waiting.size === 0 && this.#hasRoom(bytes)) this.#held.set(claim, bytes);
				else this.#wait(claim, bytes, flow);
			},
			release: () => {
				this.#held.delete(claim);
				this.#waiting.delete(claim);
				for (const { bytes, start } of this.#waiting.values()) {
					if (!this.#hasRoom(bytes)) break;
					start();
				}
			},
		};
		return claim;
	}

	#hasRoom(bytes: number): boolean {
		const used = this.#held.values().reduce((sum, each) => sum + each, 0);
		return used === 0 || used + bytes <= this.#limitBytes;
	}

	#wait(claim: MemoryClaim, bytes: number, flow: Flow): void {
		flow.pause();
		const start = () => {
			clearTimeout(timer);
			if (!this.#waiting.delete(claim)) return;
			this.#held.set(claim, bytes);
			flow.resume();
		};
		const timer = setTimeout(start, this.#waitMs).unref();
		this.#waiting.set(claim, { bytes, start });
	}
}
