import { readCompletion, readEmbedding, readModels } from './answers.ts';
import { createByteBuffer } from './byte-buffer.ts';
import type { ServiceProfile } from './capabilities.ts';
import { streamChat } from './chat-stream.ts';
import { errorOf } from './error-answer.ts';
import { InvalidResponseError, ServiceError } from './errors.ts';
import { type AnswerHead, headerOf, requestIdOf } from './head.ts';
import { createImageDecoder } from './image-decoder.ts';
import { easelProfile } from './profiles/easel.ts';
import { jsonBody, pictureBody, type RequestBody } from './request-body.ts';
import type { ChatRequest, ImageResult, Service } from './service.ts';
import { type Call, createTransport, type Flow, type Sink } from './transport.ts';

export type ServiceOptions = {
	/** `http:` or `https:`; `/v1/…` is added to its path. */
	baseUrl: string;
	/** Where generation goes, as `/api/v1/…`, when nothing could be sent to the first address. */
	altBaseUrl?: string | undefined;
	/** Sent as bearer to these two addresses alone. */
	apiKey?: string | undefined;
	/** Longest wait for one call, both addresses and the whole answer included. */
	timeoutMs: number;
	/** Names used when a request brings none. */
	models: { image: string; chat: string; embedding: string };
	/** The API that the service offers. Default `easel`. */
	profile?: ServiceProfile;
	/** Longest wait for name, connection and TLS handshake. Default 10 seconds. */
	connectTimeoutMs?: number;
	/** Longest wait for the head of the answer. Default `timeoutMs`: pictures are made before anything is answered. */
	headersTimeoutMs?: number;
	/** Longest silence within an answer. Default 30 seconds. */
	bodyTimeoutMs?: number;
};

/** Bytes of an answer that is not pictures. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Bytes of an error's body that are parsed, and bytes up to which its end is waited for. */
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

type Address = { origin: string; prefix: string };

/** The client of the image service. Throws `TypeError` when an address or the key can't be one. */
export function createService(options: ServiceOptions): Service {
	const { apiKey, models, timeoutMs } = options;
	const first = addressOf(options.baseUrl);
	const second = options.altBaseUrl === undefined ? undefined : addressOf(options.altBaseUrl);
	if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
		throw new TypeError('The API key has characters that no key has.');
	const transport = createTransport({
		connectMs: options.connectTimeoutMs ?? 10_000,
		headersMs: options.headersTimeoutMs ?? timeoutMs,
		bodyMs: options.bodyTimeoutMs ?? 30_000,
	});

	function call(address: Address, path: string, body?: RequestBody): Call {
		const headers: Record<string, string> = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'easel' };
		if (apiKey !== undefined) headers['authorization'] = `Bearer ${apiKey}`;
		const { origin, prefix } = address;
		if (!body) return { method: 'GET', origin, path: prefix + path, headers };
		headers['content-type'] = body.type;
		headers['content-length'] = String(body.length);
		return { method: 'POST', origin, path: prefix + path, headers, body: body.pieces };
	}

	function send<T>(
		call: Call,
		signal: AbortSignal,
		receive: (head: AnswerHead, flow: Flow) => Sink<T>,
		deadline = performance.now() + timeoutMs,
	): Promise<T> {
		return transport.send(call, signal, deadline, (head, flow) => {
			if (head.status < 200 || head.status > 299) return errorSink(head, apiKey);
			return naming(head, () => receive(head, flow));
		});
	}

	function images(call: Call, signal: AbortSignal, deadline?: number): Promise<ImageResult> {
		return send(call, signal, imageSink, deadline);
	}

	function completion({ messages, model }: ChatRequest, stream: boolean): Call {
		return call(first, '/v1/chat/completions', jsonBody({ model: model ?? models.chat, messages, stream }));
	}

	return {
		capabilities: (options.profile ?? easelProfile).capabilities,
		async generate({ prompt, model, size, n }, signal) {
			const deadline = performance.now() + timeoutMs;
			const body = () => jsonBody({ model: model ?? models.image, prompt, size, n });
			try {
				return await images(call(first, '/v1/images/generations', body()), signal, deadline);
			} catch (error) {
				if (!second || !(error instanceof ServiceError) || error.kind !== 'unreachable') throw error;
				return images(call(second, '/api/v1/images/generations', body()), signal, deadline);
			}
		},
		edit({ image, prompt, model, n, format = 'multipart' }, signal) {
			const body = pictureBody(format, { model: model ?? models.image, prompt, n }, image);
			return images(call(first, '/v1/images/edits', body), signal);
		},
		compose({ images: references, prompt, size, n, format = 'multipart' }, signal) {
			// No model: whether this call takes one is not known.
			const body = pictureBody(format, { prompt, size, n }, references);
			return images(call(first, '/v1/images/compose', body), signal);
		},
		chat: (request, signal) =>
			streamChat((either, receive) => send(completion(request, true), either, receive), signal),
		complete: (request, signal) => send(completion(request, false), signal, whole(readCompletion)),
		embed({ input, model }, signal) {
			const body = jsonBody({ model: model ?? models.embedding, input });
			return send(call(first, '/v1/embeddings', body), signal, whole(readEmbedding));
		},
		models: (signal) => send(call(first, '/v1/models'), signal, whole(readModels)),
		close: () => transport.close(),
	};
}

