import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BotHarness } from '../../../test/fakes/bot-harness.ts';
import { noisyPng } from '../../../test/fakes/pictures.ts';
import { answersPictures } from '../../../test/fakes/service.ts';
import { signedJpeg, signedPng, signedWebp } from '../../pictures/signed.fixture.ts';

let harness: BotHarness;
beforeEach(async () => {
	harness = await BotHarness.create();
});
afterEach(() => harness.close());

/** A picture that compresses badly. */
const noise = sharp(await noisyPng(300, 0));

/** Asks for a picture that the service has signed, and returns what is posted. */
async function posted(bytes: Buffer, most = bytes.length): Promise<Buffer> {
	harness.faulty.always(answersPictures(bytes));
	harness.channel.limits.pictureBytes = most;
	await (await harness.start()).invoke(harness.imagine());
	return harness.pictureIn('job');
}

describe('a picture that the service has signed', () => {
	test.each([
		['png', signedPng],
		['jpeg', signedJpeg],
		['webp', signedWebp],
	] as const)('is posted as it is when it fits (%s)', async (format, sign) => {
		const bytes = sign(await noise.clone().toFormat(format).toBuffer());
		expect((await posted(bytes)).equals(bytes)).toBe(true);
	});

	test('has the name of a PNG when a JPEG had to be made smaller', async () => {
		const bytes = signedJpeg(await noise.clone().jpeg({ quality: 100 }).toBuffer());
		await posted(bytes, bytes.length - 1);
		expect(harness.seen('job')?.pictures?.[0]?.name).toBe('a-pond-1.png');
	});

	test.each([
		['compressed', 1000, /Compressed without loss.*Content Credentials are missing/],
		['scaled', 200_000, /Scaled from 300 × 300.*Content Credentials are missing/],
	])('loses its credentials when it is %s, and says that a machine made it', async (_, fewer, note) => {
		const bytes = signedPng(await noise.clone().png({ compressionLevel: 0 }).toBuffer());
		const copy = await posted(bytes, bytes.length - fewer);
		expect(harness.seen('job')?.text).toMatch(note);
		expect(copy.includes('c2pa')).toBe(false);
		expect((await sharp(copy).metadata()).xmpAsString).toMatch(
			/Iptc4xmpExt:DigitalSourceType="http:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/trainedAlgorithmicMedia"/,
		);
	});
});
