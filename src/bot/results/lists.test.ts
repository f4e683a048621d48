import { afterEach, beforeEach, expect, test } from 'vitest';
import { answersPictures, smallPng } from '../../../packages/fakes/src/service.ts';
import { ada, BotHarness, moderator } from '../../../test/harness/bot-harness.ts';
import type { Person } from '../../domain/channel.ts';
import { sniff } from '../../pictures/parts.ts';

let harness: BotHarness;
beforeEach(async () => {
	harness = await BotHarness.create();
});
afterEach(() => harness.close());

const ben: Person = { id: 'ben', name: 'Ben', moderator: false };

test('moderators see the history of members; others see their own', async () => {
	const bot = await harness.start();
	await bot.invoke(harness.imagine('job'));
	const asks = (person: Person, id: string) => {
		const { channel } = harness;
		return bot.invoke({ id, command: 'history', options: { member: ada.id }, person, channel });
	};
	await asks(ben, 'bens');
	expect(harness.seen('bens')?.text).toBe('Only moderators can see the pictures of others.');
	await asks(moderator, 'moderators');
	expect(harness.seen('moderators')).toMatchObject({ visibility: 'private' });
	expect(harness.seen('moderators')?.text).toMatch(/^The last pictures of ada here:\n1\. \*\*a pond\*\*/);

	// Buttons are checked as well: their subjects could be made up.
	await harness.press(bot, 'turned', `older:1:${ada.id}:zzzzzzzzz`, 'moderators', ben);
	expect(harness.seen('turned')?.text).toBe('Only moderators can see the pictures of others.');
});

test('a result whose message is gone is not listed, and cannot be shown', async () => {
	const bot = await harness.start();
	await bot.invoke(harness.imagine('job'));
	const { channel } = harness;
	await bot.invoke({ id: 'list', command: 'history', options: {}, person: ada, channel });
	await (await harness.platform.find({ place: channel.place, key: 'job' }))?.delete();
	await harness.press(bot, 'shown', 'result:1:job', 'list');
	expect(harness.seen('shown')?.text).toBe('The message with this picture is gone.');
	await bot.invoke({ id: 'again', command: 'history', options: {}, person: ada, channel });
	expect(harness.seen('again')?.text).not.toMatch(/pond/);
});

test('a page whose messages are all gone is passed over', async () => {
	const bot = await harness.start();
	const { channel } = harness;
	const gone = Array.from({ length: 5 }, (_, index) => `gone-${index}`);
	for (const id of ['old', ...gone]) await bot.invoke(harness.imagine(id));
	for (const key of gone) await (await harness.platform.find({ place: channel.place, key }))?.delete();
	await bot.invoke({ id: 'list', command: 'history', options: {}, person: ada, channel });
	expect(harness.seen('list')?.text).toMatch(/1\. \*\*a pond/);
	expect(harness.seen('list')?.buttons).toHaveLength(1);
});

test('a private result is shown to its person and to moderators only', async () => {
	const bot = await harness.start();
	await bot.invoke(harness.imagine('job', { private: true }));
	await harness.press(bot, 'bens', 'result:1:job', 'list', ben);
	expect(harness.seen('bens')?.pictures).toBeUndefined();
	await harness.press(bot, 'adas', 'result:1:job', 'list');
	expect(harness.pictureIn('adas')).toEqual(harness.png);
});

test('shows thumbnails where edits can replace pictures, but none of what moderators have hidden', async () => {
	const bot = await harness.start();
	harness.faulty.next(answersPictures(await smallPng('#8e44ad', 600, 300)), answersPictures(await smallPng()));
	for (const id of ['wide', 'hidden']) await bot.invoke(harness.imagine(id));
	const notes = harness.store.space('log').keyv;
	await notes.set('note:hide:hidden', { by: { id: 'mod' }, done: true }, 60_000);
	const { channel } = harness;
	const limits = { ...channel.limits, previews: true as const };
	await bot.invoke({ id: 'list', command: 'history', options: {}, person: ada, channel: { ...channel, limits } });
	const shown = harness.seen('list');
	expect(shown?.text).toMatch(/1\. \*\*a pond.*\n2\. \*\*a pond/);
	expect(shown?.pictures).toMatchObject([{ name: 'easel.preview.2.jpg', alt: '2. a pond', number: 2 }]);
	expect(sniff(shown?.pictures?.[0]?.bytes ?? new Uint8Array())).toMatchObject({ width: 256, height: 128 });
	await bot.invoke({ id: 'plain', command: 'history', options: {}, person: ada, channel });
	expect(harness.seen('plain')?.pictures).toBeUndefined();
});
