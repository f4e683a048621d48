import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { Exchange, type Receive } from './exchange.ts';

export type Call = {
	method: 'GET' | 'POST';
	/** Scheme, host and port. */
	origin: string;
	path: string;
	headers: Readonly<Record<string, string>>;
	/** Sent once, in these pieces; `headers` has their length. */
	body?: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>;
};

export type Timeouts = {
	/** Milliseconds for name resolution, connection and TLS handshake. */
	connectMs: number;
	/** Milliseconds until the answer's head. */
	headersMs: number;
	/** Milliseconds between two pieces of the body. */
	bodyMs: number;
};

/**
 * HTTP/1.1 over an agent of its own: the global one belongs to others.
 *
 * Every call has a connection of its own. A request on a kept connection can cross with the other side's close, and then nobody knows
 * whether it was read; a handshake is cheap compared to a picture. HTTP/2 is off, because its streams may be sent again unnoticed.
 */
export class Transport {
	readonly #agent: Agent;
	readonly #timeouts: Timeouts;

	constructor(timeouts: Timeouts) {
		this.#timeouts = timeouts;
		this.#agent = new Agent({ allowH2: false, pipelining: 0, connect: { timeout: timeouts.connectMs } });
	}

	/**
	 * Sends the call, once.
	 * @param deadline the `performance.now()` by which the whole answer must be there
	 * @param bodyMs see `Timeouts.bodyMs`, which is the default
	 * @throws ServiceError, the signal's reason when it was aborted before anything was sent, or what the sink throws
	 */
	send<T>(
		call: Call,
		signal: AbortSignal,
		deadline: number,
		receive: Receive<T>,
		bodyMs = this.#timeouts.bodyMs,
	): Promise<T> {
		const exchange = new Exchange(signal, deadline, receive);
		const { body, ...request } = call;
		const { headersMs: headersTimeout } = this.#timeouts;
		if (!exchange.isOver)
			this.#agent.dispatch(
				{ ...request, headersTimeout, bodyTimeout: bodyMs, body: body ? Readable.from(body) : null },
				exchange,
			);
		return exchange.result;
	}

	close(): Promise<void> {
		return this.#agent.destroy();
	}
}
