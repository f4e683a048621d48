import { ReadableStream } from 'node:stream/web';

/** A body made piece by piece, no faster than it is read. When the client disconnects, the generator returns. */
export function bodyOf(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): BodyInit {
	// Node's stream and the DOM's are one class at run time, but the DOM's type lacks `from`.
	return ReadableStream.from(pieces) as unknown as BodyInit;
}
