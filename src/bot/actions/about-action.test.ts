import { afterEach, beforeEach, expect, test } from 'vitest';
import { ada, BotHarness, moderator } from '../../../test/fakes/bot-harness.ts';

let harness: BotHarness;
beforeEach(async () => {
	harness = await BotHarness.create();
});
afterEach(() => harness.close());

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
	const { channel } = harness;
	const press = (number: number) =>
		bot.press({
			...{ id: `press${number}`, button: 'about:1:menu', person: ada, channel, open: async () => {} },
			message: { place: channel.place, key: 'somebody' },
			attached: Array.from({ length: 10 }, () => file),
		});
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
