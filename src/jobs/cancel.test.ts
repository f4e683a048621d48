import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../packages/fakes/src/eventually.ts';
import { answersPictures, held } from '../../packages/fakes/src/service.ts';
import { ada, BotHarness, moderator } from '../../test/harness/bot-harness.ts';

let harness: BotHarness;
beforeEach(async () => {
	harness = await BotHarness.create();
});
afterEach(() => harness.close());

/** A request whose call is under way. */
async function startRequest() {
	const { behaviour, release } = held(answersPictures(harness.png));
	harness.faulty.next(behaviour);
	const bot = await harness.start();
	const ended = bot.invoke(harness.imagine());
	await harness.faulty.arrived(1);
	return { bot, ended, release };
}

test('cancels a request that another process works on', async () => {
	const { ended } = await startRequest();
	const other = await harness.start();
	await harness.press(other, 'press', 'cancel:1:job', 'job');
	await ended;
	expect(harness.seen('job')?.text).toMatch(/^\*\*a pond\*\*\nCancelled\. The call stays counted/);
	expect(await harness.jobState()).toBe('delivered');
	expect(await harness.callsToday()).toBe(1);
});

test('cancels a request while the store fails', async () => {
	const { bot, ended } = await startRequest();
	const get = vi.spyOn(harness.store.space('ledger').keyv, 'get').mockRejectedValue(new Error('Gone'));
	await harness.press(bot, 'press', 'cancel:1:job', 'job', moderator);
	get.mockRestore();
	await ended;
	expect(harness.seen('job')?.text).toMatch(/^\*\*a pond\*\*\nA moderator cancelled this\. The call stays counted/);
});

test('asks nobody, and counts nothing, when it is cancelled while its pictures are read', async () => {
	const bot = await harness.start();
	const { promise, resolve } = Promise.withResolvers<Uint8Array>();
	const image = { name: 'fox.png', read: () => promise };
	const ended = bot.invoke({ ...harness.imagine('job', { image }), command: 'edit' });
	await eventually(() => expect(harness.seen('job')).toBeDefined());
	await harness.press(bot, 'press', 'cancel:1:job', 'job');
	resolve(harness.png);
	await ended;
	expect(harness.seen('job')?.text).toBe('**a pond**\nCancelled. Nothing was counted.');
	expect(harness.faulty.requests).toEqual([]);
	expect(await harness.callsToday()).toBe(0);
});

test('leaves a request alone that has ended, and those of others', async () => {
	const { bot, ended, release } = await startRequest();
	const other = await harness.start();
	const bjorn = { ...ada, id: 'bjorn' };
	await harness.press(other, 'by-bjorn', 'cancel:1:job', 'job', bjorn);
	expect(harness.seen('by-bjorn')).toMatchObject({
		text: expect.stringMatching(/^Only the person/),
		visibility: 'private',
	});
	release();
	await ended;
	await harness.press(bot, 'late', 'cancel:1:job', 'job');
	expect(harness.seen('late')).toMatchObject({
		text: expect.stringMatching(/^There is nothing to cancel/),
		visibility: 'private',
	});
	expect(harness.pictureIn('job')).toEqual(harness.png);
});

test('refuses an eleventh waiting request of a member, and makes it once one was cancelled', async () => {
	const { behaviour, release } = held(answersPictures(harness.png));
	harness.faulty.next(behaviour);
	harness.faulty.next(behaviour);
	const bot = await harness.start();
	const ended = Array.from({ length: 12 }, (_, index) => bot.invoke(harness.imagine(`job-${index}`)));
	await harness.faulty.arrived(2);
	await eventually(() => expect(harness.seen('job-11')).toBeDefined());
	await bot.invoke(harness.imagine('eleventh'));
	expect(harness.seen('eleventh')?.text).toMatch(/^You have 10 requests waiting/);
	await harness.press(bot, 'press', 'cancel:1:job-11', 'job-11');
	await ended[11];
	const later = bot.invoke(harness.imagine('later'));
	release();
	await Promise.all([...ended, later]);
	expect(harness.pictureIn('later')).toEqual(harness.png);
});
