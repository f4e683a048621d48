import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import type { Agent } from 'undici';
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
 * Keeps V8 from optimizing the library's parser, which is WebAssembly, in the middle of a large answer: that takes 8 MB and a tenth of a
 * second, and nothing is measurably faster afterwards. Both flags are needed.
 * https://chromium.googlesource.com/v8/v8/+/refs/heads/main/src/flags/flag-definitions.h
 */
function keepParserSmall(): void {
	setFlagsFromString('--no-wasm-tier-up');
	setFlagsFromString('--no-wasm-dynamic-tiering');
}

/**
 * HTTP/1.1 over an agent of its own: the global one belongs to others.
 *
 * Every call has a connection of its own. A request on a kept connection can cross with the other side's close, and then nobody knows
 * whether it was read; a handshake is cheap compared to a picture. HTTP/2 is off, because its streams may be sent again unnoticed.
 */
export class Transport {
	readonly #timeouts: Timeouts;
	#agent: Promise<Agent> | undefined;
	#isClosed = false;

	constructor(timeouts: Timeouts) {
		this.#timeouts = timeouts;
	}

	/**
	 * Sends the call, once.
	 * @param deadline the `performance.now()` by which the whole answer must be there
	 * @param bodyMs see `Timeouts.bodyMs`, which is the default
	 * @throws ServiceError, the signal's reason when it was aborted before anything was sent, or what the sink throws
	 */
	async send<T>(
		call: Call,
		signal: AbortSignal,
		deadline: number,
		receive: Receive<T>,
		bodyMs = this.#timeouts.bodyMs,
	): Promise<T> {
		this.#agent ??= this.#createAgent();
		const agent = await this.#agent;
		const exchange = new Exchange(signal, deadline, receive);
		const { body, ...request } = call;
		const { headersMs: headersTimeout } = this.#timeouts;
		if (!exchange.isOver)
			agent.dispatch(
				{ ...request, headersTimeout, bodyTimeout: bodyMs, body: body ? Readable.from(body) : null },
				exchange,
			);
		return exchange.result;
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await (await this.#agent)?.destroy();
	}

	/** The library is loaded for the first call: it takes 15 MB. */
	async #createAgent(): Promise<Agent> {
		keepParserSmall();
		const { Agent } = await import('undici');
		const agent = new Agent({ allowH2: false, pipelining: 0, connect: { timeout: this.#timeouts.connectMs } });
		if (this.#isClosed) await agent.destroy();
		return agent;
	}
}
