/** The size of Node's shared memory for small buffers, which must never be let go. */
const POOL_BYTES = Buffer.allocUnsafe(1).buffer.byteLength;

/**
 * Lets go of the memory of what was read from a socket as soon as the next piece is there: left to the garbage collector, peak memory
 * under load doubles.
 *
 * A socket reads into memory of its own each time, and one such piece may hold several chunks of a body, trailers and more that the HTTP
 * parser has still to look at. The parser is done with it only when it comes with other memory. Copies that Node may have made in
 * its shared pool are told by their size.
 */
export function createMemoryRelease(): { read(chunk: Buffer): void } {
	let last: ArrayBufferLike | undefined;
	return {
		read({ buffer }) {
			if (buffer === last) return;
			if (last instanceof ArrayBuffer && last.byteLength !== POOL_BYTES) last.transfer(0);
			last = buffer;
		},
	};
}
