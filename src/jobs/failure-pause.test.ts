import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answers, diesAfterReading, held } from '../../packages/fakes/src/service.ts';
import { ada, BotHarness, moderator } from '../../test/harness/bot-harness.ts';
import type { Bot } from '../bot/bot.ts';

const MINUTE_MS = 60_000;
const PAUSE_MS = 5 * MINUTE_MS;

let harness: BotHarness;
let clock: number;
let pauses: number;
beforeEach(async () => {
	harness = await BotHarness.create();
	[clock, pauses] = [Date.UTC(2026, 10, 20, 12), 0];
});
afterEach(() => harness.close());

/** Starts a process that pauses after more than two failures. */
const start = (): Promise<Bot> =>
	harness.start({ now: () => clock, pauseRule: { failures: 2, pauseMs: PAUSE_MS, onPause: () => void pauses++ } });

/** Returns the answer to a request. */
async function answerOf(bot: Bot, id: string): Promise<string> {
	await bot.invoke(harness.imagine(id));
	return harness.seen(id)?.text ?? '';
}

test('processes on one store pause together, and go on when the time is over', async () => {
	const [first, second] = [await start(), await start()];
	harness.faulty.next(answers(500), diesAfterReading, answers(504));
	for (const [id, bot] of [
		['one', first],
		['two', second],
		['three', first],
	] as const)
		await answerOf(bot, id);
	expect(pauses).toBe(1);
	const paused = 'Too many calls to the image service have failed, so calls are paused. Try again in 5 minutes.';
	for (const [id, bot] of [
		['four', first],
		['five', second],
	] as const)
		expect(await answerOf(bot, id)).toContain(`${paused} Nothing was counted.`);
	expect(harness.faulty.requests).toHaveLength(3);
	expect(await second.easel.failurePause.leftMs()).toBe(PAUSE_MS);

	clock += PAUSE_MS;
	expect(await second.easel.failurePause.leftMs()).toBe(0);
	expect(await answerOf(second, 'six')).toContain('a pond');
	harness.faulty.next(answers(500));
	await answerOf(second, 'eight');
	expect(pauses).toBe(2);
});

test('failures that are further apart, and refusals of a request, pause nothing', async () => {
	const bot = await start();
	harness.faulty.next(answers(500), answers(500));
	for (const id of ['one', 'two']) await answerOf(bot, id);
	clock += 10 * MINUTE_MS;
	harness.faulty.next(
		answers(500),
		answers(400, '{"error":{"message":"no"}}'),
		answers(401),
		answers(402),
		answers(429),
	);
	for (const id of ['three', 'four', 'five', 'six', 'seven']) await answerOf(bot, id);
	expect(await answerOf(bot, 'eight')).toContain('a pond');
	expect(pauses).toBe(0);
});

test('a request that waits in line when a pause begins is not sent, and not counted', async () => {
	const bot = await start();
	const options = { at_once: 1 };
	await bot.invoke({ id: 'set', command: 'limits settings', options, person: moderator, channel: harness.channel });
	const slow = held(answers(500));
	harness.faulty.next(slow.behaviour, answers(500), answers(500));
	const requests = ['one', 'two', 'three', 'four'].map((id) => bot.invoke(harness.imagine(id)));
	await harness.faulty.arrived(1);
	slow.release();
	await Promise.all(requests);
	expect(harness.faulty.requests).toHaveLength(3);
	expect(harness.seen('four')?.text).toContain('Too many calls');
});

test('a service that is overloaded counts as failing', async () => {
	const bot = await start();
	harness.faulty.next(answers(503), answers(503), answers(503));
	for (const id of ['one', 'two', 'three']) await answerOf(bot, id);
	expect(pauses).toBe(1);
});

test('answers in chats are paused as well, when the pause begins after the message', async () => {
	const bot = await start();
	const channel = { ...harness.channel, place: { ...harness.channel.place, thread: 'thread' } };
	const say = (id: string, text: string) => bot.hear({ id, text, person: ada, channel, uploads: [], addressed: true });
	const slow = held(answers(500));
	harness.faulty.next(slow.behaviour, answers(500), answers(500));
	const first = say('said-1', 'Tell me of foxes');
	await harness.faulty.arrived(1);
	// Waits for the first answer.
	const second = say('said-2', 'And of owls');
	for (const id of ['one', 'two']) await answerOf(bot, id);
	slow.release();
	await Promise.all([first, second]);
	expect(pauses).toBe(1);
	expect(harness.faulty.requests).toHaveLength(3);
	expect([...harness.messages.values()].map(({ text }) => text)).toContainEqual(
		expect.stringMatching(/Too many calls to the image service have failed.*Nothing was counted/s),
	);
});

test('nobody is refused while the pause cannot be read', async () => {
	const bot = await start();
	const { keyv } = harness.store.space('pause');
	vi.spyOn(keyv, 'get').mockRejectedValue(new Error('Gone'));
	expect(await answerOf(bot, 'one')).toContain('a pond');
	vi.restoreAllMocks();
});
