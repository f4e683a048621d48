import { hash } from 'node:crypto';
import type { TokenUsage } from '../domain/job.ts';
import { DONE, readEvents } from './answers.ts';
import {
	fieldsOf,
	identifier,
	isHeld,
	noContents,
	type PictureTexts,
	readContents,
	readUsage,
	textOf,
} from './contents.ts';
import type { Endpoint } from './endpoint.ts';
import { failureOf, InvalidResponseError, kindOfCode, readError, type ServiceError } from './errors.ts';
import type { AnswerMemory, HttpAnswer } from './exchange.ts';
import { readPicture } from './picture-answer.ts';
import type { ChatPart, OutputImage, ToolCall } from './service.ts';

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
	const pictures = new PictureFilter();
	const calls = new ToolCalls();
	const contents = noContents();
	let [hasText, hasEnded] = [false, false];
	/** What is no event of a chat, and may say why there is none. */
	let strange: unknown;
	const cutOff = (facts: object) => failureOf(answer, 'cut-off', "The image service's answer was cut off.", facts);
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
		for (const picture of contents.pictures.splice(0)) if (isHeld(picture)) pictures.add(picture);
		calls.push(contents.calls.splice(0));
		const text = pictures.push(contents.words);
		contents.words = '';
		if (text.length > MAX_TEXT) throw new InvalidResponseError('its text is longer than a frame may be');
		const parts = marks.push(text);
		hasText ||= parts.length > 0 || pictures.hasSome;
		yield* parts;
		for (const drawn of pictures.take()) yield { ...drawn, release: memory.handOn() };
		if (fault) throw fault;
	}
	yield* marks.push(pictures.end(), true);
	for (const drawn of pictures.take()) yield { ...drawn, release: memory.handOn() };
	if (marks.unopened === undefined) unopened.delete(model);
	else unopened.set(model, marks.unopened);
	if (pictures.addresses.length > 0) {
		const { images, unfetched } = await endpoint.fetchPictures(pictures.addresses, signal, memory);
		yield { pictures: images, lost: unfetched.length, release: memory.handOn() };
	}
	const { reason, hasMedia, hasUnknown, usage } = contents;
	if (!contents.isChat && reason === undefined && strange)
		throw new InvalidResponseError('it is not a chat completion', strange);
	const called = calls.take();
	if (hasMedia || (hasUnknown && !hasText && called.length === 0)) yield { unshown: true };
	const { tokens } = readUsage(usage) ?? {};
	if (tokens) onTokens?.(tokens);
	if (!hasEnded && reason === undefined) throw cutOff({ code: 'NO_END_MARK' });
	const stopped = stopOf(answer, reason);
	if (stopped) throw stopped;
	if (called.length > 0) yield { calls: called };
}

/** Returns the error that the model's reason to stop stands for. The call was answered, and paid for. */
function stopOf(answer: HttpAnswer, reason = ''): ServiceError | undefined {
	const code = identifier(reason);
	if (kindOfCode({ code: reason }) === 'content')
		return failureOf(answer, 'content', 'The image service refused to go on with this content.', { code });
	if (!/max_(output_)?tokens|^(?:model_)?length$/i.test(reason)) return undefined;
	return failureOf(answer, 'length', 'The answer of the chat model reached its longest length.', { code });
}

/** The most calls of one answer, and the longest name, id and arguments of one, in UTF-16 units. What is beyond them is left out. */
const MAX_CALLS = 8;
const MAX_ID = 4000;
const MAX_ARGUMENTS = 16_000;

