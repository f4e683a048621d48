import type { Release } from '../member-queue.ts';

/** Bounds the bytes that are in memory at once. Whatever does not fit waits, in its order. */
export class ByteBudget {
	readonly #bytes: number;
	#free: number;
	#waiting: { bytes: number; start: () => void }[] = [];

	constructor(bytes: number) {
		this.#bytes = bytes;
		this.#free = bytes;
	}

	/** Resolves once so many bytes are free; more than there are take all of them. */
	take(bytes: number): Promise<Release> {
		const taken = Math.min(bytes, this.#bytes);
		const release = () => {
			this.#free += taken;
			this.#start();
		};
		return new Promise((resolve) => {
			this.#waiting.push({ bytes: taken, start: () => resolve(release) });
			this.#start();
		});
	}

	#start(): void {
		for (let next = this.#waiting[0]; next && next.bytes <= this.#free; next = this.#waiting[0]) {
			this.#waiting.shift();
			this.#free -= next.bytes;
			next.start();
		}
	}
}
