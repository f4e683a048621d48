import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ada, BotHarness, moderator } from '../../../test/harness/bot-harness.ts';
import type { Upload } from '../../domain/channel.ts';
import { PictureStore } from '../../requests/picture-store.ts';

let harness: BotHarness;
beforeEach(async () => {
	harness = await BotHarness.create();
});
afterEach(() => harness.close());

/** Returns a press of the menu's entry for a message of somebody with these files. */
const pressFor = (id: string, attached: readonly Upload[]) => ({
	...{ id, button: 'about:1:menu', person: ada, channel: harness.channel, open: async () => {} },
	message: { place: harness.channel.place, key: 'somebody' },
	attached,
});

/** Chooses *About this picture* sixty times at once, for a message with ten files, and returns how many were read, and at once. */
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
	await new PictureStore(harness.store.space('pictures'), 60_000).remember('made', [file]);
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