/**
 * Collects the calls of tools in an answer: whole ones, or fragments of a stream, whose first one has the name and whose index says where the
 * others belong. https://developers.openai.com/api/docs/guides/function-calling · https://ai.google.dev/api/caching#FunctionCall ·
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export class ToolCalls {
	readonly #calls: { index: unknown; id: string; name: string; arguments: string }[] = [];

	/** @param parts calls of a message or of a delta, in the shape of any service */
	push(parts: readonly unknown[]): void {
		for (const part of parts) this.#add(part);
	}

	/** Returns the calls in their order. Where the service names none, they get ids that every service takes. */
	take(): ToolCall[] {
		const calls = this.#calls.splice(0).filter(({ name }) => name !== '');
		const areNamed = new Set(calls.flatMap(({ id }) => id || [])).size === calls.length;
		// Mistral takes nine letters and digits alone.
		const idOf = (at: number) => `call${String(at).padStart(5, '0')}`;
		return calls.map(({ index: _, id, name, arguments: given }, at) => {
			return { id: areNamed ? id : idOf(at), name, arguments: given || '{}' };
		});
	}

	#add(part: unknown): void {
		const { function: called, ...own } = fieldsOf(part);
		const { index, ...fields } = { ...own, ...fieldsOf(called) };
		const given = fields['arguments'] ?? fields['args'] ?? fields['input'] ?? fields['partialjson'] ?? '';
		const [id = '', name = ''] = [textOf(fields['callid'] ?? fields['id']), textOf(fields['name'])];
		const text = typeof given === 'string' ? given : JSON.stringify(given).replace(/^\{\}$/, '');
		const bounded = { id: id.slice(0, MAX_ID), name: name.slice(0, MAX_ID), arguments: text.slice(0, MAX_ARGUMENTS) };
		// The responses API announces a call, and repeats it in the end.
		const isSame = (call: ToolCall) => call.id === bounded.id && ['', bounded.arguments].includes(call.arguments);
		const repeated = index === undefined && id !== '' ? this.#calls.find(isSame) : undefined;
		const numbered = this.#calls.find((call) => index !== undefined && call.index === index);
		const known = numbered ?? (name === '' ? this.#calls.at(-1) : undefined);
		// Some services number every call of a stream 0, each with an id of its own; others repeat id and name with every fragment.
		const isAnother = name !== '' && id !== '' && known?.id !== '' && known?.id !== id;
		if (repeated) repeated.arguments = bounded.arguments;
		else if (known && !isAnother) known.arguments = (known.arguments + text).slice(0, MAX_ARGUMENTS);
		else if (this.#calls.length < MAX_CALLS) this.#calls.push({ index, ...bounded });
	}
}

/** The most pictures of one answer, and the longest base64 of one in its text, in UTF-16 units: 12 MB. */
const MAX_PICTURES = 4;
const MAX_PICTURE = 16 * 1024 * 1024;

/**
 * How families of models mark their reasoning. https://github.com/openai/harmony has the last ones,
 * https://docs.vllm.ai/en/latest/features/reasoning_outputs.html most of the others.
 */
