import { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { Exchange, type Receive } from './exchange.ts';
import type { ServiceProfile } from './profiles/profile.ts';
import type { RequestBody } from './request-body.ts';

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
