import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noisyPng } from '../../packages/fakes/src/pictures.ts';
import { answersPictures } from '../../packages/fakes/src/service.ts';
import { ada, BotHarness } from '../../test/harness/bot-harness.ts';
import { signedJpeg, signedPng, signedWebp } from '../../test/harness/signed-pictures.ts';
import type { Bot } from '../bot/bot.ts';

let harness: BotHarness;
beforeEach(async () => {
	harness = await BotHarness.create();
});
afterEach(() => harness.close());

/** A picture that compresses badly. */
const noise = sharp(await noisyPng(300, 0));

const large = signedPng(await noise.clone().png({ compressionLevel: 0 }).toBuffer());

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

describe('Download original', () => {
	/** Presses the button, and returns the files that it posts. */
	async function pressed(bot: Bot, id: string, person = ada) {
		await harness.press(bot, id, 'download:1:job', 'job', person);
		return [...harness.messages].filter(([key]) => key.split('.')[0] === id).map(([, reply]) => reply);
	}

	test('posts the bytes of the service in parts when a smaller copy was posted', async () => {
		await posted(large, 100_000);
		const replies = await pressed(await harness.start(), 'press');
		expect(replies).toHaveLength(Math.ceil(large.length / 100_000));
		const files = replies.flatMap(({ files = [] }) => files);
		expect(files.map(({ name }) => name).slice(0, 2)).toEqual(['original-1.png.001', 'original-1.png.002']);
		expect(Buffer.concat(files.map(({ bytes }) => bytes)).equals(large)).toBe(true);
		expect(replies.every(({ visibility }) => visibility === 'private')).toBe(true);
		expect(replies[0]?.text).toMatch(/^Part 1 of 3 of the original/);
	});

	test('posts it whole where it fits by now, and only to who may see the result', async () => {
		harness.faulty.always(answersPictures(large));
		harness.channel.limits.pictureBytes = 100_000;
		const bot = await harness.start();
		await bot.invoke(harness.imagine('job', { private: true }));
		harness.channel.limits.pictureBytes = 10 ** 7;
		const [reply] = await pressed(bot, 'press');
		expect(reply).toMatchObject({ text: 'The original, as the image service made it:', visibility: 'private' });
		expect(Buffer.from(reply?.files?.[0]?.bytes ?? []).equals(large)).toBe(true);
		expect((await pressed(bot, 'other', { ...ada, id: 'bjorn' }))[0]?.files).toBeUndefined();
	});

	test('is not kept when it was posted itself', async () => {
		await posted(large);
		expect(await harness.store.space('pictures').files.names('original:')).toEqual([]);
	});

	test('is forgotten with its result', async () => {
		await posted(large, 100_000);
		expect(await harness.store.space('pictures').files.names('original:')).toEqual(['original:job:0']);
		await harness.press(await harness.start(), 'delete', 'confirmDelete:1:job', 'job');
		expect(await harness.store.space('pictures').files.names('original:')).toEqual([]);
	});
});
