import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { signedPng } from '../../test/harness/signed-pictures.ts';
import { fitPicture, thumbnail } from './fit.ts';
import { readMarks, withMark } from './marks.ts';

/** A picture that compresses badly, as photographs do. */
async function grainy(width: number, height: number, channels: 3 | 4 = 3) {
	const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
	const picture = sharp({ create: { width, height, channels: 3, background: '#884422', noise } });
	return (channels === 4 ? picture.ensureAlpha(0.5) : picture).png({ compressionLevel: 0 }).toBuffer();
}

const pixels = (bytes: Uint8Array) => sharp(bytes, { ignoreIcc: true }).raw().toBuffer();

test('leaves a picture that fits unchanged, up to the last byte', async () => {
	const png = await grainy(40, 30);
	expect(await fitPicture(png, png.length)).toEqual({ bytes: png, how: 'unchanged' });
	expect((await fitPicture(png, png.length - 1)).how).not.toBe('unchanged');
	const noPicture = new Uint8Array(10);
	expect((await fitPicture(noPicture, 10)).bytes).toBe(noPicture);
});

test('keeps every pixel of a picture that fits when compressed better', async () => {
	const png = await grainy(300, 200, 4);
	const { bytes, how } = await fitPicture(png, png.length - 1000);
	expect(how).toBe('packed');
	expect(bytes.length).toBeLessThan(png.length - 1000);
	expect((await pixels(bytes)).equals(await pixels(png))).toBe(true);
});

test('keeps 16 bits and a colour profile when nothing needs to be scaled', async () => {
	const values = Uint16Array.from({ length: 64 * 64 * 3 }, (_, index) => (index * 40_503) & 0xffff);
	const raw = { raw: { width: 64, height: 64, channels: 3 as const } };
	const deep = await sharp(values, raw).toColourspace('rgb16').png({ compressionLevel: 0 }).toBuffer();
	const packed = await fitPicture(deep, deep.length - 1);
	const pixels16 = (bytes: Uint8Array) => sharp(bytes).toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer();
	expect(packed.how).toBe('packed');
	expect((await pixels16(packed.bytes)).equals(await pixels16(deep))).toBe(true);

	const wide = await sharp(await grainy(64, 64))
		.withIccProfile('p3')
		.png({ compressionLevel: 0 })
		.toBuffer();
	const { bytes, how } = await fitPicture(wide, wide.length - 1);
	expect(how).toBe('packed');
	expect((await pixels(bytes)).equals(await pixels(wide))).toBe(true);
	expect((await sharp(bytes).metadata()).icc).toEqual((await sharp(wide).metadata()).icc);
});

test('scales to about the largest size that fits, in proportion and with transparency', async () => {
	const png = await grainy(1200, 800, 4);
	const packed = (await fitPicture(png, png.length - 1)).bytes.length;
	const limit = Math.round(packed * 0.4);
	const fitted = await fitPicture(png, limit);
	if (fitted.how !== 'scaled') throw new Error(fitted.how);
	expect(fitted.from).toEqual({ width: 1200, height: 800 });
	expect(fitted.bytes.length).toBeLessThanOrEqual(limit);
	expect(fitted.bytes.length).toBeGreaterThan(limit * 0.9);
	expect(Math.abs(fitted.to.width / fitted.to.height - 1.5)).toBeLessThan(0.01);
	expect(await sharp(fitted.bytes).metadata()).toMatchObject({ ...fitted.to, format: 'png', hasAlpha: true });
});

test('returns a picture that fits or throws, for any picture and limit', async () => {
	const size = fc.integer({ min: 1, max: 90 });
	await fc.assert(
		fc.asyncProperty(size, size, fc.integer({ min: 0, max: 9000 }), async (width, height, limit) => {
			const png = await grainy(width, height);
			const fitted = await fitPicture(png, limit).catch((error: unknown) => error);
			// The smallest PNG there is has 67 bytes, and its mark about 450.
			if (fitted instanceof RangeError) return limit < 600;
			const { bytes, ...how } = fitted as Awaited<ReturnType<typeof fitPicture>>;
			if (how.how === 'scaled' && Math.max(how.to.width, how.to.height) >= Math.max(width, height)) return false;
			return bytes.length <= limit;
		}),
		{ numRuns: 60, examples: [[1, 9, 600]] },
	);
});

test('throws for a file over the limit that is not a picture', async () => {
	await expect(fitPicture(new Uint8Array(100), 10)).rejects.toThrow();
});

test.each([
	['packed', 1000],
	['scaled', 1_500_000],
])('a signed picture that is %s has no broken credentials, and says that a machine made it', async (how, fewer) => {
	const png = signedPng(await grainy(1000, 700));
	const fitted = await fitPicture(png, png.length - fewer);
	expect(fitted.how).toBe(how);
	expect(Buffer.from(fitted.bytes).includes('c2pa')).toBe(false);
	expect((await sharp(fitted.bytes).metadata()).xmpAsString).toContain('digitalsourcetype/trainedAlgorithmicMedia"');
	expect((await sharp(await thumbnail(png)).metadata()).xmpAsString).toContain('/trainedAlgorithmicMedia"');
});

test('a smaller copy says of its making what the original says', async () => {
	for (const source of ['algorithmicMedia', 'compositeSynthetic'] as const) {
		const png = withMark(await grainy(300, 200), source);
		for (const limit of [png.length - 1, 30_000])
			expect(readMarks((await fitPicture(png, limit)).bytes)).toEqual({ signed: false, source });
		expect(readMarks(await thumbnail(png))).toEqual({ signed: false, source });
	}
});
