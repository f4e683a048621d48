import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import type { TokenUsage } from '../domain/receipt.ts';
import { readCompletion } from './answers.ts';
import { clean, readErrorBody } from './error-answer.ts';
import { InvalidResponseError, ServiceError } from './errors.ts';
import { FrameTemplate } from './frame-template.ts';
import { ByteBuffer } from './http/byte-buffer.ts';
import type { Sink } from './http/exchange.ts';
import { type AnswerHead, identifier, requestIdOf } from './http/head.ts';
import { ReasoningFilter } from './reasoning.ts';
import { readTokenUsage } from './token-usage.ts';

/** Longest frame, and longest answer of a service that does not stream, in bytes. */
const MAX_FRAME_BYTES = 1024 * 1024;

/** The end of a frame. https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
const BLANK_LINE = /\r?\n\r?\n/g;

/**
 * Reads the text of a chat answer: server-sent events, or one JSON answer of a service that does not stream. What the model writes for
 * itself is left out. Throws `ServiceError` at the end when the model stopped because of its longest length or a content filter.
 */
export class ChatReader implements Sink<void> {
	readonly #head: AnswerHead;
	readonly #onText: (text: string) => void;
	readonly #onTokens: (tokens: TokenUsage) => void;
	readonly #parser: EventSourceParser;
	readonly #utf8 = new TextDecoder();
	readonly #json = new ByteBuffer(MAX_FRAME_BYTES);
	/** Undefined until the answer has begun with something visible. */
	#isStream: boolean | undefined;
	readonly #reasoning = new ReasoningFilter();
	readonly #template = new FrameTemplate();
	/** Whether the parser has read all of the last frame. */
	#isBetweenFrames = true;
	/** The text of the frame that the parser has read last. */
	#parsedText = '';
	#isDone = false;
	/** Why the model stopped writing, once it says so. */
	#finishReason: string | undefined;
	/** The latest counts: some services repeat them in every frame. */
	#tokens: TokenUsage | undefined;

	constructor(head: AnswerHead, onText: (text: string) => void, onTokens: (tokens: TokenUsage) => void = () => {}) {
		this.#head = head;
		this.#onText = onText;
		this.#onTokens = onTokens;
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
		else this.#readFrames(text);
		return this.#isDone;
	}

	end(error: ServiceError | undefined): void {
		if (error) throw error;
		if (this.#isStream === false) {
			const { text, finishReason, tokens } = readCompletion(this.#json.bytes());
			this.#onText(this.#reasoning.push(text));
			this.#finishReason = finishReason;
			this.#tokens = tokens;
		} else if (!this.#isDone && this.#finishReason === undefined) throw this.#cutOff({ code: 'NO_END_MARK' });
		this.#onText(this.#reasoning.end());
		if (this.#tokens) this.#onTokens(this.#tokens);
		this.#checkFinish();
	}

	#readFrames(stream: string): void {
		for (let at = 0; at < stream.length && !this.#isDone; ) {
			const known = this.#isBetweenFrames ? this.#template.read(stream, at) : undefined;
			if (known) this.#onText(this.#reasoning.push(known.text));
			at = known?.end ?? this.#parseFrame(stream, at);
		}
	}

	/** Has the parser read up to the end of a frame, or as much of it as has come. Returns where that is. */
	#parseFrame(stream: string, from: number): number {
		BLANK_LINE.lastIndex = from;
		const isComplete = BLANK_LINE.test(stream);
		const end = isComplete ? BLANK_LINE.lastIndex : stream.length;
		const frame = stream.slice(from, end);
		this.#parsedText = '';
		this.#parser.feed(frame);
		if (this.#isBetweenFrames && isComplete) this.#template.learn(frame, this.#parsedText);
		this.#isBetweenFrames = isComplete;
		return end;
	}

	#readEvent({ event, data }: EventSourceMessage): void {
		if (this.#isDone || data === '[DONE]') this.#isDone = true;
		// Some services keep the connection open with empty events, which are no events by the standard.
		// https://html.spec.whatwg.org/multipage/server-sent-events.html#dispatchMessage
		else if (data.trim() !== '') {
			this.#parsedText = this.#textOf(data, event);
			this.#onText(this.#reasoning.push(this.#parsedText));
		}
	}

	/** Returns the text in a frame; empty for frames with something else (a role, usage, the reason of the end). */
	#textOf(data: string, event: string | undefined): string {
		const { error, choices, usage } = Object(parseJson(data)) as {
			error?: unknown;
			usage?: unknown;
			choices?: readonly { delta?: { content?: unknown } | null; finish_reason?: unknown }[];
		};
		if (event === 'error' || error) {
			const { message, code, type } = readErrorBody(data);
			throw this.#cutOff({ code: identifier(code ?? type), detail: message && clean(message) });
		}
		if (usage) this.#tokens = readTokenUsage(usage) ?? this.#tokens;
		// The last frame may have only the usage, without a choice.
		const [choice] = Array.isArray(choices) ? choices : [];
		if (typeof choice?.finish_reason === 'string') this.#finishReason = choice.finish_reason;
		const content = choice?.delta?.content;
		return typeof content === 'string' ? content : '';
	}

	/** The call was answered, and paid for. */
	#checkFinish(): void {
		const facts = { status: this.#head.status, requestId: requestIdOf(this.#head), code: this.#finishReason };
		if (this.#finishReason === 'content_filter')
			throw new ServiceError('content', 'The image service refused to go on with this content.', facts);
		if (this.#finishReason === 'length')
			throw new ServiceError('length', 'The answer of the chat model reached its longest length.', facts);
	}

	#cutOff(facts: { code?: string | undefined; detail?: string | undefined }): ServiceError {
		const { status } = this.#head;
		const requestId = requestIdOf(this.#head);
		return new ServiceError('cut-off', "The image service's answer was cut off.", { status, requestId, ...facts });
	}
}

function parseJson(data: string): unknown {
	try {
		return JSON.parse(data);
	} catch {
		// The parser's own message quotes the text.
		throw new InvalidResponseError('it has a frame that is not JSON');
	}
}
