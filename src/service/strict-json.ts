import { InvalidResponseError } from './errors.ts';

/**
 * Parses JSON from bytes, more strictly than `JSON.parse`: valid UTF-8, no byte order mark, no half of a surrogate pair.
 * @throws InvalidResponseError
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
		return JSON.parse(text, (key, value) => {
			if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) throw new Error();
			return value;
		});
	} catch {
		// The parser's own message quotes the text.
		throw new InvalidResponseError('it is not well-formed JSON');
	}
}
