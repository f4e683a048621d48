import { sniff } from '../pictures/parts.ts';
import { parseJson, readEvents } from './answers.ts';
import {
	type Contents,
	fieldsOf,
	heldBy,
	identifier,
	isHeld,
	noContents,
	type PictureTexts,
	parsed,
	readContents,
	readUsage,
	textOf,
	textsIn,
} from './contents.ts';
import { failureOf, InvalidResponseError, isErrorObject, kindOfCode } from './errors.ts';
import type { AnswerMemory, HttpAnswer } from './exchange.ts';
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
export type PictureAnswer = Omit<ImageResult, 'unfetched' | 'refusal' | 'release'> & {
	addresses: string[];
	/** Entries without a sound picture, which may say why. */
	lacking: unknown[];
};

/** Bytes that are decoded at once: a multiple of 4. */
const SLICE_BYTES = 16 * 1024;
/** The longest address, in bytes: four times that of a signed one. It is stored for a second try. */
const MAX_ADDRESS = 8192;
/** Entries that are no picture, behind which others are looked for. */
const MAX_UNSOUND = 16;

type PictureRules = { leavesOutBlocked: boolean };
const latin1 = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, 'latin1');

/**
 * Decodes the pictures of an answer. What is sound is returned, whatever else there is. The texts of pictures are cut out before the rest is
 * parsed, and decoded in the memory that they came in: no string of them is made.
 *
 * @param body the memory of the pictures, which is overwritten
 * @param count how many were asked for. Further ones are not decoded
 * @param isWhole false for what has come of a body that is cut off
 * @throws InvalidResponseError when there is no picture
 */
export function decodePictures(
	body: Buffer<ArrayBuffer>,
	rules: PictureRules,
	count = 1,
	isWhole = true,
): PictureAnswer {
	// Some local servers answer with the picture itself.
	if (isWhole && sniff(body)) return { images: [readOutputImage(body)], addresses: [], lacking: [] };
	const { answer, spans } = cutTexts(body);
	const contents = readContents(answer);
	// Pictures in a place that nobody knows are paid for, too. In a stream that is not called one, previews come before them.
	if (!picturesIn(contents).some(isHeld)) {
		const found = contents.isChat ? [] : spans.flatMap((span, index) => (isPicture(span) ? MARK + index : []));
		const texts = contents.isChat ? [contents.words] : isErrorObject(answer) ? [] : [...textsIn(answer)];
		const addresses = new Set(texts.flatMap((text) => text.match(PICTURE_ADDRESSES) ?? []));
		const others = (found.length > 0 ? found : [...addresses]).map(textAlone);
		const isStream = /^\s*(data|event|id)?:/.test(headOf(body));
		if (others.length > 0) contents.pictures = isStream ? others.slice(-count) : others;
	}
	const bytesOf = (text: string) =>
		text.startsWith(MARK) ? unescaped(spans[Number(text.slice(MARK.length))] ?? Buffer.of()) : Buffer.from(text);
	return decodeContents(contents, rules, count, answer, bytesOf);
}

function decodeContents(
	contents: Contents,
	rules: PictureRules,
	count: number,
	answer?: unknown,
	bytesOf = latin1,
): PictureAnswer {
	const [model, quality] = [contents.model, contents.quality].map((label) => identifier(textOf(label)));
	const usage = readUsage(contents.usage);
	const decoded: PictureAnswer = { images: [], addresses: [], lacking: [], usage, model, quality };
	const pictures = picturesIn(contents);
	let fault: InvalidResponseError | undefined;
	for (const [index, picture] of pictures.slice(0, count + MAX_UNSOUND).entries()) {
		if (decoded.images.length + decoded.addresses.length === count) {
			decoded.dropped = pictures.length - index;
			break;
		}
		const found = readPicture(picture, bytesOf);
		if (found === undefined || found instanceof InvalidResponseError) {
			decoded.lacking.push(picture.entry);
			fault ??= found;
			continue;
		}
		if (typeof found !== 'string') decoded.images.push(found);
		else decoded.addresses.push(found);
		const revised = textOf(fieldsOf(picture.entry)['revisedprompt']);
		decoded.revisedPrompt ??= revised?.toWellFormed();
	}
	const made = decoded.images.length + decoded.addresses.length;
	if (made > 0) {
		if (made < count && isErrorObject(answer)) decoded.lacking.unshift(answer);
		return decoded;
	}
	const error = [contents.error, answer].find(isErrorObject);
	if (fault && !error) throw fault;
	const blocked = rules.leavesOutBlocked ? { error: { code: 'moderation_blocked' } } : undefined;
	const reason = error ?? blocked ?? refusalIn(contents);
	const said = reason ?? [...pictures.map(({ entry }) => entry), answer];
	throw new InvalidResponseError('it has no picture', said, 'EMPTY');
}

