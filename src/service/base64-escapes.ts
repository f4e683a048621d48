import { InvalidResponseError } from './errors.ts';

/** An escape that has begun but not ended. */
const BEGUN = /\\(?:u[\da-f]{0,3})?$/i;

/** The short escapes that can stand in base64 and its line breaks. https://www.rfc-editor.org/rfc/rfc8259#section-7 */
const SHORT: Readonly<Record<string, string>> = { '/': '/', n: '\n', r: '\r', t: '\t' };

/**
 * Resolves the JSON escapes in a string of base64 that comes in pieces, cut anywhere. Slashes are what some writers of JSON escape.
 * Escaped white space is dropped: some writers of base64 break its lines. Bare white space stays, since it is no base64.
 */
export type Base64Escapes = {
	/** Throws `RottenAnswer` on what no base64 can need. */
	read(piece: string): string;
	/** The last piece ended within an escape. */
	readonly pending: boolean;
};

export function createBase64Escapes(): Base64Escapes {
	let begun = '';
	return {
		read(piece) {
			const text = begun + piece;
			begun = BEGUN.exec(text.slice(-5))?.[0] ?? '';
			if (!text.includes('\\')) return text;
			return text.slice(0, text.length - begun.length).replace(/\\(?:u([\da-f]{4})|(.?))/gis, resolve);
		},
		get pending() {
			return begun !== '';
		},
	};
}

function resolve(_escape: string, code: string | undefined, short: string): string {
	const meant = code === undefined ? SHORT[short] : String.fromCharCode(Number.parseInt(code, 16));
	if (meant === undefined) throw new InvalidResponseError('its picture is not base64');
	return meant.trim();
}
