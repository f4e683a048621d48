import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { ServiceError } from './errors.ts';
import type { AnswerHead } from './head.ts';
import { createMemoryRelease } from './memory-release.ts';

export type Call = {
	method: 'GET' | 'POST';
	/** Scheme, host and port. */
	origin: string;
	path: string;
	headers: Readonly<Record<string, string>>;
	/** Sent once, in these pieces; `headers` carries their length. */
	body?: Iterable<Uint8Array | string>;
};

/** Takes one answer's body. What it throws ends the call. */
export type Sink<T> = {
	/**
	 * @param chunk is only lent: its memory may be gone after the call
	 * @returns whether all that matters has come; the rest is not read then
	 */
	write(chunk: Buffer): boolean;
	/** @param trouble the body broke off with this; `undefined` when all that matters has come */
	end(trouble: ServiceError | undefined): T;
};

/** Holds the answer back while the reader is slow. */
export type Flow = { pause(): void; resume(): void };

export type Timeouts = {
	/** Milliseconds for name, connection and TLS handshake. */
	connectMs: number;
	/** Milliseconds until the answer's head. */
	headersMs: number;
	/** Milliseconds between two pieces of the body. */
	bodyMs: number;
};

export type Transport = {
	/**
	 * Sends the call, once. Rejects with `ServiceError`, with the signal's reason when it was aborted before anything was sent, or
	 * with what the sink throws.
	 * @param deadline the `performance.now()` by which all must be over
	 */
	send<T>(
		call: Call,
		signal: AbortSignal,
		deadline: number,
		receive: (head: AnswerHead, flow: Flow) => Sink<T>,
	): Promise<T>;
	close(): Promise<void>;
};

/**
 * HTTP/1.1 over an agent of its own: the global one belongs to others.
 *
 * Whether a call left is not guessed from error codes: undici calls `onRequestStart` right before it writes the first byte to a
 * connection that is open and, with TLS, has its handshake done. What fails before was surely not sent; what fails later may have been read.
 *
 * Every call has a connection of its own. On a kept one it can cross with the other side's close, and then nobody knows what became of
 * it; a handshake is cheap beside a picture. HTTP/2 is off, because its streams may be sent again behind our back.
 */
export function createTransport(timeouts: Timeouts): Transport {
	const agent = new Agent({ allowH2: false, pipelining: 0, connect: { timeout: timeouts.connectMs } });

	function send<T>(
		call: Call,
		signal: AbortSignal,
		deadline: number,
		receive: (head: AnswerHead, flow: Flow) => Sink<T>,
	): Promise<T> {
		const { promise, resolve, reject } = Promise.withResolvers<T>();
		const memory = createMemoryRelease();
		let controller: Dispatcher.DispatchController | undefined;
		let sink: Sink<T> | undefined;
		let over = false;

		function settle(outcome: () => void): void {
			if (over) return;
			over = true;
			clearTimeout(timer);
			signal.removeEventListener('abort', abort);
			outcome();
			// Also when all is well: a stream that has said its last word may be held open by the other side.
			controller?.abort(new Error('over'));
		}
		/** Runs a step of the sink, whose faults end the call. */
		function step(work: () => void): void {
			if (over) return;
			try {
				work();
			} catch (error) {
				settle(() => reject(error));
			}
		}
		function end(trouble?: ServiceError): void {
			step(() => {
				if (!sink) throw trouble ?? lost('no-answer', 'The image service did not answer', { code: 'NO_ANSWER' });
				const value = sink.end(trouble);
				settle(() => resolve(value));
			});
		}
		/** @param reason the code, and why the call was aborted if it was */
		function lose(sentence: string, reason: { code: string; cause?: unknown }): void {
			if (!controller) end(notSent(reason.code));
			else end(lost(sink ? 'cut-off' : 'no-answer', sentence, reason));
		}
		function abort(): void {
			if (!controller) settle(() => reject(signal.reason));
			else lose('The call was aborted after it was sent', { code: 'ABORTED', cause: signal.reason });
		}
		function expire(): void {
			lose('The image service took too long', { code: 'TIMEOUT' });
		}

		const timer = setTimeout(expire, Math.max(0, deadline - performance.now()));
		signal.addEventListener('abort', abort, { once: true });
		if (signal.aborted) abort();
		else if (performance.now() >= deadline) expire();
		if (over) return promise;

		const { method, origin, path, headers, body } = call;
		const { headersMs: headersTimeout, bodyMs: bodyTimeout } = timeouts;
		agent.dispatch(
			{
				method,
				origin,
				path,
				headers,
				headersTimeout,
				bodyTimeout,
				body: body ? Readable.from(body) : null,
			},
			{
				onRequestStart(started) {
					// A second start would be a second purchase.
					if (over || controller) return started.abort(new Error('over'));
					controller = started;
				},
				onResponseStart(flow, status, answerHeaders) {
					if (status < 200) return;
					step(() => {
						sink = receive({ status, headers: answerHeaders }, flow);
					});
				},
				onResponseData(_flow, chunk) {
					step(() => {
						if (sink?.write(chunk)) end();
					});
					memory.read(chunk);
				},
				onResponseEnd: () => end(),
				onResponseError(_flow, error) {
					lose('The connection to the image service broke', { code: codeOf(error) });
				},
			},
		);
		return promise;
	}

	return { send, close: () => agent.destroy() };
}

function notSent(code: string): ServiceError {
	return new ServiceError('unreachable', `The image service could not be reached (${code}).`, { code });
}

function lost(
	kind: 'no-answer' | 'cut-off',
	sentence: string,
	reason: { code: string; cause?: unknown },
): ServiceError {
	return new ServiceError(kind, `${sentence}; it is not known whether it did the work (${reason.code}).`, reason);
}

/** The code alone: the messages of connection errors hold addresses. */
function codeOf(error: Error): string {
	const code = 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : error.name;
}
