import { InvalidResponseError } from '../errors.ts';
import type { OutputImage } from '../service.ts';
import { Base64Decoder, notBase64 } from './base64-decoder.ts';
import { checkBeginning, HEADER_BYTES, type PictureLimits, readOutputImage } from './output-image.ts';
import type { Slab } from './slab.ts';

/** Longest `data:image/png;base64,` that is looked for. */
const MAX_PREFIX_LENGTH = 128;

/**
 * Decodes one PNG, JPEG or WebP from base64 that comes in pieces of any size: with or without a data-URL prefix, with or without padding, of either
 * alphabet. Everything else throws `InvalidResponseError` as soon as it shows, as do other bytes than a picture's, and a picture over the limits.
 */
export class PictureDecoder {
	readonly #slab: Slab;
	readonly #limits: PictureLimits;
	readonly #base64 = new Base64Decoder();
	/** Text kept until it is clear whether it begins with a prefix; undefined from then on. */
	#opening: string | undefined = '';
	#bytes = 0;
	#hasBegun = false;

	constructor(slab: Slab, limits: PictureLimits) {
		this.#slab = slab;
		this.#limits = limits;
	}

	write(text: Buffer): void {
		if (this.#opening === undefined) {
			this.#decode(text);
			return;
		}
		this.#opening += text.toString('latin1');
		const start = afterPrefix(this.#opening);
		if (start === undefined) return;
		const first = Buffer.from(this.#opening.slice(start), 'latin1');
		this.#opening = undefined;
		this.#decode(first);
	}

	end(): OutputImage {
		if (this.#opening !== undefined) throw notBase64();
		this.#base64.end();
		const image = readOutputImage(this.#slab.picture(), this.#limits);
		this.#slab.next();
		return image;
	}

	#decode(text: Buffer): void {
		const written = this.#base64.write(text, this.#slab.room(this.#base64.bytesOf(text.length)));
		this.#slab.take(written);
		this.#bytes += written;
		if (this.#bytes > this.#limits.pictureBytes)
			throw new InvalidResponseError(`its picture is larger than ${this.#limits.pictureBytes} bytes`);
		if (!this.#hasBegun && this.#bytes >= HEADER_BYTES) this.#begin();
	}

	/** Reads the header, so that what is no picture, or too large, is not read to its end. */
	#begin(): void {
		this.#hasBegun = true;
		checkBeginning(this.#slab.picture(), this.#limits);
	}
}

/** Returns the index at which the base64 begins; undefined as long as that cannot be told. */
function afterPrefix(text: string): number | undefined {
	if (!'data:'.startsWith(text.slice(0, 5).toLowerCase())) return 0;
	const comma = text.indexOf(',');
	if (comma === -1 && text.length < MAX_PREFIX_LENGTH) return undefined;
	if (!/^data:[^,]*;base64$/i.test(text.slice(0, Math.max(0, comma)))) throw notBase64();
	return comma + 1;
}
