import { afterEach, beforeEach, expect, test } from 'vitest';
import { BotHarness, hasPictures } from '../../test/fakes/bot-harness.ts';
import { answers } from '../../test/fakes/service.ts';
import { PROFILES } from '../service/profiles/profiles.ts';

let harness: BotHarness;

beforeEach(async () => {
	harness = await BotHarness.create();
	await harness.useService(PROFILES.openai);
	const url = `${harness.faulty.url}/pond.png`;
	harness.faulty.next(answers(200, JSON.stringify({ data: [{ url, revised_prompt: 'A *quiet* pond' }] })));
});

afterEach(() => harness.close());

const callsPaid = () => harness.faulty.requests.filter(({ method }) => method === 'POST').length;

test('a picture that could not be fetched is said to be paid for, and fetched once more by a sweep', async () => {
	harness.faulty.next(answers(503), answers(200, harness.png));
	const bot = await harness.start();
	await bot.invoke(harness.imagine());
	expect(harness.seen('job')?.text).toMatch(/was made, but could not be fetched.*The call was counted/);
	await bot.sweep();
	await expect.poll(() => harness.pictureIn('job').equals(harness.png)).toBe(true);
	await bot.sweep();
	expect([...harness.messages.values()].filter(hasPictures)).toHaveLength(1);
	expect(callsPaid()).toBe(1);
	expect(await harness.callsToday()).toBe(1);
});

test('a second failure is the last', async () => {
	harness.faulty.next(answers(503), answers(404), answers(200, harness.png));
	const bot = await harness.start();
	await bot.invoke(harness.imagine());
	for (let sweeps = 0; sweeps < 3; sweeps++) await bot.sweep();
	expect(harness.seen('job')?.text).toMatch(/was made, but could not be fetched/);
	expect(harness.faulty.requests.filter(({ path }) => path === '/pond.png')).toHaveLength(2);
	expect(callsPaid()).toBe(1);
});

test('the next start fetches it when the process has ended', async () => {
	harness.faulty.next(answers(503), answers(200, harness.png));
	await (await harness.start()).invoke(harness.imagine());
	await (await harness.start()).sweep();
	expect(harness.pictureIn('job').equals(harness.png)).toBe(true);
	expect(callsPaid()).toBe(1);
});

test('the result says what the service has drawn', async () => {
	harness.faulty.next(answers(200, harness.png));
	await (await harness.start()).invoke(harness.imagine());
	expect(harness.seen('job')?.text).toContain('Drawn from: A \\*quiet\\* pond');
});
