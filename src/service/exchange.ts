import { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { type AnswerHead, InvalidResponseError, ServiceError } from './errors.ts';
import type { ServiceProfile } from './profiles.ts';
import type { RequestBody } from './request-body.ts';

/** Collects copies of the bytes of a body, up to a limit. */
export class ByteBuffer {
	readonly #limit: number;
	readonly #expected: number;
	#memory = Buffer.alloc(0);
	#length = 0;

	/**
	 * @param expected how many bytes will come, if that is known: nothing grows or is copied then
	 * @throws InvalidResponseError when that is over the limit
	 */
	constructor(limit: number, expected = 0) {
		this.#limit = limit;
		this.#expected = expected;
		this.#check(expected);
	}

	get length(): number {
		return this.#length;
	}

	/** @throws InvalidResponseError when the bytes would exceed the limit */
	push(bytes: Uint8Array): void {
		const needed = this.#length + bytes.length;
		this.#check(needed);
		if (needed > this.#memory.length) {
			const size = this.#length === 0 ? Math.max(needed, this.#expected) : Math.min(this.#limit, 2 * needed);
			const grown = Buffer.allocUnsafeSlow(size);
			grown.set(this.bytes());
			this.#memory = grown;
		}
		this.#memory.set(bytes, this.#length);
		this.#length = needed;
	}

	/** Returns what was collected, as a view. */
	bytes(): Buffer<ArrayBuffer> {
		return this.#memory.subarray(0, this.#length);
	}

	#check(length: number): void {
		if (length > this.#limit)
			throw new InvalidResponseError(`it is longer than the ${this.#limit} bytes that are read`);
	}
}

/** Reads the body of one answer. What it throws ends the call. */
export type Sink<T> = {
	/**
	 * @param chunk only lent: its memory is gone some time after the call
	 * @returns whether everything that matters has come; the rest is not read then
	 */
	write(chunk: Buffer): boolean;
	/** @param error why the body broke off; `undefined` when everything that matters has come */
	end(error: ServiceError | undefined): T;
};

/** Holds the answer back while its reader is slow. */
export type Flow = { pause(): void; resume(): void };

/** Returns the sink for an answer, once its head is there. */
export type Receive<T> = (head: AnswerHead, flow: Flow) => Sink<T>;

/** Returns a sink that collects a body and reads it at its end. */
export function collect<T>(read: (body: Buffer<ArrayBuffer>) => T, limit: number, expected?: number): Sink<T> {
	const body = new ByteBuffer(limit, expected);
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
}

/**
 * One request and its answer, as undici's handler of both.
 *
 * Whether the request was sent is not guessed from error codes: undici calls `onRequestStart` right before it writes the first byte to a
 * connection that is open and, with TLS, has its handshake done. What fails before was surely not sent; what fails later may have been
 * read.
 */
class Exchange<T> implements Dispatcher.DispatchHandler {
	readonly #deferred = Promise.withResolvers<T>();
	readonly #signal: AbortSignal;
	readonly #receive: Receive<T>;
	readonly #timer: NodeJS.Timeout;
	/** Set from the moment the request may have been sent. */
	#controller: Dispatcher.DispatchController | undefined;
	/** Set from the answer's head on. */
	#sink: Sink<T> | undefined;
	#hasEnded = false;
	/** The memory of the last chunk, if it has nothing else. */
	#lent: ArrayBufferLike | undefined;
	#isOver = false;

	/** @param deadline the `performance.now()` by which the whole answer must be there */
	constructor(signal: AbortSignal, deadline: number, receive: Receive<T>) {
		this.#signal = signal;
		this.#receive = receive;
		this.#timer = setTimeout(this.#expire, Math.max(0, deadline - performance.now()));
		signal.addEventListener('abort', this.#abort, { once: true });
		if (signal.aborted) this.#abort();
		else if (performance.now() >= deadline) this.#expire();
	}

	/** Rejects with `ServiceError`, with the signal's reason when aborted before anything was sent, or with what the sink throws. */
	get result(): Promise<T> {
		return this.#deferred.promise;
	}

	get isOver(): boolean {
		return this.#isOver;
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		// A second start would be a second purchase.
		if (this.#isOver || this.#controller) controller.abort(new Error('over'));
		else this.#controller = controller;
	}

	onResponseStart(flow: Dispatcher.DispatchController, status: number, headers: AnswerHead['headers']): void {
		if (status < 200) return;
		this.#step(() => {
			this.#sink = this.#receive({ status, headers }, flow);
		});
	}

	onResponseData(_flow: Dispatcher.DispatchController, chunk: Buffer): void {
		this.#step(() => {
			if (this.#sink?.write(chunk)) this.#end();
		});
		// Given back once the parser has moved on, not when it is collected: with four pictures of 10 MB, the peak is 69 MB instead of 115.
		if (this.#lent instanceof ArrayBuffer) this.#lent.transfer(0);
		const isWhole = chunk.byteLength > 0 && chunk.byteLength === chunk.buffer.byteLength;
		this.#lent = isWhole ? chunk.buffer : undefined;
	}

	onResponseEnd(): void {
		// Nothing is left to be aborted.
		this.#hasEnded = true;
		this.#end();
	}

	onResponseError(_flow: Dispatcher.DispatchController, error: Error): void {
		this.#lose('The connection to the image service broke', { code: codeOf(error) });
	}

	readonly #abort = (): void => {
		const { reason } = this.#signal;
		if (!this.#controller) this.#settle(() => this.#deferred.reject(reason));
		else this.#lose('The call was aborted after it was sent', { code: 'ABORTED', cause: reason });
	};

	readonly #expire = (): void => this.#lose('The image service took too long', { code: 'TIMEOUT' });

	#lose(sentence: string, facts: { code: string; cause?: unknown }): void {
		if (!this.#controller) this.#end(notSent(facts.code));
		else this.#end(lost(this.#sink ? 'cut-off' : 'no-answer', sentence, facts));
	}

	#end(error?: ServiceError): void {
		this.#step(() => {
			if (!this.#sink) throw error ?? lost('no-answer', 'The image service did not answer', { code: 'NO_ANSWER' });
			const value = this.#sink.end(error);
			this.#settle(() => this.#deferred.resolve(value));
		});
	}

	/** Runs a step of the sink, whose errors end the call. */
	#step(work: () => void): void {
		if (this.#isOver) return;
		try {
			work();
		} catch (error) {
			this.#settle(() => this.#deferred.reject(error));
		}
	}

	#settle(outcome: () => void): void {
		if (this.#isOver) return;
		this.#isOver = true;
		clearTimeout(this.#timer);
		this.#signal.removeEventListener('abort', this.#abort);
		outcome();
		// Even after success: the other side may keep a stream open after its end mark.
		if (!this.#hasEnded) this.#controller?.abort(new Error('over'));
	}
}

function notSent(code: string): ServiceError {
	return new ServiceError('unreachable', `The image service could not be reached (${code}).`, { code });
}

function lost(kind: 'no-answer' | 'cut-off', sentence: string, facts: { code: string; cause?: unknown }): ServiceError {
	return new ServiceError(kind, `${sentence}; it is not known whether it did the work (${facts.code}).`, facts);
}

/** Returns the code alone: the messages of connection errors contain addresses. */
function codeOf(error: Error): string {
	const code = 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : error.name;
}

export type Call = {
	method: 'GET' | 'POST';
	/** Scheme, host and port. */
	origin: string;
	path: string;
	headers: Readonly<Record<string, string>>;
	/** Sent once, in these pieces; `headers` has their length. */
	body?: RequestBody['pieces'];
};

/**
 * HTTP/1.1 over an agent of its own: the global one belongs to others.
 *
 * Every call has a connection of its own. A request on a kept connection can cross with the other side's close, and then nobody knows
 * whether it was read; a handshake is cheap compared to a picture. HTTP/2 is off, because its streams may be sent again unnoticed.
 */
export class Transport {
	readonly #connectMs: number;
	#agent: Promise<Agent> | undefined;
	#isClosed = false;

	/** @param connectMs longest wait for name resolution, connection and TLS handshake */
	constructor(connectMs: number) {
		this.#connectMs = connectMs;
	}

	/**
	 * Sends the call, once. Silence is limited by the deadline alone: models think, and pictures are made, before anything comes.
	 * @param deadline the `performance.now()` by which the whole answer must be there
	 * @throws ServiceError, the signal's reason when it was aborted before anything was sent, or what the sink throws
	 */
	async send<T>(call: Call, signal: AbortSignal, deadline: number, receive: Receive<T>): Promise<T> {
		this.#agent ??= this.#createAgent();
		const agent = await this.#agent;
		const exchange = new Exchange(signal, deadline, receive);
		const body = call.body ? Readable.from(call.body) : null;
		if (!exchange.isOver) agent.dispatch({ ...call, headersTimeout: 0, bodyTimeout: 0, body }, exchange);
		return exchange.result;
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await (await this.#agent)?.destroy();
	}

	/** The library is loaded for the first call: it takes 15 MB. */
	async #createAgent(): Promise<Agent> {
		const { Agent } = await import('undici');
		const agent = new Agent({ allowH2: false, pipelining: 0, connect: { timeout: this.#connectMs } });
		if (this.#isClosed) await agent.destroy();
		return agent;
	}
}

const COMMON_HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'easel' };

/** An address of the service, with the key that goes there and nowhere else. */
export class ServiceAddress {
	/** Scheme, host and port. */
	readonly origin: string;
	/** Path before `/v1/…`, without a slash at its end. */
	readonly #prefix: string;
	readonly #apiKey: string | undefined;
	readonly #keyHeader: ServiceProfile['keyHeader'];

	/** @throws TypeError when the text is not such an address, or the key has characters that a header cannot carry */
	constructor(text: string, apiKey: string | undefined, keyHeader: ServiceProfile['keyHeader'] = 'authorization') {
		const url = URL.parse(text);
		if (!url || !/^https?:$/.test(url.protocol))
			throw new TypeError('The service address is no http or https address.');
		if (url.username || url.password || url.search || url.hash)
			throw new TypeError('The service address has more than scheme, host, port and path.');
		if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
			throw new TypeError('The API key has characters that no key has.');
		this.origin = url.origin;
		this.#prefix = url.pathname.replace(/(?<!\/)\/+$/, '');
		this.#apiKey = apiKey;
		this.#keyHeader = keyHeader;
	}

	/** Resolves an address relative to this one; null when it is invalid. */
	resolve(address: string): URL | null {
		return URL.parse(address, `${this.origin}${this.#prefix}/`);
	}

	/** Returns a GET of any address, with the key only for this service's origin. */
	fetch({ origin, pathname, search }: URL): Call {
		const headers = origin === this.origin ? this.#headers() : COMMON_HEADERS;
		return { method: 'GET', origin, path: pathname + search, headers };
	}

	/** Returns a call with this body, or a GET without one. */
	call(path: string, body?: RequestBody): Call {
		const headers = this.#headers();
		const target = { origin: this.origin, path: this.#prefix + path, headers };
		if (!body) return { method: 'GET', ...target };
		headers['content-type'] = body.type;
		headers['content-length'] = String(body.length);
		return { method: 'POST', ...target, body: body.pieces };
	}

	#headers(): Record<string, string> {
		const headers: Record<string, string> = { ...COMMON_HEADERS };
		if (this.#apiKey !== undefined)
			headers[this.#keyHeader] = this.#keyHeader === 'authorization' ? `Bearer ${this.#apiKey}` : this.#apiKey;
		return headers;
	}
}