const textAlone = (text: string): PictureTexts => ({ texts: [text], addresses: [], entry: undefined });

/** The addresses of pictures, by their endings. */
const PICTURE_ADDRESSES = /\bhttps?:[^\s()<>"'?#]{1,2000}\.(?:png|jpe?g|webp|gif)\b[^\s()<>"']*/gi;

/** A picture in Markdown or HTML, or alone, as proxies in front of chat models answer with it. */
const IN_WORDS = /(?:!\[[^[\]\n]{0,200}\]\(<?|<img src="|^\s*)((?:https?:|data:image\/)[^\s()<>"]+)/gi;

const picturesIn = ({ words, pictures }: Contents): PictureTexts[] => [
	...pictures,
	...[...words.matchAll(IN_WORDS)].map(([, text = '']) => textAlone(text)),
];

/** Returns the error that an answer without pictures stands for: the model, or a filter, has refused, and nothing was made. */
function refusalIn({ isChat, reason, isBlocked, words, explanation }: Contents): object | undefined {
	if (!isChat && !isBlocked && kindOfCode({ code: reason }) !== 'content') return undefined;
	const message = [words.trim(), textOf(explanation)].filter(Boolean).join(' ');
	const type = isBlocked ? 'content_filter' : undefined;
	const code = reason ?? type;
	return code === undefined ? undefined : { error: { code, type, status: 400, message } };
}

/** Returns a picture, its address, why there is none, or undefined where nothing is given. */
export function readPicture(
	{ texts, addresses }: PictureTexts,
	bytesOf = latin1,
): OutputImage | string | InvalidResponseError | undefined {
	let fault: InvalidResponseError | undefined;
	for (const [index, one] of [...texts, ...addresses].entries()) {
		const text = bytesOf(one);
		if (text.length === 0) continue;
		const mayBeAddress = !isPicture(text) && text.length <= MAX_ADDRESS;
		// Addresses are also where base64 should be.
		if (mayBeAddress && (index >= texts.length || /^https?:/i.test(headOf(text))))
			return text.toString().toWellFormed();
		try {
			return decodePicture(text);
		} catch (error) {
			if (!(error instanceof InvalidResponseError)) throw error;
			fault ??= error;
		}
	}
	return fault;
}

/** What stands in an answer in place of a text that may be a picture, before its number. */
const MARK = 'data:image/;base64,#';

/** How base64 of PNG, JPEG, WebP and GIF begins, of JPEG also in the other alphabet and with its slashes escaped. */
const STARTS = ['iVBORw0KGg', '/9j/', '\\/9j\\/', '_9j_', 'UklGR', 'R0lGOD'];

/** How the texts of pictures begin and end, also in Markdown, and those of other long texts: Gemini has signatures of its thoughts. */
const OPENINGS = [
	...[...STARTS, 'data:'].map((start) => ({ literal: `"${start}`, opening: /^"/, last: '"' })),
	{ literal: '"thought', opening: /^"thought_?signature"\s*:\s*"/i, last: '"' },
	{ literal: '](data:image', opening: /^\]\(/, last: ')' },
];

/** The most texts that may be pictures. Each costs some work, however short it is. */
const MAX_TEXTS = 50_000;

/** Parses an answer with a number in place of each text that may be a picture, and returns these texts, without their quotes. */
function cutTexts(body: Buffer<ArrayBuffer>): { answer: unknown; spans: Buffer<ArrayBuffer>[] } {
	const spans = OPENINGS.flatMap((opening) => [...longTexts(body, opening).take(MAX_TEXTS + 1)]);
	if (spans.length > MAX_TEXTS) throw new InvalidResponseError(`it has more than ${MAX_TEXTS} pictures`);
	spans.sort((one, other) => one.start - other.start);
	const others: Buffer[] = [];
	let [at, length] = [0, 0];
	for (const [index, { start, end }] of [...spans, { start: body.length, end: body.length }].entries()) {
		if (start < at) continue;
		length += start - at;
		if (length > IMAGE_LIMITS.otherBytes)
			throw new InvalidResponseError(`it has more than ${IMAGE_LIMITS.otherBytes} bytes beside its pictures`);
		others.push(body.subarray(at, start), Buffer.from(start === end ? '' : MARK + index));
		at = end;
	}
	const text = Buffer.concat(others);
	// What is no JSON, such as what is cut or has a NaN, may have pictures all the same.
	const answer = parsed(text.toString()) ?? (spans.length === 0 ? parseJson(text) : undefined);
	return { answer, spans: spans.map(({ start, end }) => body.subarray(start, end)) };
}

/** Yields where texts that begin so start and end, at any depth. Inside other texts, quotes are escaped. */
function* longTexts(body: Buffer, { literal, opening, last }: (typeof OPENINGS)[number]) {
	for (let from = body.indexOf(literal); from !== -1; from = body.indexOf(literal, from)) {
		const [before] = opening.exec(body.toString('latin1', from, from + 64)) ?? [];
		const isText = before !== undefined && body[from - 1] !== BACKSLASH;
		const start = from + (before?.length ?? 1);
		from = start;
		if (!isText) continue;
		let end = start - 1;
		do end = body.indexOf(last, end + 1);
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

const headOf = (text: Buffer) => text.toString('latin1', 0, 128);
const isDataUrl = (text: Buffer) => /^data:[^,]*;base64,/i.test(headOf(text));

function isPicture(text: Buffer): boolean {
	const head = headOf(text);
	return isDataUrl(text) || STARTS.some((start) => head.startsWith(start));
}

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
	let isBase64 = last === text.length || (text.length - first) % 4 === 0;
	for (let from = first; from < last && isBase64; from += SLICE_BYTES) {
		const slice = text.toString('latin1', from, Math.min(last, from + SLICE_BYTES));
		const count = text.write(slice, written, 'base64');
		// The decoder leaves out what is no base64.
		isBase64 = count === (slice.length * 3) >> 2 && slice.length % 4 !== 1;
		written += count;
	}
	if (!isBase64) throw new InvalidResponseError('its picture is not base64');
	return readOutputImage(new Uint8Array(text.buffer, text.byteOffset, written));
}

const tooLarge = () => new InvalidResponseError(`its picture is larger than ${IMAGE_LIMITS.pictureBytes} bytes`);

/**
 * Returns a whole picture with the size in its header.
 * @throws InvalidResponseError when it is none, or over the limit
 */
export function readOutputImage(bytes: Uint8Array): OutputImage {
	if (bytes.length > IMAGE_LIMITS.pictureBytes) throw tooLarge();
	const { type = '', width = 0, height = 0 } = sniff(bytes) ?? {};
	// Others are not shown by every platform.
	if (!/^image\/(png|jpeg|webp|gif)$/.test(type) || width * height === 0)
		throw new InvalidResponseError('its picture is not a PNG, JPEG, WebP or GIF');
	if (width * height > IMAGE_LIMITS.pixels)
		throw new InvalidResponseError(`its picture has more than ${IMAGE_LIMITS.pixels} pixels`);
	return { bytes, width, height };
}

/** Longest frame, in UTF-16 units: one picture as base64. */
const MAX_FRAME = 2 * IMAGE_LIMITS.pictureBytes;
/** The most previews that a service is asked for, and more events than a stream with them has. */
const MAX_PREVIEWS = 3;
const MAX_EVENTS = 10_000;

/**
 * Reads a stream of previews of pictures up to the last picture. A preview that is damaged is left out.
 * https://developers.openai.com/api/reference/resources/images/generation-streaming-events
 */
export async function readPictureStream(
	answer: HttpAnswer,
	rules: PictureRules,
	memory: AnswerMemory,
	count: number,
	onPreview?: OnPreview,
): Promise<PictureAnswer> {
	let [events, previews] = [0, 0];
	const contents = noContents();
	let fault: unknown;
	for await (const some of readEvents(answer, MAX_FRAME, (length) => memory.reach(length))) {
		events += some.length;
		if (events > MAX_EVENTS) throw new InvalidResponseError('its stream has too many events');
		for (const { value, isError } of some) {
			const type = String(fieldsOf(value)['type']);
			// Of several pictures, others may follow.
			if (isError && !/partial/.test(type)) throw new InvalidResponseError('it is an error', value);
			if (isError) fault ??= value;
			if (/partial_image$/.test(type)) {
				const preview = ++previews <= MAX_PREVIEWS ? readPicture({ ...heldBy(value), entry: value }) : undefined;
				if (typeof preview === 'object' && 'bytes' in preview) onPreview?.(preview);
			} else readContents(value, contents);
			if (contents.pictures.length >= count) return decodeContents(contents, rules, count);
			if (contents.error) throw new InvalidResponseError('it is an error', contents.error);
			if (contents.words.length > IMAGE_LIMITS.otherBytes) throw new InvalidResponseError('its text has no end');
		}
	}
	if (fault !== undefined || contents.reason !== undefined || picturesIn(contents).length > 0)
		return decodeContents(contents, rules, count, fault);
	// It is not known whether the picture was made, and paid for.
	const message = "The image service's stream ended without the picture.";
	throw failureOf(answer, 'cut-off', message, { code: 'NO_PICTURE' });
}
