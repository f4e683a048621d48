import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidResponseError } from '../errors.ts';
import { Base64Decoder } from './base64-decoder.ts';

/** Decodes text in pieces of these lengths, and then the rest of it. */
function decode(text: string, lengths: readonly number[] = []): Buffer {
	const decoder = new Base64Decoder();
	const decoded: Uint8Array[] = [];
	let rest = Buffer.from(text, 'latin1');
	for (const length of [...lengths, rest.length]) {
		const piece = rest.subarray(0, length);
		rest = rest.subarray(length);
		const room = new Uint8Array(decoder.bytesOf(piece.length));
		decoded.push(room.subarray(0, decoder.write(piece, room)));
	}
	decoder.end();
	return Buffer.concat(decoded);
}

/** Decodes text as the language does, but without skipping white space. */
function expected(text: string): Buffer | undefined {
	if (/\s/.test(text)) return undefined;
	for (const alphabet of ['base64', 'base64url'] as const) {
		try {
			return Buffer.from(Uint8Array.fromBase64(text, { alphabet }));
		} catch {}
	}
	return undefined;
}

const cuts = fc.array(fc.nat(20), { maxLength: 20 });

describe('base64', () => {
	test('is decoded as Buffer does, in either alphabet, with or without padding, wherever it is cut', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(2), cuts, (bytes, which, lengths) => {
				const base64 = Buffer.from(bytes).toString('base64');
				const text = [base64, base64.replace(/=+$/, ''), base64.replaceAll('+', '-').replaceAll('/', '_')][which]!;
				expect(decode(text, lengths)).toEqual(Buffer.from(text, 'base64'));
			}),
		);
	});

	test('is refused where the language refuses it', () => {
		const character = fc.constantFrom(...'AAAABcz09', '+', '/', '-', '_', '=', ' ', '\n', '*', '\0', 'é', '"');
		const text = fc.oneof(
			fc.string({ unit: character, maxLength: 12 }),
			fc
				.tuple(fc.stringMatching(/^[\w+/]{0,30}$/), fc.constantFrom('', '=', '==', '==='))
				.map((parts) => parts.join('')),
		);
		fc.assert(
			fc.property(text, cuts, (text, lengths) => {
				const bytes = expected(text);
				if (bytes) expect(decode(text, lengths)).toEqual(bytes);
				else expect(() => decode(text, lengths)).toThrow(InvalidResponseError);
			}),
			{ numRuns: 2000 },
		);
	});

	test('is refused with any one byte that is not of its alphabet', () => {
		const text = Buffer.alloc(12, 0xfb).toString('base64');
		for (let at = 0; at < text.length; at++) {
			for (let byte = 0; byte < 256; byte++) {
				const damaged = text.slice(0, at) + String.fromCharCode(byte) + text.slice(at + 1);
				if (!expected(damaged)) expect(() => decode(damaged)).toThrow('its picture is not base64');
			}
		}
	});
});
