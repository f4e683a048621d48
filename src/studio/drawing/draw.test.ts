import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type DrawRequest, draw } from './draw.ts';

const side = 128;
const drawn = (prompt: string, changes: Partial<DrawRequest> = {}) =>
	draw({ prompt, width: side, height: side, variation: 0, sharpText: false, ...changes });

const pixels = async (png: Uint8Array) => sharp(png).removeAlpha().raw().toBuffer();

/** Mean distance of the channels, 0–255. */
async function distance(one: Uint8Array, other: Uint8Array): Promise<number> {
	const [a, b] = [await pixels(one), await pixels(other)];
	return a.reduce((sum, value, index) => sum + Math.abs(value - b[index]!), 0) / a.length;
}

const mean = async (png: Uint8Array) => (await sharp(png).stats()).channels.map((channel) => channel.mean);

describe('draw', () => {
	it('gives the same bytes for the same words, whatever their case and spacing', async () => {
		const first = await drawn('A red fox in the snow');
		expect(Buffer.compare(await drawn('  a RED fox,   in the snow. '), first)).toBe(0);
	});

	it('gives visibly different pictures for different words', async () => {
		const prompts = [
			'a red fox in the snow',
			'a lighthouse at night',
			'synergy',
			'leverage',
			'',
			'🌈🌈',
			'three balloons',
		];
		const pictures = await Promise.all(prompts.map((prompt) => drawn(prompt)));
		for (const [index, one] of pictures.entries()) {
			for (const other of pictures.slice(index + 1)) expect(await distance(one, other)).toBeGreaterThan(6);
		}
	});

	it('shows the same scene differently in every variation', async () => {
		const pictures = await Promise.all([0, 1, 2, 3].map((variation) => drawn('a cat in a forest', { variation })));
		for (const [index, one] of pictures.entries()) {
			for (const other of pictures.slice(index + 1)) expect(await distance(one, other)).toBeGreaterThan(6);
		}
	});

	it.each([
		[64, 64],
		[64, 2048],
		[2048, 64],
		[333, 777],
		[1024, 576],
	])('is exactly %i × %i', async (width, height) => {
		const metadata = await sharp(await drawn('a whale', { width, height })).metadata();
		expect(metadata).toMatchObject({ format: 'png', width, height, hasAlpha: false });
	});

	it('shows the colour that a noun is given', async () => {
		const [red, , redsBlue] = await mean(await drawn('a huge red fox at noon', { variation: 3 }));
		const [blue, , bluesBlue] = await mean(await drawn('a huge blue fox at noon', { variation: 3 }));
		expect(red! - redsBlue!).toBeGreaterThan(blue! - bluesBlue! + 8);
	});

	it('is darker at night than by day', async () => {
		const brightness = async (prompt: string) => (await mean(await drawn(prompt))).reduce((a, b) => a + b) / 3;
		expect(await brightness('a village at night')).toBeLessThan((await brightness('a village at noon')) * 0.7);
	});

	it('draws as many as are counted', async () => {
		expect(await distance(await drawn('one penguin'), await drawn('five penguins'))).toBeGreaterThan(3);
	});

	it('letters quoted text, with harder edges if it shall be sharp', async () => {
		const edges = async (png: Uint8Array) => {
			const top = sharp(png).extract({ left: 30, top: 20, width: 196, height: 70 }).greyscale();
			const kernel = [-1, -1, -1, -1, 8, -1, -1, -1, -1];
			const traced = await top.convolve({ width: 3, height: 3, kernel }).toBuffer();
			return (await sharp(traced).stats()).channels[0]!.mean;
		};
		const at = { width: 256, height: 256 };
		const without = await edges(await drawn('a dog', at));
		const soft = await edges(await drawn('a dog "Adopt me"', at));
		const sharply = await edges(await drawn('a dog "Adopt me"', { ...at, sharpText: true }));
		expect(sharply).toBeGreaterThan(without * 1.5);
		expect(sharply).not.toBe(soft);
	});

	it('says which program drew it', async () => {
		const { exif } = await sharp(await drawn('a cup')).metadata();
		expect(exif?.toString('latin1')).toContain('Easel Studio');
	});

	it('stops when it is told to', async () => {
		await expect(drawn('a fox', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
	});

	it.each([
		'</svg><script>alert(1)</script>',
		'"</svg>&<![CDATA[" \u0000\u0008\uFFFE',
		'\ud800 lone \udfff surrogates',
		`"${'W'.repeat(200)}"`,
		'x'.repeat(2000),
		'fox '.repeat(500),
		'noise of words without end '.repeat(74),
		'constructor __proto__ toString hasOwnProperty',
	])('draws hostile prompt %#', async (prompt) => {
		const png = await drawn(prompt, { sharpText: true });
		expect((await sharp(png).metadata()).width).toBe(side);
	});

	it('draws anything', async () => {
		const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ unit: 'grapheme', maxLength: 60 }));
		await fc.assert(
			fc.asyncProperty(text, fc.nat(9), fc.boolean(), async (prompt, variation, sharpText) => {
				const png = await draw({ prompt: `"${prompt}" ${prompt}`, width: 64, height: 96, variation, sharpText });
				expect((await sharp(png).metadata()).height).toBe(96);
			}),
			{ numRuns: 40 },
		);
	});
});
