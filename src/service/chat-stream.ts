import { createParser } from 'eventsource-parser';
import { readCompletion } from './answers.ts';
import { createByteBuffer } from './byte-buffer.ts';
import { clean, readErrorBody } from './error-answer.ts';
import { InvalidResponseError, ServiceError } from './errors.ts';
import { type AnswerHead, identifier, requestIdOf } from './head.ts';
import type { Flow, Sink } from './transport.ts';

/** Longest frame, and longest answer of a service that does not stream, in bytes. */
const MAX_FRAME_BYTES = 1024 * 1024;
/** Text that waits for a slow reader, in UTF-16 units, before the service is made to wait. */
const ENOUGH_WAITING = 64 * 1024;

/**
 * A chat answer's text as it comes; what came between two turns of the loop comes as one piece. Leaving the loop aborts the request. When
 * the stream breaks off, ends without its `[DONE]` or in an error frame, the loop throws after the last text that came.
 * @param start sends the request and gives its answer to a sink; rejects with what went wrong
 */
export async function* streamChat(
	start: (signal: AbortSignal, receive: (head: AnswerHead, flow: Flow) => Sink<void>) => Promise<void>,
	signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
	const leaving = new AbortController();
	let waiting = '';
	let flow: Flow | undefined;
	let over = false;
	let wake = () => {};

	function add(text: string): void {
		waiting += text;
		if (waiting.length >= ENOUGH_WAITING) flow?.pause();
		wake();
	}
	const running = start(AbortSignal.any([signal, leaving.signal]), (head, answer) => {
		flow = answer;
		return readChat(head, add);
	}).finally(() => {
		over = true;
		wake();
	});
	// The loop below awaits it; this only keeps a rejection from counting as unhandled while the reader is busy elsewhere.
	running.catch(() => {});

	try {
		while (true) {
			if (waiting !== '') {
				const text = waiting;
				waiting = '';
				yield text;
			} else if (over) {
				return await running;
			} else {
				flow?.resume();
				const { promise, resolve } = Promise.withResolvers<void>();
				wake = resolve;
				await promise;
			}
		}
	} finally {
		leaving.abort();
	}
}

/** Server-sent events, or one JSON answer of a service that does not stream. */
function readChat(head: AnswerHead, add: (text: string) => void): Sink<void> {
	const utf8 = new TextDecoder();
	const json = createByteBuffer(MAX_FRAME_BYTES);
	let streamed: boolean | undefined;
	let done = false;

	const parser = createParser({
		maxBufferSize: MAX_FRAME_BYTES,
		onEvent({ event, data }) {
			if (done || data === '[DONE]') done = true;
			else add(deltaOf(data, event, head));
		},
		onError({ type }) {
			// Fields that nobody knows are passed over.
			if (type === 'max-buffer-size-exceeded') throw new InvalidResponseError('it has a frame without end');
		},
	});

	return {
		write(chunk) {
			const text = utf8.decode(chunk, { stream: true });
			// No line of an event stream that means anything begins with a brace.
			if (streamed === undefined && text.trim() !== '') streamed = !text.trimStart().startsWith('{');
			if (streamed === false) json.push(chunk);
			else parser.feed(text);
			return done;
		},
		end(trouble) {
			if (trouble) throw trouble;
			if (streamed === false) add(readCompletion(json.bytes()));
			else if (!done) throw brokenOff(head, { code: 'NO_END_MARK' });
		},
	};
}

/** The text in a frame; empty for those that bring something else (a role, usage, an end reason). */
function deltaOf(data: string, event: string | undefined, head: AnswerHead): string {
	let frame: unknown;
	try {
		frame = JSON.parse(data);
	} catch {
		// The parser's own message quotes the text.
		throw new InvalidResponseError('it has a frame that is not JSON');
	}
	const { error, choices } = Object(frame) as {
		error?: unknown;
		choices?: readonly { delta?: { content?: unknown } }[];
	};
	if (event === 'error' || error) {
		const { message, code, type } = readErrorBody(data);
		throw brokenOff(head, { code: identifier(code ?? type), detail: message && clean(message) });
	}
	const content = Array.isArray(choices) ? choices[0]?.delta?.content : undefined;
	return typeof content === 'string' ? content : '';
}

function brokenOff(head: AnswerHead, said: { code?: string | undefined; detail?: string | undefined }): ServiceError {
	const facts = { status: head.status, requestId: requestIdOf(head), ...said };
	return new ServiceError('cut-off', 'The image service broke its answer off.', facts);
}
