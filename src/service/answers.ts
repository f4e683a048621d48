import { createParser } from 'eventsource-parser';
import { fieldsOf, isEnd, parsed, textsIn } from './contents.ts';
import {
	type Asked,
	errorOf,
	failureOf,
	InvalidResponseError,
	isErrorObject,
	readError,
	type ServiceError,
} from './errors.ts';
import { type HttpAnswer, readBody } from './exchange.ts';

/** Longest answer without pictures, in bytes. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Bytes up to which the end of an error's body is waited for, and those that are parsed. */
const MAX_ERROR_BYTES = 16 * 1024 * 1024;
const MAX_PARSED_BYTES = 64 * 1024;

/** Returns the error of an error answer, which is read to its end: only a complete one tells that the work was not done. */
export async function readErrorAnswer(answer: HttpAnswer, asked: Asked): Promise<ServiceError> {
	try {
		const text = (await readBody(answer, MAX_ERROR_BYTES)).toString('utf8', 0, MAX_PARSED_BYTES);
		const error = readError(text);
		// Several words may be a reason wherever they are.
		error.message ??= textsIn(parsed(text)).find((one) => /^[^<]*\p{L} \S/u.test(one));
		return errorOf(answer, error, asked);
	} catch (error) {
		if (!(error instanceof InvalidResponseError)) throw error;
		const message = "The image service's error answer does not end (TOO_LONG).";
		return failureOf(answer, 'cut-off', message, { code: 'TOO_LONG' });
	}
}

/** Reads a small answer. */
export const readJson = async (answer: HttpAnswer): Promise<unknown> =>
	parseJson(await readBody(answer, MAX_ANSWER_BYTES));

/**
 * Parses JSON. Damaged characters are replaced: a picture is worth more than its caption.
 * @throws InvalidResponseError which does not quote the text, as the parser's own message would
 */
