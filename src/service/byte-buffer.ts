import { InvalidResponseError } from './errors.ts';

/** Collects copies of bytes, up to a limit. */
export type ByteBuffer = {
	/** Throws `RottenAnswer` when it would pass the limit. */
	push(bytes: Uint8Array): void;
	readonly length: number;
	/** What was collected from `start` on. */
	bytes(start?: number): Uint8Array;
};

export function createByteBuffer(limit: number): ByteBuffer {
	let memory = new Uint8Array(1024);
	let length = 0;
	return {
		push(bytes) {
			const needed = length + bytes.length;
			if (needed > limit) throw new InvalidResponseError(`it is longer than the ${limit} bytes that are read`);
			if (needed > memory.length) {
				const grown = new Uint8Array(Math.min(limit, 2 * needed));
				grown.set(memory.subarray(0, length));
				memory = grown;
			}
			memory.set(bytes, length);
			length = needed;
		},
		get length() {
			return length;
		},
		bytes: (start = 0) => memory.subarray(start, length),
	};
}
