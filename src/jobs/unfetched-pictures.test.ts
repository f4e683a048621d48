import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answers, smallPng } from '../../packages/fakes/src/service.ts';
import { BotHarness, hasPictures } from '../../test/harness/bot-harness.ts';
import { PROFILES } from '../service/profiles.ts';

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

describe('of several pictures', () => {
	const [one, two, three] = ['/1.png', '/2.png', '/3.png'];
	const colours = new Map([
		[one, '#ff0000'],
		[two, '#00ff00'],
		[three, '#0000ff'],
	]);
	/** The paths that cannot be fetched. */
	let missing: Set<string>;
	let pngs: Map<string, Buffer>;

	beforeEach(async () => {
		await harness.close();
		harness = await BotHarness.create();
		await harness.useService(PROFILES.openai);
		const data = [...colours.keys()].map((path) => ({ url: harness.faulty.url + path }));
		harness.faulty.next(answers(200, JSON.stringify({ data })));
		pngs = new Map(await Promise.all([...colours].map(async ([path, one]) => [path, await smallPng(one)] as const)));
		harness.faulty.always((exchange) => {
			const { path } = exchange.request;
			return answers(missing.has(path) ? 503 : 200, pngs.get(path))(exchange);
		});
	});

	const shown = () => harness.seen('job')?.pictures?.map(({ bytes }) => Buffer.from(bytes));
	const fetches = (path: string) => harness.faulty.requests.filter((request) => request.path === path).length;

	test('those that could not be fetched are said to be paid for, and posted later with the others', async () => {
		missing = new Set([two]);
		const bot = await harness.start();
		await bot.invoke(harness.imagine('job', { n: 3 }));
		expect(shown()).toEqual([pngs.get(one), pngs.get(three)]);
		const text = 'A further picture was made, but could not be fetched from the service. I will try once more.';
		expect(harness.seen('job')?.text).toContain(text);
		expect(harness.seen('job')?.text).not.toMatch(/missing/);
		missing.clear();
		for (let sweeps = 0; sweeps < 3; sweeps++) await bot.sweep();
		expect(shown()).toEqual([one, three, two].map((path) => pngs.get(path)));
		expect(harness.seen('job')?.text).not.toMatch(/could not be fetched|Easel was stopped/);
		expect([...harness.messages.values()].filter(hasPictures)).toHaveLength(1);
		expect([fetches(one), fetches(two), callsPaid()]).toEqual([1, 2, 1]);
		expect(await harness.store.space('pictures').files.names('')).toEqual([]);
	});

	test('the next start fetches them, of which some may still be missing', async () => {
		missing = new Set([two, three]);
		await (await harness.start()).invoke(harness.imagine('job', { n: 4 }));
		expect(shown()).toEqual([pngs.get(one)]);
		expect(harness.seen('job')?.text).toMatch(/returned 3 of 4 pictures; missing: 1.*\n2 further pictures were made/);
		missing.delete(two);
		const bot = await harness.start();
		for (let sweeps = 0; sweeps < 3; sweeps++) await bot.sweep();
		expect(shown()).toEqual([pngs.get(one), pngs.get(two)]);
		expect(harness.seen('job')?.text).toMatch(
			/A further picture was made, but could not be fetched from the service\.$/,
		);
		expect([fetches(two), fetches(three), callsPaid()]).toEqual([2, 2, 1]);
	});

	test('the message stays as it is when the second attempt fails', async () => {
		missing = new Set([two]);
		const bot = await harness.start();
		await bot.invoke(harness.imagine('job', { n: 3 }));
		const before = harness.seen('job');
		for (let sweeps = 0; sweeps < 3; sweeps++) await bot.sweep();
		expect(harness.seen('job')).toBe(before);
		expect(fetches(two)).toBe(2);
		expect(await harness.store.space('pictures').files.names('')).toEqual([]);
	});
});

test('the result says what the service has drawn', async () => {
	harness.faulty.next(answers(200, harness.png));
	await (await harness.start()).invoke(harness.imagine());
	expect(harness.seen('job')?.text).toContain('The image service says: A \\*quiet\\* pond');
});
