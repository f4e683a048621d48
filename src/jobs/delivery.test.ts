import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answers, answersPictures } from '../../packages/fakes/src/service.ts';
import { ada, BotHarness, createFakePlatform, hasPictures, storedState } from '../../test/harness/bot-harness.ts';
import { type Change, type Store, StoreError } from '../store/store.ts';

let harness: BotHarness;
beforeEach(async () => {
	harness = await BotHarness.create();
});
afterEach(() => harness.close());

describe('a result', () => {
	test('is a new message when the status message cannot be edited', async () => {
		harness.refuses.edit = hasPictures;
		await (await harness.start()).invoke(harness.imagine());
		expect(harness.pictureIn('job.2')).toEqual(harness.png);
	});

	test('is a direct message that says why when the channel refuses it', async () => {
		const { messages, channel } = createFakePlatform();
		const direct = { ...channel, place: { ...channel.place, channel: 'direct', direct: true as const } };
		harness.platform.direct = async () => direct;
		harness.refuses.edit = hasPictures;
		harness.refuses.post = hasPictures;
		await (await harness.start()).invoke(harness.imagine());
		expect(messages.get('job.direct')?.text).toMatch(/^You asked for this in channel, where it could not be posted/);
		expect(messages.get('job.direct')?.pictures).toHaveLength(1);
		expect(harness.seen('job')?.text).toMatch(/The person who asked has it in a direct message/);
		expect(await harness.openJobs()).toEqual([]);
	});

	test('is delivered when the store fails after the service has answered', async () => {
		let isFailing = false;
		const store = harness.withCommit((change, commit) =>
			isFailing ? Promise.reject(new StoreError('The disk is full')) : commit(change),
		);
		harness.faulty.next(async (exchange) => {
			isFailing = true;
			await answersPictures(harness.png)(exchange);
		});
		await (await harness.start({ store })).invoke(harness.imagine());
		expect(harness.pictureIn('job')).toEqual(harness.png);
	});

	test('that can be neither posted nor kept is posted by the next sweep', async () => {
		harness.refuses.edit = hasPictures;
		harness.refuses.post = hasPictures;
		const pictures = harness.store.space('pictures');
		let isGone = true;
		const put: typeof pictures.files.put = (...file) =>
			isGone ? Promise.reject(new StoreError('The bucket is gone')) : pictures.files.put(...file);
		const store: Store = {
			...harness.store,
			space: (name) =>
				name === 'pictures' ? { ...pictures, files: { ...pictures.files, put } } : harness.store.space(name),
		};
		const bot = await harness.start({ store });
		await bot.invoke(harness.imagine());
		await bot.sweep();
		expect(harness.seen('job')?.text).toMatch(
			/finished but could not be posted yet\. I keep trying\. The call stays counted/,
		);

		isGone = false;
		harness.refuses.edit = () => false;
		await bot.sweep();
		expect(harness.pictureIn('job')).toEqual(harness.png);
		expect(harness.faulty.requests).toHaveLength(1);
		expect(await harness.openJobs()).toEqual([]);
	});

	test('does not stay in memory', async () => {
		const large = Buffer.concat([harness.png, Buffer.alloc(4 * 2 ** 20)]);
		const bot = await harness.start();
		const make = async (count: number) => {
			for (let made = 0; made < count; made++) {
				harness.faulty.next(answersPictures(large));
				await bot.invoke(harness.imagine(`job-${count}-${made}`));
				expect(harness.pictureIn(`job-${count}-${made}`)).toHaveLength(large.length);
			}
			(harness.messages as Map<string, unknown>).clear();
		};
		/** The bytes of all buffers, of which some are released only a while after their last use. */
		const held = () => {
			collectGarbage();
			return process.memoryUsage().arrayBuffers;
		};
		await make(2);
		const before = held();
		await make(10);
		await expect.poll(held).toBeLessThan(before + 3 * large.length);
	});
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('a result that cannot be posted in an outage of the platform', () => {
	const outage = (isOutage: boolean) => {
		harness.refuses.isOutage = isOutage;
		harness.refuses.post = isOutage ? () => true : () => false;
		harness.refuses.edit = harness.refuses.post;
	};
	const openBot = async (now = Date.now) => {
		const bot = await harness.start({ now });
		harness.faulty.next(async (exchange) => {
			outage(true);
			await answersPictures(harness.png)(exchange);
		});
		await bot.invoke(harness.imagine());
		return bot;
	};

	test('is posted by a later sweep, less and less often', async () => {
		let now = Date.now();
		const bot = await openBot(() => now);
		expect(harness.seen('job')?.text).toMatch(/^Drawing/);
		let tries = 0;
		harness.refuses.edit = () => ++tries > 0;
		for (let seconds = 0; seconds < 300; seconds += 5) {
			await bot.sweep();
			now += 5000;
		}
		expect(tries).toBeGreaterThan(5);
		expect(tries).toBeLessThan(30);

		outage(false);
		now += 40_000;
		await bot.sweep();
		expect(harness.pictureIn('job')).toEqual(harness.png);
		expect(harness.faulty.requests).toHaveLength(1);
		expect(await harness.openJobs()).toEqual([]);
		await bot.invoke({ id: 'usage', command: 'usage', options: {}, person: ada, channel: harness.channel });
		expect(harness.seen('usage')?.buttons?.map(({ label }) => label)).toEqual(['More']);
	});

	test('says so where the platform takes words alone', async () => {
		const bot = await openBot();
		harness.refuses.edit = hasPictures;
		await bot.sweep();
		expect(harness.seen('job')?.text).toMatch(/could not be posted yet\. I keep trying/);
	});

	test('is posted by the next process after a crash', async () => {
		await openBot();
		outage(false);
		await (await harness.start()).sweep();
		expect(harness.pictureIn('job')).toEqual(harness.png);
	});

	test('is offered under /usage after an hour', async () => {
		let now = Date.now();
		const bot = await openBot(() => now);
		now += 3600_000;
		await bot.sweep();
		outage(false);
		await bot.invoke({ id: 'usage', command: 'usage', options: {}, person: ada, channel: harness.channel });
		expect(harness.seen('usage')?.buttons?.map(({ label }) => label)).toEqual(['Show them here', 'More']);
	});
});

describe('a result that cannot be posted anywhere', () => {
	beforeEach(() => {
		harness.refuses.edit = hasPictures;
		harness.refuses.post = hasPictures;
	});

	test('is kept, and /usage offers it', async () => {
		await (await harness.start()).invoke(harness.imagine());
		expect(harness.seen('job')?.text).toMatch(/could not be posted here\. Use \/usage/);

		harness.refuses.post = () => false;
		const bot = await harness.start();
		await bot.invoke({ id: 'usage', command: 'usage', options: {}, person: ada, channel: harness.channel });
		expect(harness.seen('usage')?.buttons?.map(({ label }) => label)).toEqual(['Show them here', 'More']);
		await harness.press(bot, 'press', 'collect:1:mine', 'usage');
		expect(harness.collected('press').map((key) => harness.pictureIn(key))).toEqual([harness.png]);
		await harness.press(bot, 'again', 'collect:1:mine', 'usage');
		expect(harness.seen('again')?.text).toBe('You have no pictures that could not be posted.');
	});

	test('is shown in a message of its own when the same press is delivered again', async () => {
		const bot = await harness.start();
		for (const id of ['first', 'second']) {
			await bot.invoke(harness.imagine(id));
			harness.refuses.post = () => false;
			await harness.press(bot, 'press', 'collect:1:mine', 'usage');
			harness.refuses.post = hasPictures;
		}
		const pictures = harness.collected('press').map((key) => harness.pictureIn(key));
		expect(pictures).toEqual([harness.png, harness.png]);
	});

	test('is shown once when its button is pressed twice at the same moment', async () => {
		await (await harness.start()).invoke(harness.imagine());
		harness.refuses.post = () => false;
		const bot = await harness.start();
		await Promise.all(['first', 'second'].map((key) => harness.press(bot, key, 'collect:1:mine', 'usage')));
		const pictures = ['first', 'second'].flatMap((key) =>
			harness.collected(key).map((post) => harness.pictureIn(post)),
		);
		expect(pictures).toEqual([harness.png]);
	});

	test('is shown once when the store refuses to note that it was shown', async () => {
		await (await harness.start()).invoke(harness.imagine());
		harness.refuses.post = () => false;
		let refused = 0;
		const store = harness.withCommit((change, commit) => {
			if (!change.unindex?.some(({ index }) => index === 'test/server/ada') || refused > 0) return commit(change);
			refused += 1;
			return Promise.reject(new StoreError('The store is full'));
		});
		const bot = await harness.start({ store });
		await harness.press(bot, 'first', 'collect:1:mine', 'usage');
		expect(harness.collected('first').map((key) => harness.pictureIn(key))).toEqual([harness.png]);
		await harness.press(bot, 'second', 'collect:1:mine', 'usage');
		expect(refused).toBe(1);
		expect(harness.collected('second')).toEqual([]);
		expect(harness.seen('second')?.text).toBe('You have no pictures that could not be posted.');
	});

	test('is shown once when its job is still open, and a sweep posts it', async () => {
		const store = harness.withCommit((change, commit) =>
			storedState(change) === 'delivered' ? Promise.reject(new StoreError('The store is gone')) : commit(change),
		);
		await (await harness.start({ store })).invoke(harness.imagine());
		harness.refuses.edit = () => false;
		harness.refuses.post = () => false;
		const bot = await harness.start();
		await harness.press(bot, 'early', 'collect:1:mine', 'usage');
		expect(harness.seen('early')?.text).toMatch(/still being delivered/);
		await bot.sweep();
		expect(harness.pictureIn('job')).toEqual(harness.png);

		await harness.press(bot, 'late', 'collect:1:mine', 'usage');
		expect(harness.seen('late')?.text).toBe('You have no pictures that could not be posted.');
		await bot.invoke({ id: 'usage', command: 'usage', options: {}, person: ada, channel: harness.channel });
		expect(harness.seen('usage')?.buttons?.map(({ label }) => label)).toEqual(['More']);
		expect(harness.collected('early')).toEqual([]);
	});

	test('is shown once when it was posted before its offer took effect', async () => {
		const { store, png } = harness;
		const late: Change[] = [];
		const slow = harness.withCommit((change, commit) => {
			if (!change.index?.some(({ index }) => index === 'test/server/ada') || late.length > 0) return commit(change);
			late.push(change);
			return Promise.reject(new StoreError('The store is slow'));
		});
		await (await harness.start({ store: slow })).invoke(harness.imagine());
		harness.refuses.edit = () => false;
		harness.refuses.post = () => false;
		const bot = await harness.start();
		await bot.sweep();
		expect(harness.pictureIn('job')).toEqual(png);

		expect(late).toHaveLength(1);
		for (const change of late) await store.space('waiting').commit(change);
		await store.space('pictures').files.put('kept:job:0', png, 60_000);
		await harness.press(bot, 'press', 'collect:1:mine', 'usage');
		expect(harness.seen('press')?.text).toBe('You have no pictures that could not be posted.');
		expect(harness.collected('press')).toEqual([]);
	});
});

test('a sentence about an error that could not be posted in an hour is offered under /usage', async () => {
	let now = Date.now();
	const bot = await harness.start({ now: () => now });
	harness.faulty.next(answers(502, 'oops'));
	harness.refuses.isOutage = true;
	harness.refuses.edit = ({ text }) => /502/.test(text);
	harness.refuses.post = harness.refuses.edit;
	await bot.invoke(harness.imagine());
	expect(harness.seen('job')?.text).toMatch(/^Drawing/);
	expect(await harness.openJobs()).toHaveLength(1);

	now += 3600_000;
	await bot.sweep();
	expect(await harness.openJobs()).toEqual([]);
	harness.refuses.post = () => false;
	await bot.invoke({ id: 'usage', command: 'usage', options: {}, person: ada, channel: harness.channel });
	expect(harness.seen('usage')).toMatchObject({
		text: expect.stringMatching(/The answer to one request could not be posted\.$/),
		buttons: [{ label: 'Show them here' }, { label: 'More' }],
	});
	await harness.press(bot, 'press', 'collect:1:mine', 'usage');
	const answer = harness.seen(harness.collected('press')[0] ?? '');
	expect(answer?.text).toMatch(/a pond.*\n.*status 502.*stays counted/s);
	expect(answer?.buttons?.map(({ label }) => label)).toEqual(['Again']);
	await harness.press(bot, 'again', 'collect:1:mine', 'usage');
	expect(harness.seen('again')?.text).toMatch(/You have no pictures/);
});
