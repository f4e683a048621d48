import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankPng, photo, SIGNATURE, withSegment } from '../../test/harness/odd-pictures.ts';
import { sniff } from './parts.ts';

const box = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1`, 'latin1');

describe('sniff', () => {
	test.each([
		['png', () => photo(123, 456).png()],
		['jpeg', () => photo(123, 456).jpeg()],
		['jpeg', () => photo(123, 456).jpeg({ progressive: true })],
		['webp', () => photo(123, 456).webp()],
		['webp', () => photo(123, 456).webp({ lossless: true })],
		['webp', () => photo(123, 456).ensureAlpha(0.5).webp()],
		['gif', () => photo(123, 456).gif()],
	])('reads the size of a %s', async (format, make) => {
		const bytes = await make().toBuffer();
		expect(sniff(bytes)).toEqual({ type: `image/${format}`, width: 123, height: 456 });
		const within = Buffer.concat([Buffer.from('shift'), bytes]).subarray(5);
		expect(sniff(new Uint8Array(within.buffer, within.byteOffset, within.length))?.height).toBe(456);
	});

	test('reads the size of the picture, not of the thumbnail before it', async () => {
		const thumbnail = (await photo(8, 6).jpeg().toBuffer()).toString('latin1');
		const bytes = withSegment(await photo(40, 30).jpeg().toBuffer(), 0xe1, `Exif\0\0${thumbnail}`);
		expect(sniff(bytes)).toEqual({ type: 'image/jpeg', width: 40, height: 30 });
	});

	test('reads a size that is too large to decode', () => {
		expect(sniff(blankPng(60_000, 60_000, 1))).toEqual({ type: 'image/png', width: 60_000, height: 60_000 });
		expect(sniff(blankPng(2 ** 31, 1, 0))).toMatchObject({ width: 2 ** 31 });
	});

	test.each([
		['image/heic', box('heic')],
		['image/heic', box('mif1')],
		['image/avif', box('avif')],
		['video/mp4', box('isom')],
		['video/webm', Buffer.from('1a45dfa3', 'hex')],
		['image/jxl', Buffer.from('ff0a00', 'hex')],
		['image/jp2', Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1')],
		['image/tiff', Buffer.from('II*\0\x08\0\0\0')],
		['image/tiff', Buffer.from('MM\0*\0\0\0\x08')],
		['image/bmp', Buffer.from('BM\x46\0\0\0\0\0\0\0\x36', 'latin1')],
		['image/vnd.adobe.photoshop', Buffer.from('8BPS\0\x01')],
		['application/pdf', Buffer.from('%PDF-1.7')],
		['image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
		['image/svg+xml', Buffer.from('\ufeff<?xml version="1.0"?>\n<!-- drawn -->\n<!DOCTYPE svg PUBLIC "x">\n<svg>')],
		['image/png', SIGNATURE],
		['image/jpeg', Buffer.from('ffd8ffe0', 'hex')],
		['image/webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
		['image/gif', Buffer.from('GIF89a')],
	])('names %s by its first bytes', (type, bytes) => {
		expect(sniff(bytes)).toMatchObject({ type, width: 0, height: 0 });
	});

	test.each(['', 'B', 'I am a picture, honestly.', 'BMW is no bitmap', '<html><svg>', 'GIF90a', 'RIFF\0\0\0\0WAVE'])(
		'does not take %j for a picture',
		(text) => {
			expect(sniff(Buffer.from(text))).toBeUndefined();
		},
	);

	describe('before the root of an SVG', () => {
		const piece = fc.constantFrom(
			'\ufeff',
			' ',
			'\n',
			'<?xml?>',
			'<!--',
			'-->',
			' drawn ',
			'<!DOCTYPE svg>',
			'<svg>',
			'<html>',
		);

		test('accepts what the grammar allows', () => {
			const allowed =
				/^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--(?:(?!-->).)*-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]/is;
			fc.assert(
				fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
					const bytes = Buffer.from(pieces.join(''));
					expect(sniff(bytes)?.type === 'image/svg+xml').toBe(allowed.test(bytes.toString('latin1')));
				}),
				{ numRuns: 5000 },
			);
		});

		test.each(['---><!--', '--><!--', '<?xml>', '<!DOCTYPE svg>', ' ', '<!--', '-->'])(
			'skips repeated %j at once',
			(part) => {
				expect(sniff(Buffer.from(`<!--${part.repeat(65_000 / part.length)}`))).toBeUndefined();
			},
		);
	});

	test('never throws', async () => {
		const valid = await Promise.all(
			[photo().png(), photo().jpeg(), photo().webp(), photo().gif()].map((p) => p.toBuffer()),
		);
		const heads = fc.constantFrom(...valid.map((bytes) => bytes.subarray(0, 64)), Buffer.from('ffd8ff', 'hex'));
		const bytes = fc.tuple(heads, fc.nat(64), fc.uint8Array({ maxLength: 80 }));
		fc.assert(
			fc.property(bytes, ([head, cut, tail]) => {
				const sniffed = sniff(Buffer.concat([head.subarray(0, cut), tail]));
				if (sniffed) expect(Number.isSafeInteger(sniffed.width * sniffed.height)).toBe(true);
			}),
			{ numRuns: 2000 },
		);
	});
});
