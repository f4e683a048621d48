import * as z from 'zod';
import { InvalidResponseError } from '../errors.ts';
import { ByteBuffer } from '../http/byte-buffer.ts';
import type { ImageResult, OutputImage } from '../service.ts';
import { parseStrictJson } from '../strict-json.ts';
import { readTokenUsage } from '../token-usage.ts';
import { notBase64 } from './base64-decoder.ts';
import { Base64Escapes } from './base64-escapes.ts';
import { JsonPosition } from './json-position.ts';
import type { PictureLimits } from './output-image.ts';
import { PictureDecoder } from './picture-decoder.ts';
import { Slab } from './slab.ts';

export type ImageLimits = PictureLimits & {
	/** Bytes of everything in the answer that is not a picture. */
	otherBytes: number;
	/** How many pictures were asked for. Further ones are read over: nothing of them is decoded, kept or fetched. */
	pictures?: number;
};

/** What an answer contains: pictures, or addresses to fetch them from. */
export type DecodedAnswer = Omit<ImageResult, 'requestId' | 'unfetched' | 'release'> & { addresses: string[] };

export const IMAGE_LIMITS: ImageLimits = {
	pictureBytes: 32 * 1024 * 1024,
	totalBytes: 128 * 1024 * 1024,
	pixels: 8192 * 8192,
	otherBytes: 1024 * 1024,
};

/** Bytes outside of strings. Ten pictures with everything that services say about them have less than a thousandth of it. */
const MAX_STRUCTURE_BYTES = 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Reads a piece from `from` on, as far as it is its own, and returns the index at which it stopped. */
type Reader = (chunk: Buffer, from: number) => number;

/**
 * Decodes `{created, data: [{b64_json}]}` while it arrives, without a string of the whole body.
 *
 * A small lexer knows only strings and the position of `data[].b64_json`. Pictures are decoded in slices, into memory sized from the
 * answer's length. Everything else is kept as a skeleton, in which each picture is replaced by its number. Parsing the skeleton at the
 * end tells whether the JSON was well-formed, and which picture counts: if a key comes twice, the last one, as for any JSON reader.
 */
export class ImageDecoder {
	readonly #limits: ImageLimits;
	readonly #allowsAddresses: boolean;
	readonly #maxBytes: number;
	readonly #slab: Slab;
	readonly #skeleton: ByteBuffer;
	readonly #position = new JsonPosition();
	readonly #pictures: OutputImage[] = [];
	readonly #betweenStrings: Reader = (chunk, from) => this.#readBetweenStrings(chunk, from);
	#reader = this.#betweenStrings;
	#received = 0;
	#pictureBytes = 0;
	#structureBytes = 0;

