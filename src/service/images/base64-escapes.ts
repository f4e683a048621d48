import { notBase64 } from './base64-decoder.ts';

const BACKSLASH = 0x5c;

/** An escape that has begun but not ended. */
const INCOMPLETE = /\\(?:u[\da-f]{0,3})?$/i;

/** The short escapes that can occur in base64 and its line breaks. https://www.rfc-editor.org/rfc/rfc8259#section-7 */
const SHORT: Readonly<Record<string, string>> = { '/': '/', n: '\n', r: '\r', t: '\t' };

/**
 * Resolves the JSON escapes in a string of base64 that comes in pieces, cut anywhere. Some JSON writers escape slashes, and some base64
 * writers break lines: escaped white space is dropped. Bare white space is kept, since it is not base64.
 */
export class Base64Escapes {
	#incomplete = '';

	/** Whether the last piece ended within an escape. */
	get pending(): boolean {
		return this.#incomplete !== '';
	}

	/**
	 * @returns the characters; the piece itself if it has no escapes
	 * @throws InvalidResponseError for escapes that base64 cannot need
	 */
	read(piece: Buffer): Buffer {
		if (!this.pending && !piece.includes(BACKSLASH)) return piece;
		const text = this.#incomplete + piece.toString('latin1');
		this.#incomplete = INCOMPLETE.exec(text.slice(-5))?.[0] ?? '';
		const complete = text.slice(0, text.length - this.#incomplete.length);
		// In UTF-8, what is not ASCII remains bytes that are not base64.
		return Buffer.from(complete.replace(/\\(?:u([\da-f]{4})|(.?))/gis, resolve));
	}
}

function resolve(_escape: string, code: string | undefined, short: string): string {
	const character = code === undefined ? SHORT[short] : String.fromCharCode(Number.parseInt(code, 16));
	if (character === undefined) throw notBase64();
	return character.trim();
}
