import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { hugePng } from '../test/studio.fixture.ts';
import { InputError, MAX_INPUT_BYTES, readInput } from './input.ts';

const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
const photo = () => sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal', noise } });

async function refusal(bytes: Uint8Array) {
	const error = await readInput(bytes).catch((error: unknown) => error);
	if (!(error instanceof InputError)) throw new Error('The picture was taken.');
	return [error.status, error.message];
}

describe('readInput', () => {
	it.each(['png', 'jpeg', 'webp', 'gif'] as const)('reads a %s', async (format) => {
		expect(await readInput(await photo().toFormat(format).toBuffer())).toEqual({ format, width: 60, height: 40 });
	});

	it('returns the size after the rotation by EXIF', async () => {
		const turned = await photo().withMetadata({ orientation: 6 }).jpeg().toBuffer();
		expect(await readInput(turned)).toEqual({ format: 'jpeg', width: 40, height: 60 });
	});

	it.each(['gif', 'webp'] as const)('takes the first frame of an animated %s', async (format) => {
		const frames = await Promise.all(['red', 'blue'].map((background) => solid(background)));
		const animated = await sharp(frames, { join: { animated: true } })
			.toFormat(format)
			.toBuffer();
		expect((await sharp(animated).metadata()).pages).toBe(2);
		expect(await readInput(animated)).toEqual({ format, width: 8, height: 8 });
	});

	it('refuses a picture of billions of pixels by its header', async () => {
		expect(await refusal(hugePng())).toEqual([
			400,
			'The picture has 60000 × 60000 pixels; at most 50 million are taken.',
		]);
	});

	it('refuses too many bytes', async () => {
		const bytes = new Uint8Array(MAX_INPUT_BYTES + 600_000);
		expect(await refusal(bytes)).toEqual([413, 'The picture has 10.6 MB; at most 10 MB are taken.']);
	});

	it('refuses a text that is named .png', async () => {
		const [status, message] = await refusal(new TextEncoder().encode('I am a picture, honestly.'));
		expect([status, message]).toEqual([400, expect.stringContaining('not a picture')]);
	});

	it('refuses HEIC by name', async () => {
		const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic')]);
		expect(await refusal(heic)).toEqual([400, expect.stringContaining('HEIC')]);
	});

	it('refuses an empty file', async () => {
		expect(await refusal(new Uint8Array())).toEqual([400, 'The picture is empty.']);
	});

	it.each(['png', 'jpeg', 'webp', 'gif'] as const)('refuses a %s that is cut off', async (format) => {
		const whole = await photo().toFormat(format).toBuffer();
		for (const part of [0.2, 0.5, 0.9]) {
			const cut = whole.subarray(0, Math.max(20, Math.floor(whole.length * part)));
			expect(await refusal(cut)).toEqual([400, expect.stringContaining('damaged or cut off')]);
		}
	});

	it('refuses what only begins like a picture', async () => {
		for (const start of ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'RIFF\0\0\0\0WEBP', 'GIF89a']) {
			expect((await refusal(Buffer.from(`${start}and no more`, 'latin1')))[0]).toBe(400);
		}
	});
});

function solid(background: string) {
	return sharp({ create: { width: 8, height: 8, channels: 3, background } })
		.png()
		.toBuffer();
}
