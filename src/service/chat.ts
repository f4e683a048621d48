import type { TokenUsage } from '../domain/job.ts';
import { DONE, readEvents, readTokenUsage } from './answers.ts';
import {
	InvalidResponseError,
	identifier,
	readError,
	requestIdOf,
	ServiceError,
	type ServiceErrorKind,
} from './errors.ts';
import type { HttpAnswer } from './exchange.ts';

/** Longest frame, and longest answer of a service that does not stream, in UTF-16 units. */
const MAX_FRAME = 1024 * 1024;

/** A part of an answer, streamed or whole. */
type Choice = { delta?: unknown; message?: unknown; finish_reason?: unknown; error?: unknown };

/**
 * Yields the text of a chat answer: server-sent events, or one JSON answer of a service that does not stream. What the model writes for
 * itself is left out.
 * @param onTokens called before the end when the service says how many tokens the call took
 * @throws ServiceError after the last text, when the stream ends without its end mark or in an error, or when the model stopped because of
 * its longest length or a content filter
 */
export async function* readChat(
	answer: HttpAnswer,
	onTokens?: (tokens: TokenUsage) => void,
): AsyncGenerator<string, void, undefined> {
	const reasoning = new ReasoningFilter();
	let [hasText, hasEnded] = [false, false];
	/** Why the model stopped writing, once it says so. */
	let reason: string | undefined;
	/** The latest counts: some services repeat them in every frame. */
	let tokens: TokenUsage | undefined;
	const failure = (kind: ServiceErrorKind, sentence: string, facts: { code?: string; detail?: string }) =>
		new ServiceError(kind, sentence, { status: answer.status, requestId: requestIdOf(answer), ...facts });
	const cutOff = (facts: object) => failure('cut-off', "The image service's answer was cut off.", facts);

	for await (const events of readEvents(answer, MAX_FRAME)) {
		let text = '';
		let fault: Error | undefined;
		for (const { value, isError, isWhole } of events) {
			const { choices, usage } = Object(value) as Record<string, unknown>;
			// Other frames have a role, tokens or the reason of the end alone.
			const choice: Choice = Object(Array.isArray(choices) ? choices[0] : undefined);
			if (isError || choice.error || choice.finish_reason === 'error') {
				const said = isError ? value : choice;
				const { message: detail, code, type } = readError(said);
				// An error before any text is the whole answer.
				if (!hasText && text === '') fault = new InvalidResponseError('it is an error', said);
				else fault = cutOff({ code: identifier(code ?? type), detail });
				break;
			}
			if (usage) tokens = readTokenUsage(usage) ?? tokens;
			const message = choice.delta ?? choice.message;
			if (isWhole && !message) throw new InvalidResponseError('it is not a chat completion', value);
			const { content, refusal } = Object(message) as { content?: unknown; refusal?: unknown };
			text += reasoning.push(textOf(content) + textOf(refusal));
			if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') reason = choice.finish_reason;
			hasEnded ||= value === DONE || isWhole === true;
		}
		hasText ||= text !== '';
		if (text !== '') yield text;
		if (fault) throw fault;
	}
	const rest = reasoning.end();
	if (rest !== '') yield rest;
	if (!hasEnded && reason === undefined) throw cutOff({ code: 'NO_END_MARK' });
	if (tokens) onTokens?.(tokens);
	// The call was answered, and paid for.
	if (reason === 'content_filter')
		throw failure('content', 'The image service refused to go on with this content.', { code: reason });
	if (reason === 'length')
		throw failure('length', 'The answer of the chat model reached its longest length.', { code: reason });
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
