import type { TokenUsage } from '../domain/receipt.ts';
import { ChatReader } from './chat-reader.ts';
import type { Flow, Receive } from './http/exchange.ts';

/** Text that waits for a slow reader, in UTF-16 units, before the service is held back. */
const MAX_WAITING = 64 * 1024;

/**
 * Yields a chat answer's text as it comes; what came between two turns of the loop comes as one piece. Leaving the loop aborts the
 * request. When the stream is cut off, ends without its `[DONE]` or in an error frame, the loop throws after the last text that came.
 * @param start sends the request and gives its answer to a sink; rejects with what went wrong
 * @param onTokens called when the service says how many tokens the call took
 */
export async function* streamChat(
	start: (signal: AbortSignal, receive: Receive<void>) => Promise<void>,
	signal: AbortSignal,
	onTokens?: (tokens: TokenUsage) => void,
): AsyncGenerator<string, void, undefined> {
	const leaving = new AbortController();
	const queue = new TextQueue();
	const running = start(AbortSignal.any([signal, leaving.signal]), (head, flow) => {
		queue.flow = flow;
		return new ChatReader(head, (text) => queue.push(text), onTokens);
	}).finally(() => queue.end());
	// It is awaited below; until then, a rejection must not count as unhandled.
	running.catch(() => {});
	try {
		for (let text = await queue.take(); text !== undefined; text = await queue.take()) yield text;
		await running;
	} finally {
		leaving.abort();
	}
}

/** Text between an answer and its reader. */
class TextQueue {
	/** Set once the answer has begun. */
	flow: Flow | undefined;
	#texts: string[] = [];
	#length = 0;
	#isEnded = false;
	#wake = () => {};

	push(text: string): void {
		if (text === '') return;
		this.#texts.push(text);
		this.#length += text.length;
		if (this.#length >= MAX_WAITING) this.flow?.pause();
		this.#wake();
	}

	end(): void {
		this.#isEnded = true;
		this.#wake();
	}

	/** Waits for text and returns all of it; undefined at the end. */
	async take(): Promise<string | undefined> {
		while (this.#length === 0 && !this.#isEnded) {
			this.flow?.resume();
			const { promise, resolve } = Promise.withResolvers<void>();
			this.#wake = resolve;
			await promise;
		}
		// Joined at once: strings that are added one by one keep all of their parts in memory.
		const text = this.#texts.join('');
		this.#texts = [];
		this.#length = 0;
		return text === '' ? undefined : text;
	}
}
