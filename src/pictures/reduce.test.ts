import sharp from 'sharp';
import { expect, test } from 'vitest';
import { noisyPng } from '../../packages/fakes/src/pictures.ts';
import { photo } from '../../test/harness/odd-pictures.ts';
import { reduce } from './prepare.ts';

test('a small picture is taken as it is', async () => {
	const png = await photo().png().toBuffer();
	expect(png.equals(await reduce(png))).toBe(true);
});

test.each([
	['a wide one', () => photo().resize(3000, 100, { fit: 'fill' }).jpeg(), 'jpeg', 1536],
	['a tall one', () => photo().resize(100, 3000, { fit: 'fill' }).png(), 'png', 52],
])('%s has at most 1536 pixels a side', async (_, make, format, width) => {
	const reduced = await sharp(await reduce(await make().toBuffer())).metadata();
	expect([reduced.format, reduced.width]).toEqual([format, width]);
	expect(Math.max(reduced.width, reduced.height)).toBe(1536);
});

test('one that PNG compresses badly has at most 1 MB', async () => {
	expect((await reduce(await noisyPng(1200))).length).toBeLessThanOrEqual(1_000_000);
});
