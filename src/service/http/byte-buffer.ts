import { InvalidResponseError } from '../errors.ts';

/** Collects copies of bytes, up to a limit. */
export class ByteBuffer {
	readonly #limit: number;
	#memory = new Uint8Array(1024);
	#length = 0;

	constructor(limit: number) {
		this.#limit = limit;
	}

	get length(): number {
		return this.#length;
	}

	/** @throws InvalidResponseError when the bytes would exceed the limit */
	push(bytes: Uint8Array): void {
		const needed = this.#length + bytes.length;
		if (needed > this.#limit)
			throw new InvalidResponseError(`it is longer than the ${this.#limit} bytes that are read`);
		if (needed > this.#memory.length) {
			const grown = new Uint8Array(Math.min(this.#limit, 2 * needed));
			grown.set(this.#memory.subarray(0, this.#length));
			this.#memory = grown;
		}
		this.#memory.set(bytes, this.#length);
		this.#length = needed;
	}

	/** Returns what was collected from `start` on, as a view that the next `push` may invalidate. */
	bytes(start = 0): Uint8Array {
		return this.#memory.subarray(start, this.#length);
	}
}
