import { sniff } from '../pictures/parts.ts';
import { parseJson, readEvents } from './answers.ts';
import { type Contents, fieldsOf, type PictureTexts, readContents } from './contents.ts';
import { failureOf, InvalidResponseError, identifier, parsed } from './errors.ts';
import type { HttpAnswer } from './exchange.ts';
import type { AnswerMemory } from './picture-memory.ts';
import type { ServiceProfile } from './profiles.ts';
import type { ImageResult, OnPreview, OutputImage } from './service.ts';

/** The most bytes of one picture, of all pictures of an answer, of everything else in it, and the most pixels of a picture. */
export const IMAGE_LIMITS = {
	pictureBytes: 32 * 1024 * 1024,
	totalBytes: 128 * 1024 * 1024,
	otherBytes: 1024 * 1024,
	pixels: 8192 * 8192,
};

/** Longest body: base64 of all pictures, and everything else. */
export const MAX_BODY_BYTES = Math.ceil((IMAGE_LIMITS.totalBytes * 4) / 3) + IMAGE_LIMITS.otherBytes;

/** What an answer contains: pictures, and addresses to fetch further ones from. */
export type PictureAnswer = Omit<ImageResult, 'unfetched' | 'release'> & { addresses: string[] };

/** Bytes that are decoded at once: a multiple of 4. */
const SLICE_BYTES = 16 * 1024;

/** The types that services return. Others are not shown by every platform. */
const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/** Entries that are no picture, behind which others are looked for. */
const MAX_UNSOUND = 16;

type PictureRules = Pick<ServiceProfile, 'givesAddresses' | 'leavesOutBlocked'>;
const latin1 = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, 'latin1');

/**
 * Decodes the pictures of an answer. What is sound is returned, whatever else there is. The texts of pictures are cut out before the rest is
 * parsed, and decoded in the memory that they came in: no string of them is made.
 *
 * @param body the memory of the pictures, which is overwritten
 * @param count how many were asked for. Further ones are not decoded
 * @throws InvalidResponseError when there is no picture
 */
export function decodePictures(body: Buffer<ArrayBuffer>, rules: PictureRules, count = 1): PictureAnswer {
	// Some local servers answer with the picture itself.
	if (sniff(body)) return { images: [readOutputImage(body)], addresses: [] };
	const { answer, spans } = cutTexts(body);
	return decodeContents(answer, rules, count, (text) => unescaped(spans[Number(text)] ?? Buffer.from(text)));
}

function decodeContents(answer: unknown, rules: PictureRules, count: number, bytesOf = latin1): PictureAnswer {
	const contents = readContents(answer);
	if (!contents.form) throw new InvalidResponseError('it is not an image result', answer);
	const { usage, model, quality } = contents;
	const pictures = contents.pictures.length > 0 ? contents.pictures : picturesAmong(contents.words);
	const labelOf = (value: unknown) => (typeof value === 'string' ? identifier(value) : undefined);
	const decoded: PictureAnswer = { images: [], addresses: [], usage, model: labelOf(model), quality: labelOf(quality) };
	let fault: InvalidResponseError | undefined;
	for (const [index, picture] of pictures.slice(0, count + MAX_UNSOUND).entries()) {
		if (decoded.images.length + decoded.addresses.length === count) {
			decoded.dropped = pictures.length - index;
			break;
		}
		const found = readPicture(picture, bytesOf);
		if (found instanceof InvalidResponseError) fault ??= found;
		else if (typeof found !== 'string') decoded.images.push(found);
		else if (rules.givesAddresses) decoded.addresses.push(found);
		else fault ??= new InvalidResponseError('it gives an address where the picture should be');
		const { revised_prompt: revised } = fieldsOf(picture.entry);
		if (found !== fault && typeof revised === 'string' && revised !== '')
			decoded.revisedPrompt ??= revised.toWellFormed();
	}
	if (decoded.images.length + decoded.addresses.length > 0) return decoded;
	if (fault && fault.code !== 'EMPTY') throw fault;
	if (rules.leavesOutBlocked) throw new InvalidResponseError('its pictures are blocked', BLOCKED);
	throw fault ?? new InvalidResponseError('it has no picture', refusalIn(contents) ?? answer, 'EMPTY');
}

