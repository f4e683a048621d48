import sharp from 'sharp';
import { expect, test } from 'vitest';
import { noisyPng } from '../../packages/fakes/src/pictures.ts';
import { makeSticker } from './fit.ts';
import { readMarks, withMark } from './marks.ts';

/** A red block of half the picture's size in the middle of nothing. */
const block = (width: number, height: number) =>
	sharp({ create: { width: width / 2, height: height / 2, channels: 4, background: '#ff0000' } })
		.extend({ left: width / 4, right: width / 4, top: height / 4, bottom: height / 4, background: '#00ff0000' })
		.png()
		.toBuffer();

test.each([
	[800, 400, 320, 160],
	[200, 400, 160, 320],
	[4000, 40, 320, 4],
])('a picture of %d × %d has no margins and the size of a sticker', async (width, height, ...size) => {
	const sticker = await makeSticker(await block(width, height));
	expect([sticker.width, sticker.height, sticker.isOpaque]).toEqual([...size, false]);
	const [, , , alpha] = (await sharp(sticker.bytes).stats()).channels;
	expect(alpha?.mean).toBeGreaterThan(200);
	expect(readMarks(sticker.bytes).source).toBe('trainedAlgorithmicMedia');
});

test('what cannot be compressed gets a palette, and keeps what it says of its making', async () => {
	const noise = withMark(await noisyPng(700), 'algorithmicMedia');
	const { bytes, ...sticker } = await makeSticker(noise);
	expect(sticker).toEqual({ width: 320, height: 320, isOpaque: true });
	expect(bytes.length).toBeLessThanOrEqual(256 * 1024);
	expect(readMarks(bytes).source).toBe('algorithmicMedia');
});

test('a picture in which nothing is seen, or that is damaged, makes none', async () => {
	const nothing = { width: 64, height: 64, channels: 4, background: '#ff000004' } as const;
	await expect(makeSticker(await sharp({ create: nothing }).png().toBuffer())).rejects.toThrow('Nothing');
	const whole = await block(64, 64);
	await expect(makeSticker(whole.subarray(0, whole.length / 2))).rejects.toThrow();
});
