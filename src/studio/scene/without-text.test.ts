import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { blankPng, chunk, photo, withChunks } from '../../../test/harness/odd-pictures.ts';
import { withoutPngText } from './picture-scene.ts';

test('removes text from a PNG without decompressing it, and leaves the picture as it is', () => {
	const png = blankPng(4, 4);
	const text = chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(1e6))]));
	expect(Buffer.from(withoutPngText(withChunks(png, text, text)) ?? [])).toEqual(png);
});

test('returns undefined for a truncated PNG', () => {
	expect(withoutPngText(blankPng(4, 4).subarray(0, -6))).toBeUndefined();
});

test('returns other files as they are', async () => {
	const jpeg = await photo().jpeg().toBuffer();
	expect(withoutPngText(jpeg)).toBe(jpeg);
});