export function parseJson(body: Uint8Array | string): unknown {
	const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
	const value = parsed(text);
	if (value !== undefined) return value;
	// A page, perhaps of a gateway, has a title, and words may be a reason.
	const said = /^\s*(<|"?\p{L}+[ ,.:!])/u.test(text) ? text.slice(0, MAX_PARSED_BYTES) : undefined;
	throw new InvalidResponseError('it is not well-formed JSON', said);
}

/**
 * An event of a stream. `isError` when the service calls it one, or sends an error in place of an event; `isWhole` for the JSON of a service
 * that does not stream.
 */
type StreamEvent = { value: unknown; isError: boolean; isWhole?: boolean };

/** Signs of life, which some gateways send before JSON, too. */
const COMMENTS = /^(?:\s*:.*\n)+/;

/** How programs that pass a stream on tell in it that they failed. */
const ERROR = /^\[?error\b/i;

/** The last event of a stream, where it has a mark for its end. */
export const DONE = '[DONE]';

/**
 * Reads server-sent events with JSON up to their end mark; those that come together are yielded together. Everything else is skipped, such as
 * signs of life: empty events, which are none by the standard, and what is no JSON.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#dispatchMessage
 * A body that is JSON itself, of a service that does not stream, is one event.
 * @param maxFrame longest event, in UTF-16 units
 * @param reach waits for the memory of an event, as it grows to so many units
 */
export async function* readEvents(
	answer: HttpAnswer,
	maxFrame: number,
	reach: (length: number) => Promise<void>,
): AsyncGenerator<StreamEvent[]> {
	const found: StreamEvent[] = [];
	const add = (data: string, isError: boolean) => {
		// Some gateways wrap frames twice.
		const text = data.replace(/^\s*data:/, '').trim();
		const value = /^\[?DONE\]?$/i.test(text)
			? DONE
			: (parsed(text) ?? (ERROR.test(text) ? { error: text } : undefined));
		// Events without blank lines between them come as one.
		if (value === undefined && !isError && text.includes('\n')) for (const line of text.split('\n')) add(line, isError);
		else if (text === '' || found.at(-1)?.value === DONE || (value === undefined && !isError)) return;
		else found.push({ value: value ?? { error: text }, isError: isError || isErrorObject(value) });
		// Others leave the connection open behind it.
		if (isEnd(value)) add(DONE, false);
	};
	const parser = createParser({
		maxBufferSize: maxFrame,
		onEvent({ event = '', data }) {
			add(data, event === 'error');
			if (/^(done|end|close|finish(ed)?)$/.test(event)) add(DONE, false);
		},
		onError: ({ type, field, value = '', line = '' }) => {
			if (type === 'max-buffer-size-exceeded') throw new InvalidResponseError('it has a frame without end');
			// llama.cpp sends `error: {…}`, others JSON on a line of its own.
			if (field === 'error') add(value, true);
			else if (line.startsWith('{')) add(line, false);
		},
	});
	const utf8 = new TextDecoder();
	/** Of the event that is coming. */
	let length = 0;
	/** The pieces of a body that is JSON, a page or words; undefined for a stream, whose lines begin with a field or a colon. */
	let json: string[] | undefined;
	let hasBegun = false;
	for await (const chunk of answer.body) {
		const text = utf8.decode(chunk, { stream: true });
		const first: string = (hasBegun ? '' : text.replace(COMMENTS, '').trimStart())[0] ?? '';
		if (first !== '' && !'deir:'.includes(first)) json = [];
		hasBegun ||= first !== '';
		json?.push(text);
		length += text.length;
		if (json && length > maxFrame) throw new InvalidResponseError('it is longer than a frame may be');
		if (!json) parser.feed(text);
		const events = found.splice(0);
		if (events.length > 0) {
			length = 0;
			yield events;
		}
		if (events.some(({ value }) => value === DONE)) return;
		await reach(length);
	}
	const whole = json?.join('') ?? '';
	const value = parsed(whole);
	if (value !== undefined) return yield [{ value, isError: isErrorObject(value), isWhole: true }];
	// The last event counts without the blank line after it, too.
	parser.feed('\n\n');
	// Some services send lines of JSON, or a stream after an error on a line of its own.
	for (const line of whole.split('\n')) if (/^\s*(data:|\{)/.test(line)) add(line, false);
	if (json && found.length === 0) parseJson(whole);
	yield found;
}

/** The longest vectors of models have 12,288 numbers. Ours are kept with each result. */
const MAX_DIMENSIONS = 16_384;

/** Returns the vectors of so many texts, in the order of the texts. */
export function readEmbeddings(answer: unknown, count: number): number[][] {
	const found = vectorsIn(answer);
	if (found.length !== count)
		throw new InvalidResponseError(`it has ${found.length} embeddings of ${count} texts`, answer);
	const vectors = found.toSorted((one, other) => one.index - other.index).map(({ vector }) => vector);
	// A vector of zeros has no direction: some clients and services make it of the other encoding.
	const isVector = (vector: number[]) =>
		vector.length <= MAX_DIMENSIONS && vector.every(Number.isFinite) && vector.some((number) => number !== 0);
	if (vectors.every(isVector)) return vectors;
	throw new InvalidResponseError('its embedding is not a vector');
}

/** Where services have vectors, or lists of them. */
const VECTORS = 'embedding embeddings data values float output result results vectors predictions'.split(' ');

/** Finds lists of numbers, or base64 of little-endian 32-bit floats, which some services send unasked, with their places among the others. */
function vectorsIn(value: unknown, index = 0, depth = 8): { index: number; vector: number[] }[] {
	if (typeof value === 'string') {
		const bytes = Buffer.from(value, 'base64');
		const vector = Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
		return /^[\w+/]+=*$/.test(value) && bytes.length % 4 === 0 ? [{ index, vector }] : [];
	}
	if (Array.isArray(value) && typeof value[0] === 'number') return [{ index, vector: value }];
	if (depth === 0) return [];
	if (Array.isArray(value)) return value.flatMap((one) => vectorsIn(one, index, depth - 1));
	const fields = fieldsOf(value);
	const held = VECTORS.map((name) => fields[name]).find((one) => typeof one === 'object' || typeof one === 'string');
	return held ? vectorsIn(held, Number(fields['index'] ?? fields['textindex'] ?? index), depth - 1) : [];
}

/** Returns the categories that are flagged; `flagged` itself where the service names none. Mistral's answers have categories alone. */
export function readModeration(answer: unknown): string[] {
	const results = [fieldsOf(answer)['results']].flat().map(fieldsOf);
	// What nobody has looked at is not taken for harmless.
	if (
		results.length === 0 ||
		!results.every(({ flagged, categories }) => isFlag(flagged) || Object(categories) === categories)
	)
		throw new InvalidResponseError('it is not a moderation', answer);
	const isSet = (flag: unknown) => isFlag(flag) && Boolean(flag);
	const all = results.flatMap(({ categories }) => Object.entries(Object(categories)));
	const named = new Set(all.flatMap(([name, flag]) => (isSet(flag) ? name : [])));
	return named.size === 0 && results.some(({ flagged }) => isSet(flagged)) ? ['flagged'] : [...named];
}

const isFlag = (value: unknown) => typeof value === 'boolean' || value === 0 || value === 1;
