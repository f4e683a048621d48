/**
 * Lets go of the memory of what was read from a socket as soon as it is read: left to the garbage collector, peak memory under load
 * doubles.
 *
 * Such memory may be shared: with other chunks of the body, which the HTTP parser has still to hand out, with other connections (TLS cuts
 * its reads from common blocks), with any small buffer (Node's pool). So it is let go only when every byte of it was handed
 * to this one reader, and the parser, done with it, has come with the next. The memory of empty chunks is the parser's own.
 */
export function createMemoryRelease(): { read(chunk: Uint8Array): void } {
	let memory: ArrayBufferLike | undefined;
	let handedOut = 0;
	return {
		read({ buffer, byteLength }) {
			if (byteLength === 0) return;
			if (buffer !== memory) {
				if (memory instanceof ArrayBuffer && handedOut === memory.byteLength) memory.transfer(0);
				memory = buffer;
				handedOut = 0;
			}
			handedOut += byteLength;
		},
	};
}
