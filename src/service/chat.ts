import type { TokenUsage } from '../domain/job.ts';
import { EventReader, parseJson, readTokenUsage, type StreamEvent } from './answers.ts';
import { type AnswerHead, InvalidResponseError, identifier, readError, requestIdOf, ServiceError } from './errors.ts';
import { ByteBuffer, type Flow, type Receive, type Sink } from './exchange.ts';

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

/** Longest frame, and longest answer of a service that does not stream, in bytes. */
const MAX_FRAME_BYTES = 1024 * 1024;

/** A part of an answer, streamed or whole. */
type Choice = { delta?: unknown; message?: unknown; finish_reason?: unknown; error?: unknown };

/**
 * Reads the text of a chat answer: server-sent events, or one JSON answer of a service that does not stream. What the model writes for
 * itself is left out. Throws `ServiceError` at the end when the model stopped because of its longest length or a content filter.
 */
class ChatReader implements Sink<void> {
	readonly #head: AnswerHead;
	readonly #onText: (text: string) => void;
	readonly #onTokens: ((tokens: TokenUsage) => void) | undefined;
	readonly #events = new EventReader(MAX_FRAME_BYTES, (event) => this.#readEvent(event));
	readonly #json = new ByteBuffer(MAX_FRAME_BYTES);
	readonly #reasoning = new ReasoningFilter();
	/** Undefined until the answer has begun with something visible. */
	#isStream: boolean | undefined;
	#hasText = false;
	/** Why the model stopped writing, once it says so. */
	#finishReason: string | undefined;
	/** The latest counts: some services repeat them in every frame. */
	#tokens: TokenUsage | undefined;

	constructor(head: AnswerHead, onText: (text: string) => void, onTokens?: (tokens: TokenUsage) => void) {
		this.#head = head;
		this.#onText = onText;
		this.#onTokens = onTokens;
	}

	write(chunk: Buffer): boolean {
		// In an event stream, no meaningful line begins with a brace or a bracket.
		const [first] = this.#isStream === undefined ? chunk.toString().trimStart() : '';
		if (first !== undefined) this.#isStream = !['{', '['].includes(first);
		if (this.#isStream === false) this.#json.push(chunk);
		else this.#events.write(chunk);
		return this.#events.isDone;
	}

	end(error: ServiceError | undefined): void {
		if (error) throw error;
		if (this.#isStream === false) {
			const value = parseJson(this.#json.bytes());
			if (!this.#readChoice(value)) throw new InvalidResponseError('it is not a chat completion', value);
		} else {
			this.#events.end();
			if (!this.#events.isDone && this.#finishReason === undefined) throw this.#cutOff({ code: 'NO_END_MARK' });
		}
		this.#push(this.#reasoning.end());
		if (this.#tokens) this.#onTokens?.(this.#tokens);
		this.#checkFinish();
	}

	/** An error before any text is the whole answer. */
	#readEvent({ value, isError }: StreamEvent): void {
		if (isError) this.#fail(value);
		this.#readChoice(value);
	}

	#fail(value: unknown): never {
		const { message, code, type } = readError(value);
		if (!this.#hasText) throw new InvalidResponseError('it is an error', value);
		throw this.#cutOff({ code: identifier(code ?? type), detail: message });
	}

	/** Reads the first choice, if there is one: other frames have a role, tokens or the reason of the end alone. */
	#readChoice(value: unknown): boolean {
		const { choices, usage } = Object(value) as { choices?: readonly Choice[] | null; usage?: unknown };
		if (usage) this.#tokens = readTokenUsage(usage) ?? this.#tokens;
		const [choice] = Array.isArray(choices) ? (choices as Choice[]) : [];
		if (!choice) return false;
		if (choice.finish_reason === 'error' || choice.error) this.#fail(choice);
		const { content, refusal } = Object(choice.delta ?? choice.message) as { content?: unknown; refusal?: unknown };
		this.#push(this.#reasoning.push(textOf(content) + textOf(refusal)));
		if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '')
			this.#finishReason = choice.finish_reason;
		return choice.delta !== undefined || choice.message !== undefined;
	}

	#push(text: string): void {
		if (text !== '') this.#hasText = true;
		this.#onText(text);
	}

	/** The call was answered, and paid for. */
	#checkFinish(): void {
		const facts = { status: this.#head.status, requestId: requestIdOf(this.#head), code: this.#finishReason };
		if (this.#finishReason === 'content_filter')
			throw new ServiceError('content', 'The image service refused to go on with this content.', facts);
		if (this.#finishReason === 'length')
			throw new ServiceError('length', 'The answer of the chat model reached its longest length.', facts);
	}

	#cutOff(facts: { code?: string; detail?: string }): ServiceError {
		const { status } = this.#head;
		const requestId = requestIdOf(this.#head);
		return new ServiceError('cut-off', "The image service's answer was cut off.", { status, requestId, ...facts });
	}
}

/** Returns a text, or the parts of one without the model's reasoning. */
function textOf(content: unknown): string {
	if (typeof content === 'string') return content;
	const parts = Array.isArray(content) ? content : [];
	return parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');
}

/** How families of models mark their reasoning. https://github.com/openai/harmony has the last one. */
const REASONING_MARKS = [
	['<think>', '</think>'],
	['<thinking>', '</thinking>'],
	['<thought>', '</thought>'],
	['[THINK]', '[/THINK]'],
	['◁think▷', '◁/think▷'],
	['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
] as const;

/**
 * Leaves out what a model writes for itself before its answer, which some services send as text between marks. Only the beginning of an
 * answer is looked at; later, the same words are part of it.
 */
class ReasoningFilter {
	/** The beginning of the answer, until it is known; undefined from then on. */
	#pending: string | undefined = '';
	/** The mark that ends the reasoning, once it has begun. */
	#closing: string | undefined;

	/** Returns the part of the text that belongs to the answer. */
	push(text: string): string {
		if (this.#pending === undefined) return text;
		this.#pending += text;
		if (this.#closing === undefined) {
			const beginning = this.#pending.trimStart();
			const marks = REASONING_MARKS.find(([opening]) => beginning.startsWith(opening));
			if (!marks && REASONING_MARKS.some(([opening]) => opening.startsWith(beginning))) return '';
			if (!marks) return this.end();
			this.#closing = marks[1];
		}
		const end = this.#pending.indexOf(this.#closing);
		// Only an end that is cut is needed of what has been looked at.
		if (end === -1) this.#pending = this.#pending.slice(-this.#closing.length);
		const answer = end === -1 ? '' : this.#pending.slice(end + this.#closing.length).trimStart();
		if (end !== -1) this.#pending = this.#closing;
		if (answer !== '') this.#pending = undefined;
		return answer;
	}

	/** Returns what was held back, when the answer ends before it is known. Reasoning without an end is left out. */
	end(): string {
		const pending = this.#closing === undefined ? (this.#pending ?? '') : '';
		this.#pending = undefined;
		return pending;
	}
}
