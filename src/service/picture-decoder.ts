import { InvalidResponseError } from './errors.ts';
import { PNG_HEADER_BYTES, readPngHeader } from './png-header.ts';
import type { OutputImage } from './service.ts';
import type { Slab } from './slab.ts';

/** Longest `data:image/png;base64,` that is looked for. */
const MAX_PREFIX_LENGTH = 128;

export type PictureLimits = {
	/** Bytes of one picture. */
	pictureBytes: number;
	/** Bytes of all pictures of one answer. */
	totalBytes: number;
	/** Width × height. */
	pixels: number;
};

/** Makes one PNG out of base64 that comes in pieces of any size. */
export type PictureDecoder = {
	write(text: string): void;
	end(): OutputImage;
};

/**
 * Takes base64 with or without a data-URL prefix, with or without padding, of either alphabet; anything else throws
 * `RottenAnswer`, as do a picture that is no PNG and one over the limits, as soon as it shows.
 */
export function createPictureDecoder(slab: Slab, limits: PictureLimits): PictureDecoder {
	let alphabet: 'base64' | 'base64url' = 'base64';
	/** Text held back until it is clear whether it begins with a prefix; undefined from then on. */
	let opening: string | undefined = '';
	/** Up to three characters that are no whole group of four yet. */
	let rest = '';
	let padded = false;
	let bytes = 0;
	let size: { width: number; height: number } | undefined;

	function decode(text: string): void {
		if (text === '') return;
		if (padded) throw notBase64();
		const room = slab.room(Math.ceil((text.length * 3) / 4));
		let written: number;
		try {
			written = setFromBase64(room, text);
		} catch {
			throw notBase64();
		}
		// The decoder skips white space; only padding may make the bytes fewer.
		padded = text.endsWith('=');
		const characters = padded ? text.replace(/==?$/, '').length : text.length;
		if (written !== Math.floor((characters * 3) / 4)) throw notBase64();
		slab.take(written);
		bytes += written;
		if (bytes > limits.pictureBytes)
			throw new InvalidResponseError(`its picture is larger than ${limits.pictureBytes} bytes`);
		if (!size && bytes >= PNG_HEADER_BYTES) size = measure();
	}

	function setFromBase64(room: Uint8Array, text: string): number {
		try {
			return room.setFromBase64(text, { alphabet }).written;
		} catch (error) {
			if (alphabet === 'base64url' || !/[-_]/.test(text)) throw error;
			alphabet = 'base64url';
			return room.setFromBase64(text, { alphabet }).written;
		}
	}

	function measure(): { width: number; height: number } {
		const header = readPngHeader(slab.picture());
		if (!header) throw new InvalidResponseError('its picture is not a PNG');
		if (header.width * header.height > limits.pixels) {
			throw new InvalidResponseError(`its picture has more than ${limits.pixels} pixels`);
		}
		return header;
	}

	function writeBase64(text: string): void {
		let from = 0;
		if (rest !== '') {
			from = 4 - rest.length;
			rest += text.slice(0, from);
			if (rest.length < 4) return;
			decode(rest);
		}
		const to = text.length - ((text.length - from) % 4);
		decode(from === 0 && to === text.length ? text : text.slice(from, to));
		rest = text.slice(to);
	}

	return {
		write(text) {
			if (opening === undefined) return writeBase64(text);
			opening += text;
			const start = afterPrefix(opening);
			if (start === undefined) return;
			const first = opening.slice(start);
			opening = undefined;
			writeBase64(first);
		},
		end() {
			if (opening !== undefined) throw notBase64();
			decode(rest);
			if (!size) throw new InvalidResponseError('its picture is not a PNG');
			const image = { bytes: slab.picture(), ...size };
			slab.next();
			return image;
		},
	};
}

/** Where the base64 begins; undefined as long as that can't be told. */
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
