import { InvalidResponseError } from '../errors.ts';
import type { OutputImage } from '../service.ts';
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
	#alphabet: 'base64' | 'base64url' = 'base64';
	/** Text kept until it is clear whether it begins with a prefix; undefined from then on. */
	#opening: string | undefined = '';
	/** Up to three characters that do not yet make a group of four. */
	#rest = '';
	#isPadded = false;
	#bytes = 0;
	#hasBegun = false;

	constructor(slab: Slab, limits: PictureLimits) {
		this.#slab = slab;
		this.#limits = limits;
	}

	write(text: string): void {
		if (this.#opening === undefined) {
			this.#writeBase64(text);
			return;
		}
		this.#opening += text;
		const start = afterPrefix(this.#opening);
		if (start === undefined) return;
		const first = this.#opening.slice(start);
		this.#opening = undefined;
		this.#writeBase64(first);
	}

	end(): OutputImage {
		if (this.#opening !== undefined) throw notBase64();
		this.#decode(this.#rest);
		const image = readOutputImage(this.#slab.picture(), this.#limits);
		this.#slab.next();
		return image;
	}

	/** Decodes whole groups of four characters and keeps the rest. */
	#writeBase64(text: string): void {
		let from = 0;
		if (this.#rest !== '') {
			from = 4 - this.#rest.length;
			this.#rest += text.slice(0, from);
			if (this.#rest.length < 4) return;
			this.#decode(this.#rest);
		}
		const to = text.length - ((text.length - from) % 4);
		this.#decode(from === 0 && to === text.length ? text : text.slice(from, to));
		this.#rest = text.slice(to);
	}

	#decode(text: string): void {
		if (text === '') return;
		if (this.#isPadded) throw notBase64();
		const written = this.#setFromBase64(this.#slab.room(Math.ceil((text.length * 3) / 4)), text);
		// Node skips white space; only padding may make the bytes fewer.
		this.#isPadded = text.endsWith('=');
		const characters = this.#isPadded ? text.replace(/==?$/, '').length : text.length;
		if (written !== Math.floor((characters * 3) / 4)) throw notBase64();
		this.#slab.take(written);
		this.#bytes += written;
		if (this.#bytes > this.#limits.pictureBytes)
			throw new InvalidResponseError(`its picture is larger than ${this.#limits.pictureBytes} bytes`);
		if (!this.#hasBegun && this.#bytes >= HEADER_BYTES) this.#begin();
	}

	#setFromBase64(room: Uint8Array, text: string): number {
		try {
			return room.setFromBase64(text, { alphabet: this.#alphabet }).written;
		} catch {
			if (this.#alphabet === 'base64url' || !/[-_]/.test(text)) throw notBase64();
			this.#alphabet = 'base64url';
			return this.#setFromBase64(room, text);
		}
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

function notBase64(): InvalidResponseError {
	return new InvalidResponseError('its picture is not base64');
}
