/** Size of the first block when the answer's length is not known. */
const FIRST_BLOCK_BYTES = 256 * 1024;

/**
 * Memory for the pictures of one answer, one after the other. With the right expectation it is one block, in which nothing is copied or
 * grown; pages that are not written to cost nothing.
 */
export class Slab {
	/** Allocated when the first bytes come. */
	#block = new Uint8Array(0);
	readonly #expectedBytes: number;
	#start = 0;
	#end = 0;

	constructor(expectedBytes: number) {
		this.#expectedBytes = expectedBytes || FIRST_BLOCK_BYTES;
	}

	/** Returns free memory behind the current picture, at least this long. */
	room(bytes: number): Uint8Array<ArrayBuffer> {
		if (this.#end + bytes > this.#block.length) {
			const needed = this.#end - this.#start + bytes;
			const size = this.#block.length === 0 ? Math.max(this.#expectedBytes, needed) : 2 * needed;
			const grown = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
			grown.set(this.picture());
			this.#block = grown;
			this.#end -= this.#start;
			this.#start = 0;
		}
		return this.#block.subarray(this.#end);
	}

	/** Adds the first bytes of the room to the current picture. */
	take(bytes: number): void {
		this.#end += bytes;
	}

	/** Returns the current picture as far as it has come. */
	picture(): Uint8Array<ArrayBuffer> {
		return this.#block.subarray(this.#start, this.#end);
	}

	/** Completes the current picture and begins the next. */
	next(): void {
		this.#start = this.#end;
	}
}
