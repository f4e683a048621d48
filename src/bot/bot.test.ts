import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answers, answersPictures, held, smallPng } from '../../packages/fakes/src/service.ts';
import { ada, BotHarness, hasPictures } from '../../test/harness/bot-harness.ts';
import type { Channel } from '../domain/channel.ts';
import { PictureMemory } from '../service/exchange.ts';
import { PROFILES } from '../service/profiles.ts';
import { StoreError } from '../store/store.ts';

describe('a request', () => {
	let harness: BotHarness;
	beforeEach(async () => {
		harness = await BotHarness.create();
	});
	afterEach(() => harness.close());

	test('is not sent, and costs nothing, when its status cannot be posted', async () => {
		harness.refuses.post = () => true;
		await (await harness.start()).invoke(harness.imagine());
		harness.refuses.post = () => false;
		expect(harness.faulty.requests).toEqual([]);
		expect(await harness.callsToday()).toBe(0);
	});

	test('is not sent when the store cannot be reached', async () => {
		let isReachable = true;
		const store = harness.withCommit((change, commit) =>
			isReachable ? commit(change) : Promise.reject(new StoreError('Gone')),
		);
		const bot = await harness.start({ store });
		isReachable = false;
		await bot.invoke(harness.imagine());
		expect(harness.seen('job')?.text).toMatch(/can't reach its data/);
		expect(harness.faulty.requests).toEqual([]);
	});

	test('costs nothing when its picture cannot be fetched', async () => {
		const image = { name: 'fox.png', read: () => Promise.reject(new Error('status 404')) };
		await (await harness.start()).invoke({ ...harness.imagine('job', { image }), command: 'edit' });
		expect(harness.seen('job')).toBeUndefined();
		expect(harness.seen('job.2')).toMatchObject({
			text: expect.stringMatching(/could not be downloaded\. Send it again.*Nothing was counted/),
			visibility: 'private',
		});
		expect(harness.faulty.requests).toEqual([]);
	});

	test("is on the person's page until it is deleted", async () => {
		const bot = await harness.start();
		for (const id of ['first', 'second']) await bot.invoke(harness.imagine(id));
		const { text, recent } = await bot.home(ada, harness.channel);
		expect(recent.map(({ handle, prompt }) => [handle.key, prompt]).toSorted()).toEqual([
			['first', 'a pond'],
			['second', 'a pond'],
		]);
		await bot.invoke({ id: 'usage', command: 'usage', options: {}, person: ada, channel: harness.channel });
		expect(text).toBe(harness.seen('usage')?.text);
		expect(text).toMatch(/You today: 2/);
		await harness.press(bot, 'press', 'confirmDelete:1:second', 'second');
		expect((await bot.home(ada, harness.channel)).recent.map(({ handle }) => handle.key)).toEqual(['first']);
	});

	test('names files by their format', async () => {
		const files = [
			await smallPng(),
			await sharp(await smallPng())
				.jpeg()
				.toBuffer(),
		];
		harness.faulty.next(
			answersPictures(
				...files,
				await sharp(await smallPng())
					.webp()
					.toBuffer(),
			),
		);
		await (await harness.start()).invoke(harness.imagine('job', { n: 3 }));
		const names = harness.seen('job')?.pictures?.map(({ name }) => name);
		expect(names).toEqual(['a-pond-1.png', 'a-pond-2.jpg', 'a-pond-3.webp']);
	});

	test('for more pictures than a call of the service makes is refused, and costs nothing', async () => {
		await harness.useService({ ...PROFILES.easel, capabilities: { ...PROFILES.easel.capabilities, maxPictures: 1 } });
		const bot = await harness.start();
		await bot.invoke(harness.imagine('job', { n: 2 }));
		expect(harness.seen('job')?.text).toBe('`n` must be at most 1; you gave 2.');
		await bot.invoke(harness.imagine('other', { n: 1 }));
		expect(harness.faulty.requests).toHaveLength(1);
	});

	test('waits with its pictures until those before it are posted, where there is memory for one answer', async () => {
		await harness.useService(PROFILES.easel, { memory: new PictureMemory({ limitBytes: 1, waitMs: 60_000 }) });
		harness.faulty.next(answers(200, '{"data":[{"b64_json":"!"}]}'));
		const bot = await harness.start();
		await Promise.all(['first', 'second', 'third'].map((id) => bot.invoke(harness.imagine(id))));
		const shown = ['first', 'second', 'third'].filter((id) => harness.seen(id)?.pictures?.length === 1);
		expect(shown).toHaveLength(2);
	});

	test('has no buttons for commands that the service lacks, and an older button says so', async () => {
		await harness.useService({ ...PROFILES.easel, editsAt: undefined, composesAt: undefined });
		const bot = await harness.start();
		await bot.invoke(harness.imagine());
		expect(harness.seen('job')?.buttons?.map(({ label }) => label)).toEqual(['Again', 'Download original', 'Delete']);
		await harness.press(bot, 'press', 'edit:1:job', 'job');
		expect(harness.seen('press')?.text).toBe("The image service can't edit or combine pictures.");
		await bot.invoke({ ...harness.imagine('typed'), command: 'compose' });
		expect(harness.seen('typed')?.text).toMatch(/^The image service can't edit or combine pictures\./);
		expect(harness.seen('typed')?.text).not.toMatch(/`\/(edit|compose)`/);
	});

	test('says what the models are good at, as far as the profile knows', async () => {
		const bot = await harness.start();
		harness.faulty.next(answers(200, '{"data":[{"id":"alpha-image"},{"id":"beta"}]}'));
		await bot.invoke({ id: 'models', command: 'models', options: {}, person: ada, channel: harness.channel });
		expect(harness.seen('models')?.text).toMatch(/`alpha-image`\n- `beta`: Sharper text/);
	});

	test('says how many pictures are missing when the service returns fewer', async () => {
		const bot = await harness.start();
		await bot.invoke(harness.imagine('four', { n: 4 }));
		expect(harness.seen('four')).toMatchObject({ pictures: [{}] });
		expect(harness.seen('four')?.text).toMatch(/\nThe image service returned 1 of 4 pictures; missing: 3\. /);
		await bot.invoke(harness.imagine('one'));
		expect(harness.seen('one')?.text).not.toContain('missing');
	});

	test('for an unknown command is answered with the commands that there are', async () => {
		await (await harness.start()).invoke({ ...harness.imagine(), command: 'paint' });
		expect(harness.seen('job')?.text).toMatch(/There is no command \/paint.*\/imagine/s);
	});

	test('for an unknown command is counted under one label, whatever its name', async () => {
		const commands: string[] = [];
		const bot = await harness.start({ observe: ({ command }) => commands.push(command) });
		for (const command of ['paint', 'paint 2', 'models'])
			await bot.invoke({ id: command, command, options: {}, person: ada, channel: harness.channel });
		expect(commands).toEqual(['unknown', 'unknown', 'models']);
	});

	test('keeps its answer when it is delivered again and refused', async () => {
		const bot = await harness.start();
		await bot.invoke(harness.imagine());
		const answer = harness.seen('job');
		await bot.stop(0);
		await bot.invoke(harness.imagine());
		expect(harness.seen('job')).toEqual(answer);
	});

	test('keeps its answer when that moves to a new message while a second delivery fails', async () => {
		const { behaviour, release } = held(answersPictures(harness.png));
		harness.faulty.next(behaviour);
		harness.refuses.edit = hasPictures;
		const request = (await harness.start()).invoke(harness.imagine());
		await harness.faulty.arrived(1);
		const store = harness.withCommit((change, commit) =>
			change.once === 'job:job' ? Promise.reject(new StoreError('Gone')) : commit(change),
		);
		const { channel } = harness;
		const [asked, moved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const slow: Channel = {
			...channel,
			async post(...args) {
				asked.resolve();
				await moved.promise;
				return channel.post(...args);
			},
		};
		const repeated = (await harness.start({ store })).invoke({ ...harness.imagine(), channel: slow });
		await asked.promise;
		release();
		await request;
		moved.resolve();
		await repeated;
		expect([...harness.messages.keys()]).toEqual(['job.2']);
	});

	test('that runs at a shutdown is finished, and later ones are refused', async () => {
		const { behaviour, release } = held(answersPictures(harness.png));
		harness.faulty.next(behaviour);
		const bot = await harness.start();
		void bot.invoke(harness.imagine());
		await harness.faulty.arrived(1);
		const stopped = bot.stop(5000);
		await bot.invoke(harness.imagine('late'));
		expect(harness.seen('late')?.text).toMatch(/restarting\. Nothing was counted/);
		release();
		await stopped;
		expect(harness.seen('job')?.pictures).toHaveLength(1);
	});
});
