import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { flatPicture } from '../test/studio.fixture.ts';
import { pngChunk, withChunk, withoutPngText } from './png.ts';

const png = await flatPicture(4, 4);

test('removes text from a PNG without decompressing it, and leaves the picture as it is', () => {
	const text = pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(1e6))]));
	const withText = withChunk(withChunk(png, text), text);
	expect(Buffer.from(withoutPngText(withText) ?? [])).toEqual(png);
});

test('returns undefined for a truncated PNG', () => {
	expect(withoutPngText(png.subarray(0, -6))).toBeUndefined();
});

test('returns other files as they are', async () => {
	const jpeg = await flatPicture(4, 4, 'jpeg');
	expect(withoutPngText(jpeg)).toBe(jpeg);
});