function addressOf(text: string): Address {
	const url = URL.parse(text);
	if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('The service address is no http or https address.');
	if (url.username || url.password || url.search || url.hash) {
		throw new TypeError('The service address has more than scheme, host, port and path.');
	}
	return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

function imageSink(head: AnswerHead): Sink<ImageResult> {
	if ((headerOf(head, 'content-encoding') ?? 'identity') !== 'identity')
		throw new InvalidResponseError('it is compressed');
	const length = headerOf(head, 'content-length');
	const decoder = createImageDecoder(length === undefined ? undefined : Number(length));
	return {
		write(chunk) {
			decoder.write(chunk);
			return false;
		},
		end(trouble) {
			if (trouble) throw trouble;
			const result = decoder.end();
			const requestId = requestIdOf(head);
			return requestId === undefined ? result : { ...result, requestId };
		},
	};
}

/** Collects a small answer and reads it at its end. */
function whole<T>(read: (body: Uint8Array) => T): () => Sink<T> {
	return () => {
		const body = createByteBuffer(MAX_ANSWER_BYTES);
		return {
			write(chunk) {
				body.push(chunk);
				return false;
			},
			end(trouble) {
				if (trouble) throw trouble;
				return read(body.bytes());
			},
		};
	};
}

/** Reads an error answer to its end, since only a complete one tells that the work was not done. */
function errorSink(head: AnswerHead, apiKey: string | undefined): Sink<never> {
	const body = createByteBuffer(MAX_ERROR_BYTES);
	let received = 0;
	return {
		write(chunk) {
			received += chunk.length;
			body.push(chunk.subarray(0, MAX_ERROR_BYTES - body.length));
			return received > MAX_DISCARDED_BYTES;
		},
		end(trouble) {
			if (trouble) throw cutOff(head, trouble);
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

/** Gives the sink's complaints about the answer what a `ServiceError` has to say. */
function naming<T>(head: AnswerHead, make: () => Sink<T>): Sink<T> {
	function attempt<R>(work: () => R): R {
		try {
			return work();
		} catch (error) {
			if (!(error instanceof InvalidResponseError)) throw error;
			const facts = { status: head.status, requestId: requestIdOf(head) };
			throw new ServiceError('invalid', `The image service's answer can't be used: ${error.message}.`, facts);
		}
	}
	const sink = attempt(make);
	return {
		write: (chunk) => attempt(() => sink.write(chunk)),
		end: (trouble) => attempt(() => sink.end(trouble)),
	};
}
