import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { blankPng, chunk, photo, withChunks } from './corpus.fixture.ts';
import { withoutPngText } from './extras.ts';

test('text is taken out of a PNG before anybody unpacks it, and the picture stays as it was', () => {
	const png = blankPng(4, 4);
	const text = chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(1e6))]));
	expect(Buffer.from(withoutPngText(withChunks(png, text, text)) ?? [])).toEqual(png);
});

test('a PNG that ends too early is none', () => {
	expect(withoutPngText(blankPng(4, 4).subarray(0, -6))).toBeUndefined();
});

test('other files are left alone', async () => {
	const jpeg = await photo().jpeg().toBuffer();
	expect(withoutPngText(jpeg)).toBe(jpeg);
});
