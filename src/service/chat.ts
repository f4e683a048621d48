import type { TokenUsage } from '../domain/job.ts';
import { DONE, readEvents } from './answers.ts';
import { MarkFilter, PictureFilter } from './chat-text.ts';
import { fieldsOf, isHeld, noContents, readContents, readUsage, type Said, textOf } from './contents.ts';
import type { Endpoint } from './endpoint.ts';
import { failureOf, InvalidResponseError, identifier, kindOfCode, readError } from './errors.ts';
import type { HttpAnswer } from './exchange.ts';
import type { AnswerMemory } from './picture-memory.ts';
import type { ChatPart, ToolCall } from './service.ts';

/** Longest frame, and longest answer of a service that does not stream, in UTF-16 units: pictures of 12 MB together. */
const MAX_FRAME = 16 * 1024 * 1024;
/** Longest text of a frame. */
const MAX_TEXT = 1024 * 1024;

type ChatReading = {
	/** Called before the end when the service says how many tokens the call took. */
	onTokens?: (tokens: TokenUsage) => void;
	model: string;
	/** The models whose answers begin within reasoning, with the mark that ends it. It is kept up to date. */
	unopened: Map<string, string>;
	memory: AnswerMemory;
	/** The service, which has the pictures that the answer has addresses for. */
	endpoint: Endpoint;
	signal: AbortSignal;
};

/**
 * Yields the text and the pictures of a chat answer: server-sent events, or one JSON answer of a service that does not stream. What the model
 * writes for itself is left out.
 * @throws ServiceError after the last text, when the stream ends without its end mark or in an error, or when the model stopped because of
 * its longest length or a content filter
 */
export async function* readChat(
	answer: HttpAnswer,
	{ onTokens, model, unopened, memory, endpoint, signal }: ChatReading,
): AsyncGenerator<ChatPart, void, undefined> {
	const marks = new MarkFilter(unopened.get(model));
	const pictures = new PictureFilter(memory);
	const calls = new ToolCalls();
	const contents = noContents();
	let [hasText, hasEnded] = [false, false];
	/** What is no event of a chat, and may say why there is none. */
	let strange: unknown;
	const cutOff = (facts: object) => failureOf(answer, 'cut-off', "The image service's answer was cut off.", facts);
	/** Takes what was read since the last time. */
	const take = ({ words, pictures: drawn }: Said = contents) => {
		for (const picture of drawn.splice(0)) if (isHeld(picture)) pictures.add(picture);
		calls.push(contents.calls.splice(0));
		contents.words = '';
		return pictures.push(words);
	};

	for await (const events of readEvents(answer, MAX_FRAME, (length) => memory.reach(pictures.length + length))) {
		let fault: Error | undefined;
		for (const { value, isError, isWhole = false } of events) {
			if (!isError) readContents(value, contents);
			const error = isError ? value : contents.error;
			if (error) {
				const { message: detail, code, type } = readError(error);
				// An error before any text is the whole answer.
				if (!hasText && contents.words === '') fault = new InvalidResponseError('it is an error', error);
				else fault = cutOff({ code: identifier(code ?? type), detail });
				break;
			}
			if (!contents.isChat && typeof value === 'object') strange = value;
			hasEnded ||= value === DONE || isWhole;
		}
		const text = take();
		if (text.length > MAX_TEXT) throw new InvalidResponseError('its text is longer than a frame may be');
		const parts = marks.push(text);
		hasText ||= parts.length > 0 || pictures.hasSome;
		yield* parts;
		yield* pictures.take();
		if (fault) throw fault;
	}
	const whole = hasText ? '' : take(contents.whole);
	yield* [...marks.push(whole + pictures.end()), ...marks.end()];
	yield* pictures.take();
	if (marks.unopened === undefined) unopened.delete(model);
	else unopened.set(model, marks.unopened);
	if (pictures.addresses.length > 0) {
		const { images, unfetched } = await endpoint.fetchPictures(pictures.addresses, signal, memory);
		yield { pictures: images, lost: unfetched.length, release: memory.handOn() };
	}
	const { reason, hasMedia, hasUnknown, usage } = contents;
	if (!contents.isChat && reason === undefined && strange)
		throw new InvalidResponseError('it is not a chat completion', strange);
	if (hasMedia || (hasUnknown && !hasText)) yield { unshown: true };
	if (!hasEnded && reason === undefined) throw cutOff({ code: 'NO_END_MARK' });
	const { tokens } = readUsage(usage) ?? {};
	if (tokens) onTokens?.(tokens);
	// The call was answered, and paid for.
	const code = identifier(reason);
	if (kindOfCode({ code: reason }) === 'content')
		throw failureOf(answer, 'content', 'The image service refused to go on with this content.', { code });
	if (/max_(output_)?tokens|^(?:model_)?length$/i.test(reason ?? ''))
		throw failureOf(answer, 'length', 'The answer of the chat model reached its longest length.', { code });
	const called = calls.take();
	if (called.length > 0) yield { calls: called };
}

/** The most calls of one answer, and the longest name, id and arguments of one, in UTF-16 units. What is beyond them is left out. */
const MAX_CALLS = 8;
const MAX_ID = 4000;
const MAX_ARGUMENTS = 16_000;

/**
 * Collects the calls of tools in an answer: whole ones, or fragments of a stream, whose first one has the name and whose index says where the
 * others belong. https://developers.openai.com/api/docs/guides/function-calling
 */
export class ToolCalls {
	readonly #calls: { index: unknown; id: string; name: string; arguments: string }[] = [];

	/** @param parts `tool_calls` of a message or of a delta */
	push(parts: readonly unknown[]): void {
		for (const part of parts.slice(0, 2 * MAX_CALLS)) this.#add(part);
	}

	/** Returns the calls in their order. Where the service names none, they get ids that every service takes. */
	take(): ToolCall[] {
		const calls = this.#calls.splice(0).filter(({ name }) => name !== '');
		const areNamed = new Set(calls.flatMap(({ id }) => id || [])).size === calls.length;
		// Mistral takes nine letters and digits alone.
		const idOf = (at: number) => `call${String(at).padStart(5, '0')}`;
		return calls.map(({ index: _, id, ...call }, at) => ({ ...call, id: areNamed ? id : idOf(at) }));
	}

	#add(part: unknown): void {
		const { index, id: givenId, function: called } = fieldsOf(part);
		const { name: givenName, arguments: given = '' } = fieldsOf(called);
		const { id = '', name = '' } = { id: textOf(givenId), name: textOf(givenName) };
		const text = typeof given === 'string' ? given : JSON.stringify(given);
		const numbered = this.#calls.find((call) => index !== undefined && call.index === index);
		const known = numbered ?? (name === '' ? this.#calls.at(-1) : undefined);
		// Some services number every call of a stream 0, each with an id of its own; others repeat id and name with every fragment.
		const isAnother = name !== '' && id !== '' && known?.id !== '' && known?.id !== id;
		const bounded = { id: id.slice(0, MAX_ID), name: name.slice(0, MAX_ID), arguments: text.slice(0, MAX_ARGUMENTS) };
		if (known && !isAnother) known.arguments = (known.arguments + text).slice(0, MAX_ARGUMENTS);
		else if (this.#calls.length < MAX_CALLS) this.#calls.push({ index, ...bounded });
	}
}
