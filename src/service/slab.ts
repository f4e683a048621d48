/** Smallest block when nothing is known of the answer's length. */
const FIRST_BLOCK_BYTES = 256 * 1024;

/**
 * Memory for the pictures of one answer, one after the other. With the right expectation it is one block, in which nothing is copied or
 * grown; pages that are not written to cost nothing.
 */
export type Slab = {
	/** Free memory behind what the present picture has, at least this long. */
	room(bytes: number): Uint8Array<ArrayBuffer>;
	/** So much of the room is now the picture's. */
	take(bytes: number): void;
	/** What the present picture has. */
	picture(): Uint8Array<ArrayBuffer>;
	/** The present picture is complete; the next begins. */
	next(): void;
};

export function createSlab(expectedBytes: number): Slab {
	let block = new Uint8Array(Buffer.allocUnsafeSlow(expectedBytes || FIRST_BLOCK_BYTES).buffer);
	let start = 0;
	let end = 0;
	return {
		room(bytes) {
			if (end + bytes > block.length) {
				const grown = new Uint8Array(Buffer.allocUnsafeSlow(2 * (end - start + bytes)).buffer);
				grown.set(block.subarray(start, end));
				block = grown;
				end -= start;
				start = 0;
			}
			return block.subarray(end);
		},
		take(bytes) {
			end += bytes;
		},
		picture: () => block.subarray(start, end),
		next() {
			start = end;
		},
	};
}