	/**
	 * @param length the answer's content-length, if it has one
	 * @param allowsAddresses whether `url` may stand in place of `b64_json`; a picture in it, as a data URL, counts as an address
	 * @throws InvalidResponseError when that is over the limits, as `write` and `end` do for invalid answers
	 */
	constructor(length: number | undefined, limits: ImageLimits = IMAGE_LIMITS, allowsAddresses = false) {
		this.#limits = limits;
		this.#allowsAddresses = allowsAddresses;
		this.#maxBytes = 2 * limits.totalBytes + limits.otherBytes;
		if (length !== undefined && length > this.#maxBytes) throw this.#tooLong();
		this.#slab = new Slab(Math.min(limits.totalBytes, Math.ceil(((length ?? 0) * 3) / 4)));
		this.#skeleton = new ByteBuffer(limits.otherBytes);
	}

	/** Reads the next piece, of which nothing is kept. */
	write(chunk: Uint8Array): void {
		this.#received += chunk.length;
		if (this.#received > this.#maxBytes) throw this.#tooLong();
		const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
		for (let at = 0; at < bytes.length; ) at = this.#reader(bytes, at);
	}

	end(): DecodedAnswer {
		const answer = ImageAnswer.safeParse(parseStrictJson(this.#skeleton.bytes()));
		const items = Items.safeParse(answer.data?.data.slice(0, this.#limits.pictures));
		if (!answer.success || !items.success) throw new InvalidResponseError('it is not an image result');
		const { created, data, usage } = answer.data;
		const tokens = readTokenUsage(usage);
		const dropped = data.length - items.data.length;
		if (data.length === 0) throw new InvalidResponseError('it has no picture');
		const decoded: DecodedAnswer = {
			...{ created, images: [], addresses: [] },
			...(tokens && { tokens }),
			...(dropped > 0 && { dropped }),
		};
		for (const { b64_json, url, revised_prompt } of items.data) {
			if (typeof b64_json === 'string') decoded.images.push(this.#pictures[Number(b64_json)]!);
			else if (this.#allowsAddresses && typeof url === 'string') decoded.addresses.push(url);
			else throw new InvalidResponseError(`it gives ${url ? 'an address' : 'nothing'} where the picture should be`);
			if (revised_prompt) decoded.revisedPrompt ??= revised_prompt;
		}
		return decoded;
	}

	#readBetweenStrings(chunk: Buffer, from: number): number {
		for (let at = from; at < chunk.length; at++) {
			const byte = chunk[at]!;
			if (byte !== QUOTE) {
				this.#position.mark(byte);
				continue;
			}
			this.#pushStructure(chunk.subarray(from, at + 1));
			if (this.#position.item >= (this.#limits.pictures ?? Number.POSITIVE_INFINITY))
				this.#reader = this.#textReader(false);
			else this.#reader = this.#position.isPicture ? this.#pictureReader() : this.#textReader(true);
			return at + 1;
		}
		this.#pushStructure(chunk.subarray(from));
		return chunk.length;
	}

	/** An answer of many empty objects would take much more memory than it is long. */
	#pushStructure(bytes: Uint8Array): void {
		this.#structureBytes += bytes.length;
		if (this.#structureBytes > MAX_STRUCTURE_BYTES) throw new InvalidResponseError('it has too many parts');
		this.#skeleton.push(bytes);
	}

	/** Reads a key, or a value that is no picture. Without `isKept`, an empty string takes its place. */
	#textReader(isKept: boolean): Reader {
		const start = this.#skeleton.length;
		const { isKey } = this.#position;
		let escaped = false;
		return (chunk, from) => {
			let at = from;
			for (; at < chunk.length; at++) {
				const byte = chunk[at];
				if (escaped) escaped = false;
				else if (byte === BACKSLASH) escaped = true;
				else if (byte === QUOTE) break;
			}
			if (isKept) this.#skeleton.push(chunk.subarray(from, at + 1));
			if (at === chunk.length) return at;
			if (!isKept) this.#skeleton.push(chunk.subarray(at, at + 1));
			if (isKey) this.#position.key(unquote(this.#skeleton.bytes(start)));
			this.#reader = this.#betweenStrings;
			return at + 1;
		};
	}

	#pictureReader(): Reader {
		const decoder = new PictureDecoder(this.#slab, this.#limits);
		const escapes = new Base64Escapes();
		return (chunk, from) => {
			const quote = chunk.indexOf(QUOTE, from);
			const to = quote === -1 ? chunk.length : quote;
			decoder.write(escapes.read(chunk.subarray(from, to)));
			if (quote === -1) return to;
			// A quote after a lone backslash is no end, but no base64 either.
			if (escapes.pending) throw notBase64();
			this.#add(decoder.end());
			this.#reader = this.#betweenStrings;
			return to + 1;
		};
	}

	/** Adds a picture, and its number to the skeleton. */
	#add(image: OutputImage): void {
		this.#pictureBytes += image.bytes.length;
		if (this.#pictureBytes > this.#limits.totalBytes)
			throw new InvalidResponseError(`its pictures are larger than ${this.#limits.totalBytes} bytes`);
		this.#skeleton.push(Buffer.from(`${this.#pictures.push(image) - 1}"`));
	}

	#tooLong(): InvalidResponseError {
		return new InvalidResponseError(`it is longer than the ${this.#maxBytes} bytes that are read`);
	}
}

/** Without a time, the current one is taken: the picture is worth more than the second in which it was made. */
const ImageAnswer = z.object({
	created: z.number().catch(() => Math.floor(Date.now() / 1000)),
	data: z.array(z.unknown()),
	usage: z.unknown().optional(),
});

const Items = z.array(
	z.object({
		b64_json: z.string().nullish(),
		url: z.unknown().optional(),
		revised_prompt: z.string().nullish().catch(undefined),
	}),
);

/** @param bytes of a string without its first quote */
function unquote(bytes: Uint8Array): string {
	try {
		return JSON.parse(`"${Buffer.from(bytes).toString()}`);
	} catch {
		return ''; // The JSON as a whole will not parse either.
	}
}
