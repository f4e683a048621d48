import { Readable } from 'node:stream';
import type { Dispatcher, EnvHttpProxyAgent } from 'undici';
import { type AnswerHead, headerOf, InvalidResponseError, requestIdOf, ServiceError } from './errors.ts';
import type { RequestBody } from './requests.ts';

export type Call = {
	method: 'GET' | 'POST';
	/** Scheme, host and port. */
	origin: string;
	path: string;
	headers: Readonly<Record<string, string>>;
	/** Sent once, in these pieces; `headers` has their length. */
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
 * @throws InvalidResponseError when it has more bytes than the limit
 */
export async function readBody(answer: HttpAnswer, limit: number): Promise<Buffer<ArrayBuffer>> {
	const check = (bytes: number) => {
		if (bytes > limit) throw new InvalidResponseError(`it is longer than the ${limit} bytes that are read`);
	};
	// With the length known, nothing grows or is copied.
	const expected = lengthOf(answer) ?? 0;
	check(expected);
	let memory = Buffer.alloc(0);
	let length = 0;
	for await (const chunk of answer.body) {
		const needed = length + chunk.length;
		check(needed);
		if (needed > memory.length) {
			const grown = Buffer.allocUnsafeSlow(length === 0 ? Math.max(needed, expected) : Math.min(limit, 2 * needed));
			grown.set(memory.subarray(0, length));
			memory = grown;
		}
		memory.set(chunk, length);
		length = needed;
	}
	return memory.subarray(0, length);
}

/** Returns how many bytes the answer says that it has. */
export function lengthOf(head: AnswerHead): number | undefined {
	const length = headerOf(head, 'content-length');
	return length === undefined ? undefined : Number(length);
}

/** Bytes that wait for a slow reader before the service is held back. */
const MAX_WAITING = 128 * 1024;

/**
 * One request and its answer, as undici's handler of both.
 *
 * Whether the request was sent is not guessed from error codes: undici calls `onRequestStart` right before it writes the first byte to a
 * connection that is open and, with TLS, has its handshake done. What fails before was surely not sent; what fails later may have been
 * read.
 */
class Exchange implements Dispatcher.DispatchHandler {
	readonly #answer = Promise.withResolvers<HttpAnswer>();
	readonly #signal: AbortSignal;
	readonly #timer: NodeJS.Timeout;
	/** Set from the moment the request may have been sent. */
	#controller: Dispatcher.DispatchController | undefined;
	#head: AnswerHead | undefined;
	readonly #chunks: Buffer[] = [];
	/** The chunk that was read last. */
	#lent: Buffer | undefined;
	#waiting = 0;
	#wake = () => {};
	#isOver = false;
	#error: unknown;

	readonly #proxyVariable: string;

	/**
	 * @param deadline the `performance.now()` by which the whole answer must be there
	 * @param proxyVariable names the proxy that may open the connection
	 */
	constructor(signal: AbortSignal, deadline: number, proxyVariable: string) {
		this.#signal = signal;
		this.#proxyVariable = proxyVariable;
		this.#timer = setTimeout(this.#expire, Math.max(0, deadline - performance.now()));
		signal.addEventListener('abort', this.#abort, { once: true });
		if (signal.aborted) this.#abort();
		else if (performance.now() >= deadline) this.#expire();
	}

	/** Rejects with `ServiceError`, or with the signal's reason when aborted before anything was sent. */
	get answer(): Promise<HttpAnswer> {
		return this.#answer.promise;
	}

	get isOver(): boolean {
		return this.#isOver;
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		// A second start would be a second purchase.
		if (this.#isOver || this.#controller) controller.abort(new Error('over'));
		else this.#controller = controller;
	}

	onResponseStart(_: Dispatcher.DispatchController, status: number, headers: AnswerHead['headers']): void {
		if (status < 200) return;
		this.#head = { status, headers };
		this.#answer.resolve({ status, headers, body: this.#read(), close: () => this.#end(undefined) });
	}

	onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
		if (this.#isOver) return;
		this.#giveBack();
		this.#chunks.push(chunk);
		this.#waiting += chunk.length;
		if (this.#waiting >= MAX_WAITING) controller.pause();
		this.#wake();
	}

	onResponseEnd(): void {
		if (this.#head) this.#end(undefined, true);
		else this.#lose('The image service did not answer', { code: 'NO_ANSWER' });
	}

	onResponseError(_: Dispatcher.DispatchController, error: Error): void {
		// https://github.com/nodejs/undici/blob/main/lib/dispatcher/proxy-agent.js
		const [, refusal] = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message) ?? [];
		if (refusal !== undefined) {
			const facts = { status: Number(refusal), code: 'PROXY', variable: this.#proxyVariable };
			const message = `A proxy does not connect to the image service (status ${refusal}).`;
			this.#end(new ServiceError('unreachable', message, facts));
		} else this.#lose('The connection to the image service broke', { code: codeOf(error) });
	}

	readonly #abort = (): void => {
		const { reason } = this.#signal;
		if (!this.#controller) this.#end(reason);
		else this.#lose('The call was aborted after it was sent', { code: 'ABORTED', cause: reason });
	};

	readonly #expire = (): void => this.#lose('The image service took too long', { code: 'TIMEOUT' });

	async *#read(): AsyncGenerator<Buffer> {
		for (;;) {
			const chunk = this.#chunks.shift();
			if (chunk) {
				this.#waiting -= chunk.length;
				yield chunk;
				this.#lent = chunk;
				if (this.#chunks.length > 0) this.#giveBack();
			} else if (this.#isOver) {
				if (this.#error !== undefined) throw this.#error;
				return;
			} else {
				const { promise, resolve } = Promise.withResolvers<void>();
				this.#wake = resolve;
				this.#controller?.resume();
				await promise;
			}
		}
	}

	/**
	 * Gives the memory of a chunk back once the parser has moved on to another one, if there is nothing else in it. It would be collected
	 * later: with four pictures of 10 MB, the peak is 69 MB instead of 115.
	 */
	#giveBack(): void {
		const { buffer, byteLength } = this.#lent ?? {};
		if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
		this.#lent = undefined;
	}

	#lose(sentence: string, { code, cause }: { code: string; cause?: unknown }): void {
		const head = this.#head;
		const facts = { code, cause, status: head?.status, requestId: head && requestIdOf(head) };
		const message = `${sentence}; it is not known whether it did the work (${code}).`;
		if (this.#controller) this.#end(new ServiceError(head ? 'cut-off' : 'no-answer', message, facts));
		else this.#end(new ServiceError('unreachable', `The image service could not be reached (${code}).`, { code }));
	}

	/** @param isWhole nothing is left to be aborted */
	#end(error: unknown, isWhole = false): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#error = error;
		clearTimeout(this.#timer);
		this.#signal.removeEventListener('abort', this.#abort);
		this.#answer.reject(error);
		this.#wake();
		if (!isWhole) this.#controller?.abort(new Error('over'));
	}
}

/** Returns the code alone: the messages of connection errors contain addresses. */
function codeOf(error: Error): string {
	const code = 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : error.name;
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
	 * Sends the call, once. Silence is limited by the deadline alone: models think, and pictures are made, before anything comes.
	 * @param deadline the `performance.now()` by which the whole answer must be there
	 * @throws ServiceError, or the signal's reason when it was aborted before anything was sent
	 */
	async send(call: Call, signal: AbortSignal, deadline: number): Promise<HttpAnswer> {
		this.#agent ??= this.#createAgent();
		const agent = await this.#agent;
		const isTunneled = call.origin.startsWith('https:') && this.#proxies.https;
		const exchange = new Exchange(signal, deadline, isTunneled ? 'HTTPS_PROXY' : 'HTTP_PROXY');
		const body = call.body ? Readable.from(call.body) : null;
		if (!exchange.isOver) agent.dispatch({ ...call, headersTimeout: 0, bodyTimeout: 0, body }, exchange);
		return exchange.answer;
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await (await this.#agent)?.destroy();
	}

	/** The library is loaded for the first call: it takes 15 MB. */
	async #createAgent(): Promise<EnvHttpProxyAgent> {
		const { EnvHttpProxyAgent, Pool } = await import('undici');
		const connect = { timeout: this.#connectMs };
		const own = { allowH2: false, pipelining: 0 };
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
