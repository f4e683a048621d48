import { ReadableStream } from 'node:stream/web';

/** A body that is made piece by piece, no faster than it is read. When the client leaves, the generator is returned. */
export function bodyOf(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): BodyInit {
	// Node's stream and the DOM's are one class at run time, but the DOM's type lacks `from`.
	return ReadableStream.from(pieces) as unknown as BodyInit;
}