const REASONING_MARKS: readonly (readonly [opening: string, closing: string])[] = [
	...'<think> <THINK> <Think> <thinking> <thought> <reasoning> <analysis> <seed:think> <longcat_think> [THINK] ◁think▷'
		.split(' ')
		.map((opening) => [opening, `${opening[0]}/${opening.slice(1)}`] as const),
	['<|START_THINKING|>', '<|END_THINKING|>'],
	['<|begin_of_thought|>', '<|end_of_thought|>'],
	['<|channel>thought', '<channel|>'],
	['<|inner_prefix|>', '<|inner_suffix|>'],
	['<unused94>thought', '<unused95>'],
	['[unused16]', '[unused17]'],
	['Here is my thought process:', 'Here is my response:'],
	['Here are my reasoning steps:', '[BEGIN FINAL RESPONSE]'],
	['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
	['<|start|>assistant<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
];

/** How some families mark the answer behind their reasoning. */
const ANSWER_MARKS = '<answer> <response> <|START_RESPONSE|> <|begin_of_solution|> <|begin_of_box|>'.split(' ');

/** What some servers leave at the end of an answer: the marks that end it, or the token by which a model stops. */
const END_MARKS = [
	...'</answer> </response> <|END_RESPONSE|> <|end_of_solution|> <|end_of_box|>'.split(' '),
	...'</s> <eos> <|im_end|> <|end|> <|return|> <|eot_id|> <|eom_id|> <|endoftext|>'.split(' '),
	...'<|end_of_text|> <end_of_turn> <|end_of_turn|>'.split(' '),
	...['<｜end▁of▁sentence｜>', '[END FINAL RESPONSE]'],
];

/** The most that is held back as marks of an end, in UTF-16 units: more than any model ends an answer with. */
const MAX_HELD = 200;

const OPENINGS = new Map(REASONING_MARKS);
const CLOSINGS = REASONING_MARKS.map(([, closing]) => closing);
const MARKS = [...REASONING_MARKS.flat(), ...ANSWER_MARKS, ...END_MARKS];
/** Cuts a text before and behind each mark. */
const AT_MARKS = new RegExp(`(${MARKS.map((mark) => RegExp.escape(mark)).join('|')})`);
/** What may become a mark. */
const BEGINNINGS = new Set(MARKS.flatMap((mark) => Array.from(mark, (_, at) => mark.slice(0, at))));
const LONGEST = Math.max(...MARKS.map(({ length }) => length));

/**
 * Leaves out what a model writes for itself before its answer, which some services send as text between marks, and the marks at the end of
 * an answer, wherever the text is cut. Only the beginning of an answer has reasoning; later, the same words are part of it. Where the first
 * mark belongs to the prompt, only the one that ends the reasoning comes: what was yielded before it is taken back.
 */
class MarkFilter {
	/** The end of the text, while it may become a mark. */
	#cut = '';
	/** Blanks before the answer, what may be the marks of its end, or reasoning that is only expected. */
	#held = '';
	/** What was yielded since the reasoning, if there was any. */
	#answer = '';
	/** The mark that ends the reasoning, while it goes on. */
	#closing: string | undefined;
	#hasReasoned = false;
	/** Whether what was yielded may turn out to be reasoning, and expected reasoning to be the answer. */
	#isWatching = true;
	/** The mark that ended the reasoning of this answer, which did not begin with one. */
	unopened: string | undefined;

	/** @param unopened that of the last answer: this one is expected to begin with reasoning */
	constructor(unopened: string | undefined) {
		this.#closing = unopened;
		this.unopened = unopened;
	}

	/**
	 * Returns the part of the text that belongs to the answer.
	 * @param isEnd nothing is held back then. Reasoning without an end is left out
	 */
	push(text: string, isEnd = false): ChatPart[] {
		const pieces = (this.#cut + text).split(AT_MARKS);
		const last = pieces.pop() ?? '';
		let cut = isEnd ? last.length : Math.max(0, last.length - LONGEST);
		while (!BEGINNINGS.has(last.slice(cut))) cut++;
		this.#cut = last.slice(cut);
		let [said, isTakenBack] = ['', false];
		for (const piece of [...pieces, last.slice(0, cut)].filter(Boolean)) {
			if (this.#showsReasoning(piece)) {
				[said, isTakenBack] = ['', true];
				this.#closing = this.unopened = piece;
			}
			said += this.#answerIn(piece);
		}
		if (isEnd && this.#closing !== undefined && this.#isWatching) {
			// The reasoning that was expected is the answer.
			const expected = this.#held;
			this.#closing = this.unopened = undefined;
			this.#held = '';
			return this.push(expected, true);
		}
		return [...(isTakenBack ? [{ retract: true } as const] : []), ...(said === '' ? [] : [said])];
	}

	/** Tells whether a mark shows that what was yielded is reasoning. Words about the mark, or code with it, do not. */
	#showsReasoning(piece: string): boolean {
		const isClosing = CLOSINGS.includes(piece);
		if (this.#closing !== undefined || !this.#isWatching || !(isClosing || OPENINGS.has(piece))) return false;
		this.#isWatching = false;
		// An odd number of backticks begins code.
		return isClosing && !/['"“]$/.test(this.#answer) && this.#answer.split('`').length % 2 === 1;
	}

	/** Returns what belongs to the answer of a mark, or of a text without marks. */
	#answerIn(piece: string): string {
		if (this.#closing !== undefined) {
			if (piece !== this.#closing) {
				if (this.#isWatching) this.#held += piece;
				return '';
			}
			this.#closing = undefined;
			this.#held = this.#answer = '';
			this.#isWatching = false;
			this.#hasReasoned = true;
			return '';
		}
		const isAtStart = this.#answer === '';
		// The first ones are ordinary words, too, and the others tokens of their own.
		const mayMark = this.#hasReasoned || piece.startsWith('<|');
		if (isAtStart && (OPENINGS.has(piece) || (mayMark && ANSWER_MARKS.includes(piece)))) {
			this.#closing = OPENINGS.get(piece);
			this.#held = '';
			return '';
		}
		const text = this.#held + piece;
		const mayBeHeld = END_MARKS.includes(piece) || ((isAtStart || this.#held !== '') && piece.trim() === '');
		this.#held = mayBeHeld && text.length <= MAX_HELD ? text : '';
		if (this.#held !== '') return '';
		const said = isAtStart && this.#hasReasoned ? text.trimStart() : text;
		this.#answer += said;
		return said;
	}
}

/** The beginning of a picture in a text, in Markdown, there also below the mark that refers to it, in HTML or alone. */
const DATA_URL =
	/(!\[[^[\]\n]{0,200}\]\(<?|(?:!\[[^[\]\n]{0,200}\](?:\[[^[\]\n]{0,40}\])?\s{1,4})?\[[^[\]\n]{1,40}\]: {0,4}<?|<img [^<>]{0,200}?src=["']?)?data:image\/[\w.+-]{1,40}(?:;[\w.=-]{1,40})?;base64,/i;
const CLOSING: Readonly<Record<string, string>> = { '!': ')', '<': '>' };
/** What may become one. Bounded: at most 400 characters. */
const UNFINISHED =
	/(?:!?(?:\[[^[\]\n]{0,200}\]\s{0,4}){0,3}(?:\[[^[\]\n]{0,200}|(?<=\])(?:\(|: {0,4})<?(?:d[^\s,)]{0,120})?)?|<(?:i(?:m(?:g(?: [^<>]{0,200})?)?)?)?|(?<![a-z])d(?:a(?:t(?:a(?::[^\s,)]{0,120})?)?)?)?)$/i;
const MAX_UNFINISHED = 400;
/** Shorter ones are examples in code, unless they are in Markdown. */
const MIN_ALONE = 1000;

/** Takes pictures out of the text of a chat answer, wherever it is cut, and collects them with those that the answer has beside its text. */
class PictureFilter {
	/** The end of the text, while it may be the beginning of a picture. */
	#held = '';
	/** The picture that is coming: what it began with, and its base64. */
	#coming: { opening: string; text: string } | undefined;
	#found: OutputImage[] = [];
	#lost = 0;
	/** Some services repeat a picture, in another event or list. */
	readonly #seen = new Set<string>();
	/** Of the base64 of those that were found. */
	#length = 0;
	readonly addresses: string[] = [];

	/** Of the base64 of all pictures since the last time that they were taken. */
	get length(): number {
		return this.#length + (this.#coming?.text.length ?? 0);
	}

	/** Returns the text without pictures, as far as it is known. */
	push(text: string): string {
		let rest = this.#held + text;
		let kept = '';
		for (;;) {
			if (this.#coming) {
				const { opening: before } = this.#coming;
				const closing = before.includes(']:') ? '\n' : CLOSING[before[0] ?? ''];
				const end = closing ? rest.indexOf(closing) : rest.search(/[^\w+/=-]/);
				// What is too long is read over.
				if (this.#coming.text.length <= MAX_PICTURE) this.#coming.text += end === -1 ? rest : rest.slice(0, end);
				this.#held = '';
				if (end === -1) return kept;
				rest = rest.slice(closing ? end + 1 : end);
				kept += this.end(closing);
			}
			const [opening] = DATA_URL.exec(rest) ?? [];
			if (opening === undefined) break;
			const start = rest.indexOf(opening);
			kept += rest.slice(0, start);
			this.#coming = { opening, text: '' };
			rest = rest.slice(start + opening.length);
		}
		this.#held = UNFINISHED.exec(rest.slice(-MAX_UNFINISHED))?.[0] ?? '';
		return kept + rest.slice(0, rest.length - this.#held.length);
	}

	/** Returns the text that was held back. A picture that was coming is one, or text. */
	end(closing = ''): string {
		if (!this.#coming) return this.#held;
		const { opening, text } = this.#coming;
		this.#coming = undefined;
		if (!/^[![]/.test(opening) && text.length < MIN_ALONE) return opening + text + closing;
		const [base64 = ''] = text.length > MAX_PICTURE ? [] : text.split(/["'>]/, 1);
		this.add({ texts: [base64.replaceAll(/\s/g, '')], addresses: [], entry: undefined });
		return '';
	}

	/** Decodes a picture beside the text, or notes its address. */
	add(picture: PictureTexts): void {
		const held = [...picture.texts, ...picture.addresses];
		const key = hash('sha256', held.join(' '));
		if (this.#seen.has(key)) return;
		this.#seen.add(key);
		this.#length += held.reduce((sum, { length }) => sum + length, 0);
		const found = this.#seen.size > MAX_PICTURES ? undefined : readPicture(picture);
		if (typeof found === 'object' && 'bytes' in found) this.#found.push(found);
		else if (typeof found === 'string' && /^https?:/i.test(found)) this.addresses.push(found);
		else this.#lost++;
	}

	get hasSome(): boolean {
		return this.#seen.size > 0;
	}

	/** Returns the pictures since the last time, where there are any. */
	take() {
		const [pictures, lost] = [this.#found, this.#lost];
		if (pictures.length + lost === 0) return [];
		[this.#found, this.#lost, this.#length] = [[], 0, 0];
		return [{ pictures, lost }];
	}
}
