/**
 * Releases the memory of chunks that came from a socket as soon as they are read. Left to the garbage collector, peak memory under load
 * doubles.
 *
 * Such memory may be shared: with other chunks of the body that the HTTP parser has yet to hand out, with other connections (TLS cuts
 * its reads from common blocks), with any small buffer (Node's pool). It is therefore released only when every byte of it was handed
 * to this reader, and the parser has moved on to other memory. Empty chunks are the parser's own.
 */
export class MemoryRelease {
	#memory: ArrayBufferLike | undefined;
	#read = 0;

	/** @param chunk of which nothing is needed any more */
	read({ buffer, byteLength }: Uint8Array): void {
		if (byteLength === 0) return;
		if (buffer !== this.#memory) {
			if (this.#memory instanceof ArrayBuffer && this.#read === this.#memory.byteLength) this.#memory.transfer(0);
			this.#memory = buffer;
			this.#read = 0;
		}
		this.#read += byteLength;
	}
}
