import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { readCompletion } from './answers.ts';
import { clean, readErrorBody } from './error-answer.ts';
import { InvalidResponseError, ServiceError } from './errors.ts';
import { ByteBuffer } from './http/byte-buffer.ts';
import type { Sink } from './http/exchange.ts';
import { type AnswerHead, identifier, requestIdOf } from './http/head.ts';

/** Longest frame, and longest answer of a service that does not stream, in bytes. */
const MAX_FRAME_BYTES = 1024 * 1024;

/** Reads the text of a chat answer: server-sent events, or one JSON answer of a service that does not stream. */
export class ChatReader implements Sink<void> {
	readonly #head: AnswerHead;
	readonly #onText: (text: string) => void;
	readonly #parser: EventSourceParser;
	readonly #utf8 = new TextDecoder();
	readonly #json = new ByteBuffer(MAX_FRAME_BYTES);
	/** Undefined until the answer has begun with something visible. */
	#isStream: boolean | undefined;
	#isDone = false;

	constructor(head: AnswerHead, onText: (text: string) => void) {
		this.#head = head;
		this.#onText = onText;
		this.#parser = createParser({
			maxBufferSize: MAX_FRAME_BYTES,
			onEvent: (message) => this.#readEvent(message),
			onError({ type }) {
				// Unknown fields are ignored.
				if (type === 'max-buffer-size-exceeded') throw new InvalidResponseError('it has a frame without end');
			},
		});
	}

	write(chunk: Buffer): boolean {
		const text = this.#utf8.decode(chunk, { stream: true });
		// In an event stream, no meaningful line begins with a brace.
		if (this.#isStream === undefined && text.trim() !== '') this.#isStream = !text.trimStart().startsWith('{');
		if (this.#isStream === false) this.#json.push(chunk);
		else this.#parser.feed(text);
		return this.#isDone;
	}

	end(error: ServiceError | undefined): void {
		if (error) throw error;
		if (this.#isStream === false) this.#onText(readCompletion(this.#json.bytes()));
		else if (!this.#isDone) throw this.#cutOff({ code: 'NO_END_MARK' });
	}

	#readEvent({ event, data }: EventSourceMessage): void {
		if (this.#isDone || data === '[DONE]') this.#isDone = true;
		// Some services keep the connection open with empty events, which are no events by the standard.
		// https://html.spec.whatwg.org/multipage/server-sent-events.html#dispatchMessage
		else if (data.trim() !== '') this.#onText(this.#textOf(data, event));
	}

	/** Returns the text in a frame; empty for frames with something else (a role, usage, the reason of the end). */
	#textOf(data: string, event: string | undefined): string {
		const { error, choices } = Object(parseFrame(data)) as {
			error?: unknown;
			choices?: readonly { delta?: { content?: unknown } }[];
		};
		if (event === 'error' || error) {
			const { message, code, type } = readErrorBody(data);
			throw this.#cutOff({ code: identifier(code ?? type), detail: message && clean(message) });
		}
		const content = Array.isArray(choices) ? choices[0]?.delta?.content : undefined;
		return typeof content === 'string' ? content : '';
	}

	#cutOff(facts: { code?: string | undefined; detail?: string | undefined }): ServiceError {
		const { status } = this.#head;
		const requestId = requestIdOf(this.#head);
		return new ServiceError('cut-off', "The image service's answer was cut off.", { status, requestId, ...facts });
	}
}

function parseFrame(data: string): unknown {
	try {
		return JSON.parse(data);
	} catch {
		// The parser's own message quotes the text.
		throw new InvalidResponseError('it has a frame that is not JSON');
	}
}
