import { randomBytes } from 'node:crypto';
import type { Fields, PictureReference, ServiceProfile } from './profiles.ts';
import type { ChatMessage, InputImage } from './service.ts';

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

export function jsonBody(value: unknown): RequestBody {
	const bytes = Buffer.from(JSON.stringify(value));
	return { type: 'application/json', length: bytes.length, pieces: [bytes] };
}

/** Puts the pictures' own buffers between short pieces of text: nothing is copied. https://www.rfc-editor.org/rfc/rfc7578 */
function multipartBody(fields: Fields, name: string, images: readonly InputImage[]): RequestBody {
	const boundary = `easel-${randomBytes(16).toString('hex')}`;
	const part = (name: string, rest: string) =>
		Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}`);
	const start = Object.entries(fields)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => part(name, `\r\n\r\n${value}\r\n`));
	const heads = images.map(({ type }, index) => {
		const file = `; filename="image-${index + 1}.${ENDINGS[type] ?? 'bin'}"`;
		return part(name, `${file}\r\nContent-Type: ${typeOf(type)}\r\n\r\n`);
	});
	const end = Buffer.from(`--${boundary}--\r\n`);
	async function* pieces(): AsyncGenerator<Uint8Array | string> {
		yield* start;
		for (const [index, image] of images.entries()) {
			yield heads[index]!;
			yield await bytesOf(image);
			yield '\r\n';
		}
		yield end;
	}
	const texts = [...start, ...heads, end].reduce((sum, { length }) => sum + length, 0);
	return {
		type: `multipart/form-data; boundary=${boundary}`,
		length: texts + images.reduce((sum, image) => sum + sizeOf(image) + 2, 0),
		pieces: pieces(),
	};
}

/**
 * Makes JSON with pictures, whose base64 is made slice by slice while it is sent.
 * @param encode returns the value to send, with one of the two texts of each picture, in their order
 */
export function jsonBodyWithPictures(
	images: readonly InputImage[],
	encode: (references: readonly PictureReference[]) => unknown,
): RequestBody {
	// Random, so that a prompt cannot contain it.
	const mark = randomBytes(16).toString('hex');
	const references = images.map(({ type }) => ({ base64: mark, url: `data:${typeOf(type)};base64,${mark}` }));
	const texts = JSON.stringify(encode(references)).split(mark);
	const base64Length = images.reduce((sum, image) => sum + Math.ceil(sizeOf(image) / 3) * 4, 0);
	async function* pieces(): AsyncGenerator<Uint8Array | string> {
		for (const [index, text] of texts.entries()) {
			yield text;
			const image = images[index];
			if (image) yield* base64Pieces(await bytesOf(image));
		}
	}
	return {
		type: 'application/json',
		length: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) + base64Length,
		pieces: pieces(),
	};
}

/** Makes the JSON of a chat request. Pictures follow the text of their message, as data URLs. https://github.com/openai/openai-openapi */
export function chatBody(fields: object, messages: readonly ChatMessage[]): RequestBody {
	const images = messages.flatMap((message) => message.images ?? []);
	return jsonBodyWithPictures(images, (references) => {
		const urls = references.values();
		const encoded = messages.map(({ role, content, images: own = [] }) => {
			if (own.length === 0) return { role, content };
			const pictures = own.map(() => ({ type: 'image_url', image_url: { url: urls.next().value?.url } }));
			return { role, content: [{ type: 'text', text: content }, ...pictures] };
		});
		return { ...fields, messages: encoded };
	});
}

const sizeOf = (image: InputImage) => ('bytes' in image ? image.bytes.length : image.size);
const bytesOf = async (image: InputImage) => ('bytes' in image ? image.bytes : image.read());

function* base64Pieces({ buffer, byteOffset, length }: Uint8Array): Generator<string> {
	const bytes = Buffer.from(buffer, byteOffset, length);
	for (let from = 0; from < length; from += SLICE_BYTES) yield bytes.toString('base64', from, from + SLICE_BYTES);
}

function typeOf(type: string): string {
	return type in ENDINGS ? type : 'application/octet-stream';
}

export type PictureOperation = 'generate' | 'edit' | 'compose';

/** A request for pictures, with the model that it goes to and the size by which the service knows it. */
export type PictureRequest = {
	prompt: string;
	model: string;
	size?: string;
	n?: number;
	/** Asks for a stream with so many previews; see `streamsPictures`. */
	previews?: number;
	/** In which form pictures are asked for; see `responseFormat`. */
	responseFormat?: string;
};

/** Encodes a request for pictures, as a path after the base address and a body. A generation has no `images`. */
export function encodePictures(
	{ pathOf, pictures, composesAt, ...profile }: ServiceProfile,
	operation: PictureOperation,
	{ model, prompt, n, size, previews, responseFormat }: PictureRequest,
	images: readonly InputImage[],
): { path: string; body: RequestBody } {
	const ownOperation = operation === 'compose' ? composesAt : undefined;
	const fields: Fields = {
		model: ownOperation === undefined ? model : undefined,
		prompt: profile.promptOf(prompt),
		n,
		...(size !== undefined && profile.sizeFields(size)),
		response_format: responseFormat,
		...(previews !== undefined && { stream: true, partial_images: previews }),
	};
	if (!pictures || images.length === 0) return { path: pathOf('/images/generations', model), body: jsonBody(fields) };
	if (pictures.as === 'json') {
		const body = jsonBodyWithPictures(images, (references) => ({ ...fields, ...pictures.pictures(references) }));
		return { path: pathOf(pictures.path, model), body };
	}
	const name = images.length === 1 ? pictures.one : pictures.several;
	return { path: pathOf(ownOperation ?? '/images/edits', model), body: multipartBody(fields, name, images) };
}
