import { InvalidResponseError } from '../errors.ts';

/** Marks above the bits of characters. They fall out when the bits are shifted to their place in a group. */
const INVALID = 1 << 24;
const OF_BASE64 = 1 << 25;
const OF_BASE64URL = 1 << 26;
const OF_BOTH = OF_BASE64 | OF_BASE64URL;

/** Of both alphabets, then of base64 alone, and of base64url alone. https://www.rfc-editor.org/rfc/rfc4648#section-5 */
const CHARACTERS = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_');
const PADDING = 0x3d;

/** The 6 bits of each character and the 12 bits of each two, by their bytes, with their marks. */
const SINGLES = new Int32Array(2 ** 8).fill(INVALID);
const PAIRS = new Int32Array(2 ** 16).fill(INVALID);
for (const [index, character] of CHARACTERS.entries()) {
	if (index < 62) SINGLES[character] = index;
	else SINGLES[character] = index < 64 ? index | OF_BASE64 : (index - 2) | OF_BASE64URL;
}
for (const one of CHARACTERS) {
	for (const other of CHARACTERS) {
		const [first, second] = [SINGLES[one]!, SINGLES[other]!];
		PAIRS[(one << 8) | other] = ((first & 0x3f) << 6) | (first & ~0x3f) | second;
	}
}

/**
 * Decodes base64 that comes in pieces, cut anywhere: of either alphabet, with or without padding. Everything else throws
 * `InvalidResponseError`.
 *
 * It reads bytes. V8's own decoder reads strings, and those of a large answer fill its young generation before they are collected: 7 MB
 * more at the peak.
 */
export class Base64Decoder {
	/** The lowest `#bitCount` bits do not yet make a byte. */
	#bits = 0;
	#bitCount = 0;
	#padding = 0;
	/** The marks of all characters. */
	#marks = 0;

	/** Returns how many bytes so many more characters make. */
	bytesOf(characters: number): number {
		return (this.#bitCount + 6 * characters) >> 3;
	}

	/**
	 * @param room for at least `bytesOf(text.length)` bytes
	 * @returns how many bytes it wrote
	 */
	write(text: Uint8Array, room: Uint8Array): number {
		const length = this.#lengthBeforePadding(text);
		// One by one: the rest of a group that began in an earlier piece, and the last group, as `decodeGroups` needs.
		const from = Math.min(length, this.#bitCount / 2);
		const groups = Math.max(0, ((length - from) >> 2) - 1);
		const to = from + 4 * groups;
		let written = this.#decode(text.subarray(0, from), room);
		this.#marks |= decodeGroups(text.subarray(from, to), room.subarray(written));
		written += 3 * groups;
		written += this.#decode(text.subarray(to, length), room.subarray(written));
		if (this.#marks & INVALID || (this.#marks & OF_BOTH) === OF_BOTH) throw notBase64();
		return written;
	}

	/** Completes the text: a last group has two or three characters, and if it has padding, four with it. */
	end(): void {
		const missing = this.#bitCount / 2;
		if (missing > 2 || (this.#padding > 0 && this.#padding !== missing)) throw notBase64();
	}

	#lengthBeforePadding(text: Uint8Array): number {
		let { length } = text;
		while (length > 0 && text[length - 1] === PADDING) length--;
		if (length > 0 && this.#padding > 0) throw notBase64();
		this.#padding += text.length - length;
		return length;
	}

	/** Decodes the characters one by one, and returns how many bytes it wrote. */
	#decode(text: Uint8Array, room: Uint8Array): number {
		let written = 0;
		for (const character of text) {
			const value = SINGLES[character]!;
			this.#marks |= value;
			this.#bits = (this.#bits << 6) | (value & 0x3f);
			this.#bitCount += 6;
			if (this.#bitCount < 8) continue;
			this.#bitCount -= 8;
			room[written++] = this.#bits >> this.#bitCount;
		}
		return written;
	}
}

/**
 * Decodes whole groups of four characters to three bytes each, and returns all marks. A group is written as a word of four bytes, of
 * which the next group overwrites the last: the room is one byte longer than what is decoded.
 */
function decodeGroups({ buffer, byteOffset, length }: Uint8Array, room: Uint8Array): number {
	const from = new DataView(buffer, byteOffset, length);
	const to = new DataView(room.buffer, room.byteOffset, room.length);
	let marks = 0;
	for (let at = 0, written = 0; at < length; at += 4, written += 3) {
		const group = from.getInt32(at);
		const first = PAIRS[group >>> 16]!;
		const second = PAIRS[group & 0xffff]!;
		marks |= first | second;
		to.setInt32(written, (first << 20) | (second << 8));
	}
	return marks;
}

export function notBase64(): InvalidResponseError {
	return new InvalidResponseError('its picture is not base64');
}
