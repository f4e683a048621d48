import { ApiError } from './api-error.ts';

/** A body beyond its limit is still read this far, so that most clients receive the error instead of a broken pipe. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/** Parts of a form; clients send about ten. */
const MAX_PARTS = 100;

/** Values of a JSON body, including nested ones: more than a chat of 1,000 messages has. The parser takes seconds for millions. */
const MAX_VALUES = 50_000;

/** @throws ApiError 400, 413 or 415 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
	if (!isJson(request)) throw new ApiError(415, 'The body must be JSON, sent as application/json.');
	const bytes = await readBytes(request, maxBytes);
	if (hasManyValues(bytes)) {
		throw new ApiError(400, `The body may hold at most ${MAX_VALUES} values.`, { code: 'invalid_json' });
	}
	try {
		return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch {
		// The parser's message would quote the body.
		throw new ApiError(400, 'The body is not valid JSON.', { code: 'invalid_json' });
	}
}

/** @throws ApiError 400 or 413 */
export async function readForm(request: Request, maxBytes: number): Promise<FormData> {
	const bytes = await readBytes(request, maxBytes);
	const type = request.headers.get('content-type') ?? '';
	if (hasManyParts(bytes, type)) {
		throw new ApiError(400, `A form may have at most ${MAX_PARTS} parts.`, { code: 'invalid_multipart' });
	}
	try {
		return await new Response(bytes, { headers: { 'content-type': type } }).formData();
	} catch {
		throw new ApiError(400, 'The body is not valid multipart/form-data.', { code: 'invalid_multipart' });
	}
}

/** Counts before the parser makes objects of all. */
function hasManyParts(bytes: Buffer, type: string) {
	const boundary = /boundary="?([^";]+)/i.exec(type)?.[1];
	if (!boundary) return false;
	let parts = 0;
	for (let at = bytes.indexOf(`--${boundary}`); at >= 0; at = bytes.indexOf(`--${boundary}`, at + 1))
		// The last one ends the form.
		if (++parts > MAX_PARTS + 1) return true;
	return false;
}

/** Counts the commas and brackets outside of strings, which bounds the depth as well. */
function hasManyValues(bytes: Uint8Array) {
	let values = 0;
	let isText = false;
	for (let at = 0; at < bytes.length; at++) {
		const byte = bytes[at];
		if (byte === QUOTE) isText = !isText;
		else if (isText) at += byte === BACKSLASH ? 1 : 0;
		else if ((byte === COMMA || byte === BRACKET || byte === BRACE) && ++values > MAX_VALUES) return true;
	}
	return false;
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{');

export function isJson(request: Request) {
	return /^application\/(?:[\w.-]+\+)?json$/.test(mediaType(request));
}

export function isForm(request: Request) {
	return mediaType(request) === 'multipart/form-data';
}

function mediaType(request: Request) {
	return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

async function readBytes(request: Request, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
	const megabytes = (maxBytes / 1024 / 1024).toFixed(1);
	const tooLarge = new ApiError(413, `The body is too large; at most ${megabytes} MB are allowed.`, {
		code: 'request_too_large',
		headers: { connection: 'close' },
	});
	const chunks: Uint8Array[] = [];
	let length = 0;
	try {
		for await (const chunk of request.body ?? []) {
			length += chunk.length;
			if (length <= maxBytes) chunks.push(chunk);
			if (length > maxBytes + MAX_DISCARDED_BYTES) break;
		}
	} catch (cause) {
		throw new ApiError(400, 'The body was cut off.', { code: 'incomplete_body', cause });
	}
	if (length > maxBytes) throw tooLarge;
	return Buffer.concat(chunks, length);
}
