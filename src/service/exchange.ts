import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Dispatcher, EnvHttpProxyAgent } from 'undici';
import { MemoryBudget } from '../domain/queues.ts';
import { codeOf } from '../domain/text.ts';
import { type AnswerHead, headerOf } from './contents.ts';
import { failureOf, InvalidResponseError, ServiceError } from './errors.ts';
import type { RequestBody } from './requests.ts';

type Call = {
	/** Scheme, host and port. */
	origin: string;
	path: string;
	headers: Readonly<Record<string, string>>;
	/** Sent once, in these pieces; `headers` has their length. Absent for a GET. */
	body?: RequestBody['pieces'];
};

/** An answer whose head has come. */
export type HttpAnswer = AnswerHead & {
	/**
	 * Yields the body as it comes; a slow reader holds the service back. A chunk is only lent until the next one is asked for.
	 * Throws `ServiceError` after the last chunk when the body is cut off.
	 */
	body: AsyncIterable<Buffer>;
	/** Aborts what has not come, also after the end mark of a stream: the other side may keep it open. */
	close(): void;
};

/**
 * Reads a whole body.
 * @param onFault is told why a body is cut off, of which then is returned what has come. Without it, this is thrown
 * @throws InvalidResponseError when it has more bytes than the limit
 */
export async function readBody(
	answer: HttpAnswer,
	limit: number,
	onFault?: (error: unknown) => void,
): Promise<Buffer<ArrayBuffer>> {
	let memory = Buffer.alloc(0);
	let length = 0;
	const reserve = (needed: number, bytes: number) => {
		if (needed > limit) throw new InvalidResponseError(`it is longer than the ${limit} bytes that are read`);
		if (needed <= memory.length) return;
		// Not zeroed: what has not come takes no memory yet.
		const grown = Buffer.allocUnsafeSlow(bytes);
		grown.set(memory.subarray(0, length));
		memory = grown;
	};
	// With the length known, nothing grows or is copied.
	const expected = lengthOf(answer) ?? 0;
	reserve(expected, expected);
	try {
		for await (const chunk of answer.body) {
			reserve(length + chunk.length, Math.min(limit, 2 * (length + chunk.length)));
			length += chunk.copy(memory, length);
		}
	} catch (error) {
		if (!onFault) throw error;
		onFault(error);
	}
	return memory.subarray(0, length);
}

/** Returns how many bytes the answer says that it has. */
const lengthOf = (head: AnswerHead): number | undefined =>
	Number(headerOf(head, 'content-length') ?? Number.NaN) || undefined;

/**
 * One request and its answer.
 *
 * Whether the request was sent is not guessed from error codes: undici calls `onRequestStart` right before it writes the first byte to a
 * connection that is open and, with TLS, has its handshake done. What fails before was surely not sent; what fails later may have been
 * read.
 */
class Exchange {
	readonly #signal: AbortSignal;
	#isSent = false;
	#head: AnswerHead | undefined;

	constructor(signal: AbortSignal) {
		this.#signal = signal;
	}

