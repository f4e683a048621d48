import * as z from 'zod';
import { createBase64Escapes } from './base64-escapes.ts';
import { createByteBuffer } from './byte-buffer.ts';
import { InvalidResponseError } from './errors.ts';
import { createJsonPosition } from './json-position.ts';
import { createPictureDecoder, type PictureLimits } from './picture-decoder.ts';
import type { ImageResult, OutputImage } from './service.ts';
import { createSlab } from './slab.ts';
import { parseStrictJson } from './strict-json.ts';

export type ImageLimits = PictureLimits & {
	/** Bytes of everything in the answer that is not a picture. */
	otherBytes: number;
};

export const IMAGE_LIMITS: ImageLimits = {
	pictureBytes: 32 * 1024 * 1024,
	totalBytes: 128 * 1024 * 1024,
	pixels: 8192 * 8192,
	otherBytes: 1024 * 1024,
};

/** Reads `{created, data: [{b64_json}]}` while it arrives. Both calls throw `RottenAnswer`. */
export type ImageDecoder = {
	/** Reads the next piece; nothing of it is kept. */
	write(chunk: Uint8Array): void;
	end(): ImageResult;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * From the wire to PNG bytes, without a string of the whole body. A small lexer knows only strings and where `data[].b64_json`
 * is. Pictures are decoded on the way, in slices, into memory sized from the answer's length; everything else goes to a skeleton, in
 * which each picture is replaced by its number. Parsing the skeleton at the end tells whether the JSON was well-formed, and
 * which picture counts: should a key come twice, the last one, as for any reader of JSON.
 *
 * @param length the answer's content-length, if it has one
 */
export function createImageDecoder(length: number | undefined, limits: ImageLimits = IMAGE_LIMITS): ImageDecoder {
	const most = 2 * limits.totalBytes + limits.otherBytes;
	if (length !== undefined && length > most) throw tooLong(most);
	const slab = createSlab(Math.min(limits.totalBytes, Math.ceil(((length ?? 0) * 3) / 4)));
	const skeleton = createByteBuffer(limits.otherBytes);
	const position = createJsonPosition();
	const pictures: OutputImage[] = [];
	let reader = between;
	let received = 0;
	let pictureBytes = 0;

	/** Outside of strings. Each reader takes what is its own from `from` on, and tells where it stopped. */
	function between(chunk: Buffer, from: number): number {
		for (let at = from; at < chunk.length; at++) {
			const byte = chunk[at]!;
			if (byte !== QUOTE) {
				position.mark(byte);
				continue;
			}
			skeleton.push(chunk.subarray(from, at + 1));
			reader = position.isPicture() ? picture() : text();
			return at + 1;
		}
		skeleton.push(chunk.subarray(from));
		return chunk.length;
	}

	/** A key, or a value of no interest. */
	function text(): typeof reader {
		const start = skeleton.length;
		const isKey = position.isKey();
		let escaped = false;
		return (chunk, from) => {
			let at = from;
			for (; at < chunk.length; at++) {
				const byte = chunk[at];
				if (escaped) escaped = false;
				else if (byte === BACKSLASH) escaped = true;
				else if (byte === QUOTE) break;
			}
			skeleton.push(chunk.subarray(from, at + 1));
			if (at === chunk.length) return at;
			if (isKey) position.key(unquote(skeleton.bytes(start)));
			reader = between;
			return at + 1;
		};
	}

	function picture(): typeof reader {
		const decoder = createPictureDecoder(slab, limits);
		const escapes = createBase64Escapes();
		return (chunk, from) => {
			const quote = chunk.indexOf(QUOTE, from);
			const to = quote === -1 ? chunk.length : quote;
			decoder.write(escapes.read(chunk.toString('latin1', from, to)));
			if (quote === -1) return to;
			// A quote after a lone backslash is no end, but no base64 either.
			if (escapes.pending) throw new InvalidResponseError('its picture is not base64');
			const image = decoder.end();
			pictureBytes += image.bytes.length;
			if (pictureBytes > limits.totalBytes) {
				throw new InvalidResponseError(`its pictures are larger than ${limits.totalBytes} bytes`);
			}
			skeleton.push(Buffer.from(`${pictures.push(image) - 1}"`));
			reader = between;
			return to + 1;
		};
	}

	return {
		write(chunk) {
			received += chunk.length;
			if (received > most) throw tooLong(most);
			const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
			for (let at = 0; at < bytes.length; ) at = reader(bytes, at);
		},
		end() {
			const answer = ImageAnswer.safeParse(parseStrictJson(skeleton.bytes()));
			if (!answer.success) throw new InvalidResponseError('it is no image result');
			const images = answer.data.data.map(({ b64_json, url }) => {
				if (typeof b64_json === 'string') return pictures[Number(b64_json)]!;
				throw new InvalidResponseError(`it gives ${url ? 'an address' : 'nothing'} where the picture should be`);
			});
			if (images.length === 0) throw new InvalidResponseError('it has no picture');
			return { created: answer.data.created, images };
		},
	};
}

/** Where the service forgets the time, the picture is worth more than the second that it was made in. */
const ImageAnswer = z.object({
	created: z.number().catch(() => Math.floor(Date.now() / 1000)),
	data: z.array(z.object({ b64_json: z.string().nullish(), url: z.unknown().optional() })),
});

/** @param bytes of a string without its first quote */
function unquote(bytes: Uint8Array): string {
	try {
		return JSON.parse(`"${Buffer.from(bytes).toString()}`);
	} catch {
		return ''; // The JSON as a whole will not parse either.
	}
}

function tooLong(bytes: number): InvalidResponseError {
	return new InvalidResponseError(`it is longer than the ${bytes} bytes that are read`);
}
