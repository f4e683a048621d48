import type { Dispatcher } from 'undici';

/**
 * Yields the bytes of an answer as they come. The download ends with the loop over them.
 * @throws Error when the status is not 200, or more than `maxBytes` come
 */
export async function* piecesOf(
	{ statusCode, headers, body }: Dispatcher.ResponseData,
	maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
	// Errors are reported by the loop below; a destroyed stream would emit one that has no listener.
	body.on('error', () => {});
	try {
		if (statusCode !== 200) throw new Error(`A file cannot be read: status ${statusCode}`);
		if (Number(headers['content-length'] ?? 0) > maxBytes) throw new Error('A file is too large to be read');
		let length = 0;
		for await (const piece of body as AsyncIterable<Uint8Array>) {
			length += piece.length;
			if (length > maxBytes) throw new Error('A file is too large to be read');
			yield piece;
		}
	} finally {
		body.destroy();
	}
}

/** @param expected how many bytes will come, as far as that is known. The memory for them is allocated once. */
export async function collect(pieces: AsyncIterable<Uint8Array>, expected = 0): Promise<Uint8Array> {
	let bytes = Buffer.allocUnsafeSlow(expected);
	let length = 0;
	for await (const piece of pieces) {
		if (length + piece.length > bytes.length)
			bytes = Buffer.concat([bytes.subarray(0, length)], 2 * (length + piece.length));
		bytes.set(piece, length);
		length += piece.length;
	}
	return bytes.subarray(0, length);
}
