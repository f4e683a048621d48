import { Agent, type Dispatcher } from 'undici';
import { FileGoneError, FileTooLargeError } from '../../domain/channel.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Returns an HTTP agent that follows no redirects: these could take a token elsewhere. It is separate from the global agent, which another
 * copy of the library may own or change. HTTP/2 is off, because its streams may be sent again unnoticed.
 *
 * @param silenceMs how long the other side may send nothing
 */
export const createAgent = (silenceMs: number): Agent =>
	new Agent({
		allowH2: false,
		connect: { timeout: CONNECT_TIMEOUT_MS },
		headersTimeout: silenceMs,
		bodyTimeout: silenceMs,
	});

/**
 * Yields the bytes of an answer as they come. The download ends with the loop over them.
 * @throws FileTooLargeError when more than `maxBytes` come, FileGoneError when the file was deleted, and another error when the status is not 200
 */
export async function* piecesOf(
	{ statusCode, headers, body }: Dispatcher.ResponseData,
	maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
	// Errors are reported by the loop below; a destroyed stream would emit one that has no listener.
	body.on('error', () => {});
	try {
		if (statusCode === 404 || statusCode === 410) throw new FileGoneError();
		if (statusCode !== 200) throw new Error(`A file cannot be read: status ${statusCode}`);
		const announced = Number(headers['content-length'] ?? 0);
		if (announced > maxBytes) throw new FileTooLargeError(announced);
		let length = 0;
		for await (const piece of body as AsyncIterable<Uint8Array>) {
			length += piece.length;
			if (length > maxBytes) throw new FileTooLargeError();
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
