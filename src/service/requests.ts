import { randomBytes } from 'node:crypto';
import { imagePart, type ServiceProfile } from './profiles.ts';
import type { ChatMessage, ChatTool, Fields, GenerateRequest, InputImage, PictureReference } from './service.ts';

/** A request's body in pieces, with their total length in bytes. */
export type RequestBody = {
	type: string;
	length: number;
	pieces: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>;
};

/** Bytes in one piece of base64: a multiple of 3, so that the pieces join without padding. */
const SLICE_BYTES = 48 * 1024;

/** The types that are sent as they are, with their file endings. Others are sent as unspecified bytes. */
const ENDINGS: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };

export const jsonBody = (value: unknown): RequestBody => jsonBodyWithPictures([], () => value);

/** Returns a form with a file for each picture. https://www.rfc-editor.org/rfc/rfc7578 */
function multipartBody(fields: Fields, name: string, images: readonly InputImage[]): RequestBody {
	const boundary = `easel-${randomBytes(16).toString('hex')}`;
	const part = (name: string, rest: string) =>
		`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n`;
	const start = Object.entries(fields).map(([name, value]) =>
		part(name, `\r\n\r\n${typeof value === 'object' ? JSON.stringify(value) : value}`),
	);
	const heads = images.map(({ type }, index) => {
		const file = `; filename="image-${index + 1}.${ENDINGS[type] ?? 'bin'}"`;
		return part(name, `${file}\r\nContent-Type: ${typeOf(type)}\r\n`);
	});
	const texts = [...heads, `--${boundary}--\r\n`].map((text, at) => (at === 0 ? start.join('') : '\r\n') + text);
	return withPictures(`multipart/form-data; boundary=${boundary}`, texts, images, false);
}

/**
 * Makes JSON with pictures as base64.
 * @param encode returns the value to send, with one of the two texts of each picture, in their order
 */
export function jsonBodyWithPictures(
	images: readonly InputImage[],
	encode: (references: readonly PictureReference[]) => unknown,
): RequestBody {
	// Random, so that a prompt cannot contain it.
	const mark = randomBytes(16).toString('hex');
	const references = images.map(({ type }) => ({ type, base64: mark, url: `data:${typeOf(type)};base64,${mark}` }));
	return withPictures('application/json', JSON.stringify(encode(references)).split(mark), images, true);
}

/** Puts a picture after each text but the last: its own buffer, or base64 that is made slice by slice while it is sent. */
function withPictures(
	type: string,
	texts: readonly string[],
	images: readonly InputImage[],
	asBase64: boolean,
): RequestBody {
	const sizes = images.map((image) => ('bytes' in image ? image.bytes.length : image.size));
	const sent = sizes.map((size) => (asBase64 ? Math.ceil(size / 3) * 4 : size));
	const length = [...texts.map((text) => Buffer.byteLength(text)), ...sent].reduce((sum, each) => sum + each, 0);
	async function* pieces(): AsyncGenerator<Uint8Array | string> {
		for (const [index, text] of texts.entries()) {
			yield text;
			const image = images[index];
			if (!image) continue;
			const bytes = 'bytes' in image ? image.bytes : await image.read();
			if (asBase64) yield* base64Pieces(bytes);
			else yield bytes;
		}
	}
	return { type, length, pieces: pieces() };
}

function* base64Pieces({ buffer, byteOffset, length }: Uint8Array): Generator<string> {
	const bytes = Buffer.from(buffer, byteOffset, length);
	for (let from = 0; from < length; from += SLICE_BYTES) yield bytes.toString('base64', from, from + SLICE_BYTES);
}

/**
 * Makes the JSON of a chat request. Pictures follow the text of their message, as data URLs. https://github.com/openai/openai-openapi
 * @param tools without any, the messages have no calls and results either: not every service takes them then
 */
export function chatBody(fields: object, all: readonly ChatMessage[], tools: readonly ChatTool[]): RequestBody {
	const messages = tools.length > 0 ? all : all.filter(({ role, calls }) => role !== 'tool' && !calls);
	const images = messages.flatMap((message) => message.images ?? []);
	return jsonBodyWithPictures(images, (references) => {
		const urls = references.values();
		const encoded = messages.map(({ role, content, images: own = [], calls, resultOf }) => {
			if (resultOf !== undefined) return { role, content, tool_call_id: resultOf };
			const made = calls?.map(({ id, ...called }) => ({ id, type: 'function', function: called }));
			if (made) return { role, content: content || null, tool_calls: made };
			if (own.length === 0) return { role, content };
			const pictures = own.map(() => imagePart(urls.next().value!));
			return { role, content: [{ type: 'text', text: content }, ...pictures] };
		});
		const offered = tools.map((tool) => ({ type: 'function', function: tool }));
		return { ...fields, messages: encoded, ...(offered.length > 0 && { tools: offered }) };
	});
}

/** Puts what a model is told besides before the first words of a person: some models have no role for it. */
export function withoutSystem(messages: readonly ChatMessage[]): ChatMessage[] {
	const told = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
	const others = messages.filter(({ role }) => role !== 'system');
	const first = others.find(({ role }) => role === 'user');
	return others.map((one) => (one === first ? { ...one, content: [...told, one.content].join('\n\n') } : one));
}

const typeOf = (type: string): string => (type in ENDINGS ? type : 'application/octet-stream');

/** Adds fields at any depth; those of the request come first. */
function merged(own: Fields, extra: Fields = {}): Fields {
	const isObject = (value: unknown): value is Fields => Object.prototype.toString.call(value) === '[object Object]';
	const defined = Object.entries(own).filter(([, value]) => value !== undefined);
	const both = defined.map(([name, value]) => {
		const more = extra[name];
		return [name, isObject(value) && isObject(more) ? merged(value, more) : value];
	});
	return { ...extra, ...Object.fromEntries(both) };
}

export type PictureOperation = 'generate' | 'edit' | 'compose';

/**
 * Encodes a request for pictures to one of a profile's paths. A generation has no `images`.
 * @param request with the size by which the service knows it, the fields that not every service takes, and those that the operator adds
 */
export function encodePictures(
	{ pictures, composesAt, bodyOf, sizeFields, promptOf }: ServiceProfile,
	path: string,
	request: Partial<GenerateRequest> & { prompt: string; optional: Fields; extra?: Fields },
	images: readonly InputImage[],
): RequestBody {
	const { model, n, size, optional, extra } = request;
	const [shape, resolution] = size?.split(' ') ?? [];
	const sized = shape ? sizeFields(shape, resolution) : {};
	const prompt = promptOf(request.prompt);
	if (bodyOf) return jsonBodyWithPictures(images, (references) => merged(bodyOf(prompt, sized, references), extra));
	const isOwnForm = path === composesAt;
	// Not every model takes a number.
	const named = { model: isOwnForm ? undefined : model, prompt, n: n === 1 ? undefined : n };
	const fields = merged({ ...named, ...sized, ...optional }, extra);
	if (images.length === 0) return jsonBody(fields);
	if (typeof pictures === 'function')
		return jsonBodyWithPictures(images, (references) => ({ ...fields, ...pictures(references) }));
	return multipartBody(fields, !isOwnForm && images.length > 1 ? pictures.several : pictures.one, images);
}
