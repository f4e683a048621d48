import { once } from 'node:events';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answers, smallPng } from '../../../packages/fakes/src/service.ts';
import { ada, BotHarness, moderator } from '../../../test/harness/bot-harness.ts';
import type { Upload } from '../../domain/channel.ts';
import { PictureStore } from '../../requests/picture-store.ts';
import { PROFILES } from '../../service/profiles.ts';

let harness: BotHarness;
beforeEach(async () => {
	harness = await BotHarness.create();
});
afterEach(() => harness.close());

/** Returns a press of the menu's entry for a message of somebody with these files. */
const pressFor = (id: string, attached: readonly Upload[]) => ({
	...{ id, button: 'about:1:menu', person: ada, channel: harness.channel, open: async () => {} },
	message: { place: harness.channel.place, key: `of ${id}` },
	attached,
});

/** Chooses *About this picture* sixty times at once, for messages with ten files each, and returns how many were read, and at once. */
async function pressOften(bot: Awaited<ReturnType<BotHarness['start']>>) {
	let [read, reading, most] = [0, 0, 0];
	const file = {
		name: 'a.png',
		size: 10_000_000,
		read: async () => {
			read += 1;
			most = Math.max(most, ++reading);
			await new Promise((resolve) => setImmediate(resolve));
			reading -= 1;
			return harness.png;
		},
	};
	const files = Array.from({ length: 10 }, () => file);
	const press = (number: number) => bot.press(pressFor(`press${number}`, files));
	await Promise.all(Array.from({ length: 60 }, (_, number) => press(number)));
	return { read, most };
}

test('About this picture downloads nothing for a person who is blocked', async () => {
	const bot = await harness.start();
	const { channel } = harness;
	const options = { member: ada.id };
	await bot.invoke({ id: 'block', command: 'limits block', options, person: moderator, channel });
	expect(await pressOften(bot)).toEqual({ read: 0, most: 0 });
	expect(harness.seen('press59')?.text).toMatch(/block/);
});

test('About this picture downloads little at once, and not without end, for others', async () => {
	const { read, most } = await pressOften(await harness.start());
	expect(read).toBe(200);
	expect(most).toBeLessThanOrEqual(2);
	expect(harness.seen('press0')?.text).toBe(
		'I know nothing about this picture.\nNo mark: the file has no Content Credentials, and does not say that a machine made it.',
	);
	expect(harness.seen('press59')?.text).toMatch(/^You have asked for this many times within a minute/);
});

test('About this picture finds a picture of 20 MB', async () => {
	const bot = await harness.start();
	const { channel } = harness;
	await bot.invoke({ id: 'made', command: 'imagine', options: { prompt: 'a pond' }, person: ada, channel });
	const file = Buffer.concat([harness.png, Buffer.alloc(20_000_000)]);
	const space = harness.store.space('pictures');
	await space.commit(new PictureStore(space, 60_000).remembering('made', [file]));
	await bot.press(pressFor('again', [{ name: 'a.png', size: file.length, read: async () => file }]));
	expect(harness.seen('again')?.text).toMatch(/Words: a pond.*Size: \d+ × \d+/s);
});

test('About this picture ends with Easel, in the middle of a file', async () => {
	const bot = await harness.start();
	const stopped = Promise.withResolvers<void>();
	const read = async (signal: AbortSignal) => {
		void bot.stop(0).then(stopped.resolve);
		await once(signal, 'abort');
		signal.throwIfAborted();
		return harness.png;
	};
	const pressed = bot.press(pressFor('stopped', [{ name: 'a.png', size: 0, read }]));
	await stopped.promise;
	await pressed;
	expect(harness.seen('stopped')?.text).not.toMatch(/No mark/);
});

test('About this picture tells what is other than was asked for', async () => {
	await harness.useService(PROFILES.openai);
	const jpeg = await sharp({ create: { width: 64, height: 32, channels: 3, background: 'red' } })
		.jpeg()
		.toBuffer();
	const answer = { model: 'gpt-image-2-2026-10-01', data: [{ b64_json: jpeg.toString('base64') }] };
	harness.faulty.next(answers(200, JSON.stringify(answer)));
	const bot = await harness.start();
	const ask = async (id: string, key: string, bytes: Buffer) => {
		const message = { place: harness.channel.place, key };
		await bot.press({ ...pressFor(id, [{ name: 'a.png', read: async () => bytes }]), message });
		return harness.seen(id)?.text;
	};
	await bot.invoke(harness.imagine('job', { model: 'gpt-image-2', size: 'landscape' }));
	const told = await ask('about', 'job', jpeg);
	expect(told?.split('\n').slice(2, 5)).toEqual([
		'Model: gpt-image-2-2026-10-01 (asked for: gpt-image-2)',
		'Size: 64 × 32 (asked for: landscape)',
		'Format: JPEG',
	]);
	const png = await smallPng('#27ae60', 1024, 1024);
	const exact = { model: 'gpt-image-2', data: [{ b64_json: png.toString('base64') }] };
	harness.faulty.next(answers(200, JSON.stringify(exact)));
	await bot.invoke(harness.imagine('exact', { model: 'gpt-image-2', size: 'square' }));
	expect(await ask('about exact', 'exact', png)).not.toMatch(/asked for:|Format/);
});