/** A picture in Markdown, which proxies in front of chat models answer with. */
const IN_MARKDOWN = /!\[[^[\]\n]{0,200}\]\(<?((?:https?:|data:image\/)[^\s()<>]+)/gi;

const picturesAmong = (words: string): PictureTexts[] =>
	[...words.matchAll(IN_MARKDOWN)].map(([, address = '']) => ({ texts: [], addresses: [address], entry: undefined }));

const BLOCKED = { error: { code: 'moderation_blocked' } };

/** Returns the error that an answer without pictures stands for: the model, or a filter, has refused, and nothing was made. */
function refusalIn({ reason, isBlocked, words, explanation }: Contents): object | undefined {
	const message = [words.trim(), explanation].filter(Boolean).join(' ');
	const error = { code: reason, status: 400, message, type: isBlocked ? 'content_filter' : undefined };
	return reason === undefined ? undefined : { error };
}

/** Returns a picture, its address, or why there is none. xAI tells in `respect_moderation` that it has blocked one. */
export function readPicture(
	{ texts, addresses, entry }: PictureTexts,
	bytesOf = latin1,
): OutputImage | string | InvalidResponseError {
	let fault: InvalidResponseError | undefined;
	for (const [index, one] of [...texts, ...addresses].entries()) {
		const text = bytesOf(one);
		if (text.length === 0) continue;
		if (!isPicture(text) && (index >= texts.length || isAddress(text))) return text.toString().toWellFormed();
		try {
			return decodePicture(text);
		} catch (error) {
			if (!(error instanceof InvalidResponseError)) throw error;
			fault ??= error;
		}
	}
	const isBlocked = fieldsOf(entry)['respect_moderation'] === false;
	if (!fault && isBlocked) return new InvalidResponseError('its picture is blocked', BLOCKED);
	return fault ?? new InvalidResponseError('it gives nothing where the picture should be', entry, 'EMPTY');
}

/** How base64 of PNG, JPEG and WebP begins, of JPEG also in the other alphabet and with its slashes escaped. */
const STARTS = ['iVBORw0KGg', '/9j/', '\\/9j\\/', '_9j_', 'UklGR'];

/** How the texts of pictures begin, and those of other long texts: Gemini has signatures of its thoughts. */
const OPENINGS: readonly [literal: string, opening: RegExp][] = [
	...[...STARTS, 'data:'].map((start): [string, RegExp] => [`"${start}`, /^"/]),
	...['thoughtSignature', 'thought_signature'].map((key): [string, RegExp] => [`"${key}"`, /^"\w+"\s*:\s*"/]),
];

/** The most texts that may be pictures. Each costs some work, however short it is. */
const MAX_TEXTS = 50_000;

/** Parses an answer with a number in place of each text that may be a picture, and returns these texts, without their quotes. */
function cutTexts(body: Buffer<ArrayBuffer>): { answer: unknown; spans: Buffer<ArrayBuffer>[] } {
	const spans: { start: number; end: number }[] = [];
	for (const opening of OPENINGS)
		for (const span of longTexts(body, ...opening))
			if (spans.push(span) > MAX_TEXTS) throw new InvalidResponseError(`it has more than ${MAX_TEXTS} pictures`);
	spans.sort((one, other) => one.start - other.start);
	const others: Buffer[] = [];
	let [at, length] = [0, 0];
	for (const [index, { start, end }] of [...spans, { start: body.length, end: body.length }].entries()) {
		length += start - at;
		if (length > IMAGE_LIMITS.otherBytes)
			throw new InvalidResponseError(`it has more than ${IMAGE_LIMITS.otherBytes} bytes beside its pictures`);
		others.push(body.subarray(at, start), Buffer.from(start === end ? '' : String(index)));
		at = end;
	}
	const text = Buffer.concat(others);
	// What is no JSON, such as what is cut or has a NaN, may have pictures all the same.
	const broken = { data: spans.map((_, index) => String(index)) };
	const answer = parsed(text.toString()) ?? (spans.length === 0 ? parseJson(text) : broken);
	return { answer, spans: spans.map(({ start, end }) => body.subarray(start, end)) };
}

/** Yields the texts that begin so, at any depth. Inside other texts, quotes are escaped. */
function* longTexts(body: Buffer, literal: string, opening: RegExp): Generator<{ start: number; end: number }> {
	for (let from = body.indexOf(literal); from !== -1; from = body.indexOf(literal, from)) {
		const [before] = opening.exec(body.toString('latin1', from, from + 64)) ?? [];
		const start = from + (before?.length ?? 1);
		const isText = before !== undefined && body[from - 1] !== BACKSLASH;
		from = start;
		if (!isText) continue;
		let end = start - 1;
		do end = body.indexOf(QUOTE, end + 1);
		while (isEscaped(body, end));
		if (end === -1) return;
		yield { start, end };
		from = end;
	}
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A run of backslashes is counted once only: there is one quote after it. */
function isEscaped(body: Buffer, quote: number): boolean {
	let at = quote;
	while (body[at - 1] === BACKSLASH) at--;
	return (quote - at) % 2 === 1;
}

/** Some JSON writers escape slashes, and some base64 writers break lines. */
function unescaped(text: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
	if (!text.includes(BACKSLASH)) return text;
	const value = parseJson(Buffer.concat([Buffer.of(QUOTE), text, Buffer.of(QUOTE)]));
	return Buffer.from(String(value).replaceAll(/[\r\n\t]/g, ''));
}

const isDataUrl = (text: Buffer) => /^data:[^,]*;base64,/i.test(text.toString('latin1', 0, 128));

/** Tells an address where base64 should be. */
const isAddress = (text: Buffer) => /^https?:/i.test(text.toString('latin1', 0, 8));

/** Tells a picture from an address. */
const isPicture = (text: Buffer) =>
	isDataUrl(text) || STARTS.some((start) => text.toString('latin1', 0, 16).startsWith(start));

/**
 * Decodes a picture in the memory of its text: base64 of either alphabet, with or without padding, alone or as a data URL.
 * @throws InvalidResponseError
 */
function decodePicture(text: Buffer<ArrayBuffer>): OutputImage {
	const first = isDataUrl(text) ? text.indexOf(',') + 1 : 0;
	let last = text.length;
	while (last > text.length - 2 && text[last - 1] === 0x3d) last--;
	if (((last - first) * 3) >> 2 > IMAGE_LIMITS.pictureBytes) throw tooLarge();
	let written = 0;
	for (let from = first; from < last; from += SLICE_BYTES) {
		const slice = text.toString('latin1', from, Math.min(last, from + SLICE_BYTES));
		const count = text.write(slice, written, 'base64');
		// The decoder leaves out what is no base64.
		if (count !== (slice.length * 3) >> 2 || slice.length % 4 === 1) throw notBase64();
		written += count;
	}
	if (last < text.length && (text.length - first) % 4 !== 0) throw notBase64();
	return readOutputImage(new Uint8Array(text.buffer, text.byteOffset, written));
}

const tooLarge = () => new InvalidResponseError(`its picture is larger than ${IMAGE_LIMITS.pictureBytes} bytes`);
const notBase64 = () => new InvalidResponseError('its picture is not base64');

/**
 * Returns a whole picture with the size in its header.
 * @throws InvalidResponseError when it is none, or over the limit
 */
export function readOutputImage(bytes: Uint8Array): OutputImage {
	if (bytes.length > IMAGE_LIMITS.pictureBytes) throw tooLarge();
	const { type = '', width = 0, height = 0 } = sniff(bytes) ?? {};
	if (!TYPES.includes(type) || width * height === 0)
		throw new InvalidResponseError('its picture is not a PNG, JPEG or WebP');
	if (width * height > IMAGE_LIMITS.pixels)
		throw new InvalidResponseError(`its picture has more than ${IMAGE_LIMITS.pixels} pixels`);
	return { bytes, width, height };
}

/** Longest frame, in UTF-16 units: one picture as base64. */
const MAX_FRAME = 2 * IMAGE_LIMITS.pictureBytes;
/** The most previews that a service is asked for, and more events than a stream with them has. */
const MAX_PREVIEWS = 3;
const MAX_EVENTS = 10_000;
/** https://developers.openai.com/api/reference/resources/images/generation-streaming-events */
const PICTURE_EVENT = /^image_(?:generation|edit)\.(partial_image|completed)$/;

/** Reads a stream of previews of a picture up to the picture. A preview that is damaged is left out. */
export async function readPictureStream(
	answer: HttpAnswer,
	rules: PictureRules,
	memory: AnswerMemory,
	onPreview?: OnPreview,
): Promise<PictureAnswer> {
	let [count, previews] = [0, 0];
	for await (const events of readEvents(answer, MAX_FRAME, (length) => memory.reach(length))) {
		count += events.length;
		if (count > MAX_EVENTS) throw new InvalidResponseError('its stream has too many events');
		for (const { value, isError } of events) {
			if (isError) throw new InvalidResponseError('it is an error', value);
			const event = fieldsOf(value);
			const { type = 'image_generation.completed' } = event;
			const [, kind] = PICTURE_EVENT.exec(String(type)) ?? [];
			// Some gateways make one event of a whole answer.
			const contents = 'data' in event ? event : { ...event, data: [event] };
			const [picture] = readContents(contents).pictures;
			if (kind === undefined || !picture || picture.texts.length + picture.addresses.length === 0) continue;
			if (kind === 'completed') return decodeContents(contents, rules, 1);
			const preview = ++previews <= MAX_PREVIEWS ? readPicture(picture) : undefined;
			if (typeof preview === 'object' && 'bytes' in preview) onPreview?.(preview);
		}
	}
	// It is not known whether the picture was made, and paid for.
	const message = "The image service's stream ended without the picture.";
	throw failureOf(answer, 'cut-off', message, { code: 'NO_PICTURE' });
}
