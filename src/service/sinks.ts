import { errorOf } from './error-answer.ts';
import { InvalidResponseError, ServiceError } from './errors.ts';
import { ByteBuffer } from './http/byte-buffer.ts';
import type { Receive, Sink } from './http/exchange.ts';
import { type AnswerHead, headerOf, lengthOf, requestIdOf } from './http/head.ts';
import { type DecodedAnswer, IMAGE_LIMITS, ImageDecoder } from './images/image-decoder.ts';
import { type MemoryClaim, UNKNOWN_BYTES } from './images/picture-memory.ts';

/** Longest answer without pictures, in bytes. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Bytes of an error's body that are parsed, and bytes up to which its end is waited for. */
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/** Gives every answer its sink: an error answer one that throws, any other the sink of `receive`. */
export function sinkFor<T>(receive: Receive<T>, apiKey: string | undefined): Receive<T> {
	return (head, flow) =>
		head.status < 200 || head.status > 299 ? errorSink(head, apiKey) : checked(head, () => receive(head, flow));
}

/** An address may be a data URL, with a picture. */
const LIMITS_WITH_ADDRESSES = { ...IMAGE_LIMITS, otherBytes: 64 * 1024 * 1024 };

/**
 * Decodes pictures while they arrive, once there is memory for them.
 * @param allowsAddresses whether the service may answer with addresses
 * @param pictures how many were asked for
 */
export const imageSink =
	(allowsAddresses: boolean, memory: MemoryClaim, pictures = 1): Receive<DecodedAnswer & { requestId?: string }> =>
	(head, flow) => {
		if ((headerOf(head, 'content-encoding') ?? 'identity') !== 'identity')
			throw new InvalidResponseError('it is compressed');
		const length = lengthOf(head);
		const decoder = new ImageDecoder(
			length,
			{ ...(allowsAddresses ? LIMITS_WITH_ADDRESSES : IMAGE_LIMITS), pictures },
			allowsAddresses,
		);
		memory.take(length === undefined ? UNKNOWN_BYTES : Math.ceil((length * 3) / 4), flow);
		return {
			write(chunk) {
				decoder.write(chunk);
				return false;
			},
			end(error) {
				if (error) throw error;
				const result = decoder.end();
				const requestId = requestIdOf(head);
				return requestId === undefined ? result : { ...result, requestId };
			},
		};
	};

/** Collects a small answer and reads it at its end. */
export function bodySink<T>(read: (body: Uint8Array) => T): () => Sink<T> {
	return () => {
		const body = new ByteBuffer(MAX_ANSWER_BYTES);
		return {
			write(chunk) {
				body.push(chunk);
				return false;
			},
			end(error) {
				if (error) throw error;
				return read(body.bytes());
			},
		};
	};
}

/** Reads an error answer to its end, since only a complete one tells that the work was not done. */
function errorSink(head: AnswerHead, apiKey: string | undefined): Sink<never> {
	const body = new ByteBuffer(MAX_ERROR_BYTES);
	let received = 0;
	return {
		write(chunk) {
			received += chunk.length;
			body.push(chunk.subarray(0, MAX_ERROR_BYTES - body.length));
			return received > MAX_DISCARDED_BYTES;
		},
		end(error) {
			if (error) throw cutOff(head, error);
			if (received > MAX_DISCARDED_BYTES) throw cutOff(head, { code: 'TOO_LONG' });
			const text = Buffer.from(body.bytes()).toString();
			// Some services repeat the key that they refuse.
			throw errorOf(head, apiKey ? text.replaceAll(apiKey, '…') : text);
		},
	};
}

function cutOff(head: AnswerHead, { code, cause }: Pick<ServiceError, 'code' | 'cause'>): ServiceError {
	const facts = { status: head.status, requestId: requestIdOf(head), code, ...(cause !== undefined && { cause }) };
	return new ServiceError('cut-off', `The image service's error answer was cut off (status ${head.status}).`, facts);
}

/** Turns the `InvalidResponseError` of a sink into a `ServiceError`. */
function checked<T>(head: AnswerHead, make: () => Sink<T>): Sink<T> {
	function check<R>(work: () => R): R {
		try {
			return work();
		} catch (error) {
			if (!(error instanceof InvalidResponseError)) throw error;
			const facts = { status: head.status, requestId: requestIdOf(head) };
			throw new ServiceError('invalid', `The image service's answer can't be used: ${error.message}.`, facts);
		}
	}
	const sink = check(make);
	return {
		write: (chunk) => check(() => sink.write(chunk)),
		end: (error) => check(() => sink.end(error)),
	};
}