	async send(agent: Dispatcher, call: Call, proxyVariable: string): Promise<HttpAnswer> {
		const { promise: ending, reject } = Promise.withResolvers<never>();
		// A signal with a listener is kept until its time is over.
		const end = () => reject(this.#signal.reason);
		this.#signal.addEventListener('abort', end);
		try {
			this.#signal.throwIfAborted();
			const method = call.body ? 'POST' : 'GET';
			const body = call.body ? Readable.from(call.body) : null;
			// A slow reader holds the service back after one piece.
			const limits = { headersTimeout: 0, bodyTimeout: 0, highWaterMark: 1, signal: this.#signal };
			const request = agent.compose(this.#watch).request({ ...call, ...limits, method, body });
			// The library itself ends a request only once there is a connection for it.
			const answer = await Promise.race([request, ending]);
			this.#head = { status: answer.statusCode, headers: answer.headers };
			const close = () => void answer.body.on('error', () => {}).destroy();
			const decoder = DECODERS[headerOf(this.#head, 'content-encoding')?.toLowerCase() ?? '']?.();
			const decoded = decoder ? pipeline(answer.body, decoder, () => {}) : answer.body;
			return { ...this.#head, body: this.#read(decoded), close };
		} catch (error) {
			throw refusedByProxy(error, proxyVariable) ?? this.#reasonOf(error);
		} finally {
			this.#signal.removeEventListener('abort', end);
		}
	}

	readonly #watch: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
		const onRequestStart: Dispatcher.DispatchHandler['onRequestStart'] = (controller, context) => {
			// A second start would be a second purchase.
			if (this.#isSent) return controller.abort(new Error('over'));
			this.#isSent = true;
			handler.onRequestStart?.(controller, context);
		};
		return dispatch(options, Object.setPrototypeOf({ onRequestStart }, handler));
	};

	async *#read(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
		try {
			for await (const chunk of body) {
				yield chunk;
				giveBack(chunk);
			}
		} catch (error) {
			throw this.#reasonOf(error);
		}
	}

	#reasonOf(error: unknown): unknown {
		const { aborted, reason } = this.#signal;
		const isLate = aborted && Object(reason).name === 'TimeoutError';
		if (aborted && !isLate && !this.#isSent) return reason;
		const code = isLate ? 'TIMEOUT' : aborted ? 'ABORTED' : codeOf(error);
		if (!this.#isSent)
			return new ServiceError('unreachable', `The image service could not be reached (${code}).`, { code });
		const facts = { code, cause: isLate ? undefined : reason };
		const message = `${LOST[code] ?? 'The connection to the image service broke'}; it is not known whether it did the work (${code}).`;
		if (this.#head) return failureOf(this.#head, 'cut-off', message, facts);
		return new ServiceError('no-answer', message, facts);
	}
}

const LOST: Readonly<Record<string, string>> = {
	ABORTED: 'The call was aborted after it was sent',
	TIMEOUT: 'The image service took too long',
};

/** Some gateways compress what was not to be compressed. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
	...{ gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate },
	...{ br: createBrotliDecompress, zstd: createZstdDecompress },
};

/**
 * Gives the memory of a piece back once it was read, if there is nothing else in it. It would be collected later: with four pictures of
 * 10 MB, the peak is 69 MB instead of 115.
 */
function giveBack({ buffer, byteLength }: Buffer): void {
	if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** https://github.com/nodejs/undici/blob/main/lib/dispatcher/proxy-agent.js */
function refusedByProxy(error: unknown, variable: string): ServiceError | undefined {
	const [, status] = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(String(Object(error).message)) ?? [];
	if (status === undefined) return undefined;
	const message = `A proxy does not connect to the image service (status ${status}).`;
	return new ServiceError('unreachable', message, { status: Number(status), code: 'PROXY', variable });
}

/** Addresses of proxies for https and for http, and what is reached without one, as `NO_PROXY` names it. */
export type Proxies = { https?: string; http?: string; none?: string };

/**
 * HTTP/1.1 over an agent of its own: the global one belongs to others.
 *
 * Every call has a connection of its own. A request on a kept connection can cross with the other side's close, and then nobody knows
 * whether it was read; a handshake is cheap compared to a picture. HTTP/2 is off, because its streams may be sent again unnoticed.
 */
export class Transport {
	readonly #connectMs: number;
	readonly #proxies: Proxies;
	#agent: Promise<EnvHttpProxyAgent> | undefined;
	#isClosed = false;

	/** @param connectMs longest wait for name resolution, connection and TLS handshake */
	constructor(connectMs: number, proxies: Proxies = {}) {
		this.#connectMs = connectMs;
		this.#proxies = proxies;
	}

	/**
	 * Sends the call, once. Silence is limited by the time of the call alone: models think, and pictures are made, before anything comes.
	 * @param signal also ends the call when its time is over (`AbortSignal.timeout`)
	 * @throws ServiceError, or the signal's reason when it was aborted, but not by time, before anything was sent
	 */
	async send(call: Call, signal: AbortSignal): Promise<HttpAnswer> {
		this.#agent ??= this.#createAgent();
		const isTunneled = call.origin.startsWith('https:') && this.#proxies.https;
		return new Exchange(signal).send(await this.#agent, call, isTunneled ? 'HTTPS_PROXY' : 'HTTP_PROXY');
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await (await this.#agent)?.destroy();
	}

	/** The library is loaded for the first call: it takes 15 MB. */
	async #createAgent(): Promise<EnvHttpProxyAgent> {
		const { EnvHttpProxyAgent, Pool } = await import('undici');
		const connect = { timeout: this.#connectMs };
		// Gateways pass on the heads of others, and a picture is paid for by then.
		const own = { allowH2: false, pipelining: 0, maxHeaderSize: 64 * 1024 };
		const { https = '', http = '', none = '' } = this.#proxies;
		const agent = new EnvHttpProxyAgent({
			...{ ...own, connect, requestTls: connect, proxyTls: connect },
			...{ httpsProxy: https, httpProxy: http, noProxy: none },
			// The connection to a proxy is not kept either.
			factory: (origin, options) => new Pool(origin, { ...options, ...own }),
		});
		if (this.#isClosed) await agent.destroy();
		return agent;
	}
}

/** What is taken for an answer that does not say how long it is: one picture. */
const UNKNOWN_BYTES = 4 * 1024 * 1024;
/** What is read of an answer without memory for it: text, and what waits in a connection anyway. */
const SMALL_BYTES = 128 * 1024;

/**
 * Limits how much of the pictures of all answers is in memory at once: an answer that comes while others are decoded or posted is read
 * when they are done, and one that is larger than the limit alone. It waits for a short time only: a picture that is paid for must not
 * be lost to a time-out of the service.
 */
export class PictureMemory extends MemoryBudget {
	constructor({ limitBytes = 24 * 1024 * 1024, waitMs = 2000 } = {}) {
		super(limitBytes, waitMs);
	}
}

/** The memory for the pictures of one answer. What it holds is given back once: by who gets the pictures, or without any, at its end. */
export class AnswerMemory {
	readonly #memory: PictureMemory;
	readonly #signal: AbortSignal;
	#held: (() => void)[] = [];
	#bytes = 0;

	constructor(memory: PictureMemory, signal: AbortSignal) {
		this.#memory = memory;
		this.#signal = signal;
	}

	/**
	 * Reads a body with pictures, once there is memory for them.
	 * @param decode also gets what has come of a body that is cut off, with the reason, which is thrown when it finds nothing
	 */
	async read<T>(
		answer: HttpAnswer,
		limit: number,
		decode: (body: Buffer<ArrayBuffer>, fault?: unknown) => T,
	): Promise<T> {
		await this.#take(lengthOf(answer));
		let fault: unknown;
		const body = await readBody(answer, limit, (error) => {
			fault = error;
		});
		try {
			return decode(body, fault);
		} catch (error) {
			throw fault ?? error;
		}
	}

	/** Waits for memory for so many bytes of an answer that grows. */
	async reach(bytes: number): Promise<void> {
		while (bytes > Math.max(SMALL_BYTES, this.#bytes)) await this.#take();
	}

	async #take(bytes = UNKNOWN_BYTES): Promise<void> {
		this.#bytes += bytes;
		this.#held.push(await this.#memory.take(bytes, this.#signal));
	}

	/** Returns what gives back all that is held by now. Further pictures take memory of their own. */
	handOn(): () => void {
		const held = this.#held;
		[this.#held, this.#bytes] = [[], 0];
		return () => {
			for (const release of held) release();
		};
	}
}
