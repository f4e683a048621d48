import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import {
	answers,
	answersPictures,
	type FaultyService,
	held,
	smallPng,
	startFaultyService,
} from '../../test/fakes/service.ts';
import type { Channel, Post } from '../domain/channel.ts';
import type { Person } from '../domain/person.ts';
import type { MessageHandle } from '../domain/place.ts';
import type { Platform } from '../domain/platform.ts';
import type { Reply } from '../domain/reply.ts';
import { createLog } from '../log.ts';
import { ServiceClient, type ServiceOptions } from '../service/client.ts';
import type { Service } from '../service/service.ts';
import { openStore } from '../store/open-store.ts';
import { type Change, type Store, StoreError } from '../store/store.ts';
import { createBot } from './create-bot.ts';

/** A platform on which single calls can be made to fail: what a person would see is in `messages`. */
function hardPlatform() {
	const messages = new Map<string, Reply>();
	const place = { platform: 'hard', server: 'server', channel: 'channel' };
	const refuses = { post: (_: Reply) => false, edit: (_: Reply) => false };
	const postOf = (key: string): Post => ({
		handle: { place, key },
		async edit(reply) {
			if (refuses.edit(reply)) throw new Error('Unknown Message');
			messages.set(key, { ...messages.get(key), ...reply });
		},
		async delete() {
			messages.delete(key);
		},
	});
	const channel: Channel = {
		place,
		limits: { text: 2000, pictures: 10, pictureBytes: 10 ** 7, edits: { count: 5, perMs: 5000 } },
		async post(reply, key, { ifAbsent = false } = {}) {
			if (refuses.post(reply)) throw new Error('Missing Permissions');
			if (!ifAbsent || !messages.has(key)) messages.set(key, reply);
			return postOf(key);
		},
		openThread: async () => channel,
		when: (at) => new Date(at).toISOString(),
		refer: (_, id) => id,
	};
	const platform: Platform = {
		name: 'hard',
		start: async () => {},
		stop: async () => {},
		state: () => 'ready',
		find: async ({ key }: MessageHandle) => (messages.has(key) ? postOf(key) : undefined),
		channel: async () => channel,
		direct: async () => undefined,
	};
	return { messages, refuses, channel, platform };
}

const ada: Person = { id: 'ada', name: 'Ada', moderator: false };
const hasPictures = ({ pictures }: Reply) => (pictures?.length ?? 0) > 0;

describe('a request', () => {
	let faulty: FaultyService;
	let service: Service;
	let store: Store;
	let stage: ReturnType<typeof hardPlatform>;
	let png: Buffer;
	const log = createLog({ level: 'silent', format: 'json', secrets: [] });

	beforeEach(async () => {
		faulty = await startFaultyService();
		png = await smallPng('#27ae60');
		faulty.always(answersPictures(png));
		service = clientOf({});
		store = await openStore('memory:');
		stage = hardPlatform();
	});
	afterEach(async () => {
		await service.close();
		await faulty.close();
		await store.close();
	});

	const clientOf = (options: Partial<ServiceOptions>) =>
		new ServiceClient({
			baseUrl: faulty.url,
			apiKey: 'key',
			timeoutMs: 5000,
			models: { image: 'alpha-image', chat: 'chat', embedding: 'embedding' },
			...options,
		});

	/** A process on the same records; what an earlier one left is its to end, since that one counts as gone. */
	async function start(records = store) {
		const parts = { commands, service, store: records, platforms: [stage.platform], log: await log };
		const bot = createBot({ ...parts, plan: { price: 30 } });
		await bot.start();
		return bot;
	}
	const openJobs = () => Array.fromAsync(store.space('ledger').list('open:'));
	const jobState = async () => (await store.space('ledger').keyv.get<{ state: string }>('job:job'))?.state;
	const imagine = { command: 'imagine', options: { prompt: 'a pond' }, person: ada };
	const seen = (key: string) => stage.messages.get(key);
	const pictureIn = (key: string) => Buffer.from(seen(key)?.pictures?.[0]?.bytes ?? []);
	/** The messages that a press has brought pictures in. */
	const collected = (press: string) => [...stage.messages.keys()].filter((key) => key.startsWith(`${press}.`));
	const callsToday = async () => {
		const bot = await start();
		await bot.invoke({ id: 'usage', command: 'usage', options: {}, person: ada, channel: stage.channel });
		return Number(seen('usage')?.text.match(/You today: (\d+)/)?.[1]);
	};

	test('whose status can not be posted is not sent and costs nothing', async () => {
		stage.refuses.post = () => true;
		await (await start()).invoke({ id: 'job', ...imagine, channel: stage.channel });
		stage.refuses.post = () => false;
		expect(faulty.requests).toEqual([]);
		expect(await callsToday()).toBe(0);
	});

	test('that is answered is among the last ones on the page of who asked, until it is deleted', async () => {
		const bot = await start();
		for (const id of ['first', 'second']) await bot.invoke({ id, ...imagine, channel: stage.channel });
		const { text, recent } = await bot.home(ada, stage.channel);
		expect(recent.map(({ handle, prompt }) => [handle.key, prompt]).toSorted()).toEqual([
			['first', 'a pond'],
			['second', 'a pond'],
		]);
		await bot.invoke({ id: 'usage', command: 'usage', options: {}, person: ada, channel: stage.channel });
		expect(text).toBe(seen('usage')?.text);
		expect(text).toMatch(/You today: 2/);
		const message = { place: stage.channel.place, key: 'second' };
		const press = { person: ada, channel: stage.channel, message, attached: [], open: async () => {} };
		await bot.press({ id: 'press', button: 'delete:1:second', ...press });
		expect((await bot.home(ada, stage.channel)).recent.map(({ handle }) => handle.key)).toEqual(['first']);
	});

	test('whose message is gone is answered in a new one', async () => {
		stage.refuses.edit = hasPictures;
		await (await start()).invoke({ id: 'job', ...imagine, channel: stage.channel });
		expect(pictureIn('job.2')).toEqual(png);
	});

	/** Everything is as it was until something is posted under this key; that is seen, but whoever posted does not live on. */
	function crashesAt(key: string) {
		const working = stage.channel.post;
		const { promise, resolve } = Promise.withResolvers<void>();
		stage.channel.post = async (reply, at) => {
			const post = await working(reply, at);
			if (at !== key) return post;
			stage.channel.post = working;
			resolve();
			return new Promise(() => {});
		};
		return promise;
	}
	const withPictures = () => [...stage.messages].filter(([, reply]) => hasPictures(reply)).map(([key]) => key);

	test('of which a crash left some pictures unposted is completed by the next start, each in one message', async () => {
		stage.channel.limits = { ...stage.channel.limits, messageBytes: png.length };
		faulty.next(answersPictures(png, png, png));
		const crash = crashesAt('job.b');
		void (await start()).invoke({
			id: 'job',
			...imagine,
			channel: stage.channel,
			options: { prompt: 'ponds', n: 3 },
		});
		await crash;
		expect(withPictures()).toEqual(['job', 'job.b']);
		await (await start()).sweep();
		expect(withPictures()).toEqual(['job', 'job.b', 'job.c']);
		expect(await openJobs()).toEqual([]);
	});

	test('that was answered in a new message just before a crash is not answered once more', async () => {
		stage.refuses.edit = hasPictures;
		const crash = crashesAt('job.2');
		void (await start()).invoke({ id: 'job', ...imagine, channel: stage.channel });
		await crash;
		stage.refuses.edit = () => false;
		await (await start()).sweep();
		expect([...stage.messages.keys()]).toEqual(['job.2']);
		expect(pictureIn('job.2')).toEqual(png);
	});

	test('has no buttons for commands that the service lacks, and an older button says so', async () => {
		await service.close();
		service = clientOf({ profile: { capabilities: { ...service.capabilities, edit: false, compose: false } } });
		const bot = await start();
		await bot.invoke({ id: 'job', ...imagine, channel: stage.channel });
		expect(seen('job')?.buttons?.map(({ label }) => label)).toEqual(['Again', 'Delete']);
		const message = { place: stage.channel.place, key: 'job' };
		const press = { person: ada, channel: stage.channel, message, attached: [], open: async () => {} };
		await bot.press({ id: 'press', button: 'edit:1:job', ...press });
		expect(seen('press')?.text).toBe('There is no command /edit.');
		await bot.invoke({ id: 'typed', ...imagine, command: 'compose', channel: stage.channel });
		expect(seen('typed')?.text).toMatch(/^There is no command \/compose\./);
		expect(seen('typed')?.text).not.toMatch(/`\/(edit|compose)`/);
	});

	test('that can be posted only to the person alone goes there, and says why', async () => {
		const { messages, channel } = hardPlatform();
		stage.platform.direct = async () => ({ ...channel, place: { ...channel.place, channel: 'alone', direct: true } });
		stage.refuses.edit = hasPictures;
		stage.refuses.post = hasPictures;
		await (await start()).invoke({ id: 'job', ...imagine, channel: stage.channel });
		expect(messages.get('job.direct')?.text).toMatch(/^You asked for this in channel, where it could not be posted/);
		expect(messages.get('job.direct')?.pictures).toHaveLength(1);
		expect(seen('job')?.text).toMatch(/The person who asked has it in a direct message/);
		expect(await openJobs()).toEqual([]);
	});

	test('whose picture can be posted nowhere keeps it, and /usage offers it', async () => {
		stage.refuses.edit = hasPictures;
		stage.refuses.post = hasPictures;
		const bot = await start();
		await bot.invoke({ id: 'job', ...imagine, channel: stage.channel });
		expect(seen('job')?.text).toMatch(/could not be posted here\. Use \/usage/);

		stage.refuses.post = () => false;
		const next = await start();
		await next.invoke({ id: 'usage', command: 'usage', options: {}, person: ada, channel: stage.channel });
		expect(seen('usage')?.buttons?.map(({ label }) => label)).toEqual(['Show them here']);
		const message = { place: stage.channel.place, key: 'usage' };
		const press = { person: ada, channel: stage.channel, message, attached: [], open: async () => {} };
		await next.press({ id: 'press', button: 'collect:1:mine', ...press });
		expect(collected('press').map(pictureIn)).toEqual([png]);
		await next.press({ id: 'again', button: 'collect:1:mine', ...press });
		expect(seen('again')?.text).toBe('You have no pictures that could not be posted.');
	});

	test('what waits is all there when a press for it is delivered again after more has come', async () => {
		stage.refuses.edit = hasPictures;
		stage.refuses.post = hasPictures;
		const bot = await start();
		const press = async (): Promise<void> => {
			stage.refuses.post = () => false;
			const message = { place: stage.channel.place, key: 'usage' };
			const what = { id: 'press', button: 'collect:1:mine', message, attached: [], open: async () => {} };
			await bot.press({ ...what, person: ada, channel: stage.channel });
			stage.refuses.post = hasPictures;
		};
		await bot.invoke({ id: 'first', ...imagine, channel: stage.channel });
		await press();
		await bot.invoke({ id: 'second', ...imagine, channel: stage.channel });
		await press();
		expect(collected('press').map(pictureIn)).toEqual([png, png]);
	});

	test('whose answer was begun in a message of its own keeps it, also where the next start can not edit it', async () => {
		stage.refuses.edit = hasPictures;
		const ledger = store.space('ledger');
		const commit = (change: Change) =>
			change.once?.startsWith('closed:') ? Promise.reject(new StoreError('The store is gone.')) : ledger.commit(change);
		const closing = {
			...store,
			space: (name: string) => (name === 'ledger' ? { ...ledger, commit } : store.space(name)),
		};
		const bot = await start(closing);
		await bot.invoke({ id: 'job', ...imagine, channel: stage.channel });
		expect([...stage.messages.keys()]).toEqual(['job.2']);
		expect(await openJobs()).toHaveLength(1);

		const next = await start();
		await next.sweep();
		expect([...stage.messages.keys()]).toEqual(['job.2']);
		expect(pictureIn('job.2')).toEqual(png);
		expect(await openJobs()).toEqual([]);
	});

	test('that is refused the second time it is delivered keeps the answer of the first', async () => {
		const bot = await start();
		await bot.invoke({ id: 'job', ...imagine, channel: stage.channel });
		const answer = seen('job');
		await bot.stop(0);
		await bot.invoke({ id: 'job', ...imagine, channel: stage.channel });
		expect(seen('job')).toEqual(answer);
	});

	test('that a crash cut off after its picture had come is delivered by the next start, and not made again', async () => {
		const crashed = Promise.withResolvers<never>();
		const edit = stage.refuses.edit;
		const working = stage.channel.post;
		stage.channel.post = async (reply, key) => ({ ...(await working(reply, key)), edit: () => crashed.promise });
		void (await start()).invoke({ id: 'job', ...imagine, channel: stage.channel });
		await expect.poll(async () => store.space('pictures').files.get('kept:job:0')).toBeDefined();
		await expect.poll(jobState).toBe('succeeded');

		stage.refuses.edit = edit;
		const next = await start();
		await next.sweep();
		expect(pictureIn('job')).toEqual(png);
		expect(faulty.requests).toHaveLength(1);
		expect(await openJobs()).toEqual([]);
	});

	test('that a crash cut off while its pictures were being kept is delivered with those, and says so', async () => {
		faulty.next(answersPictures(png, png, png));
		const pictures = store.space('pictures');
		const put: typeof pictures.files.put = (name, ...rest) =>
			name === 'kept:job:2' ? new Promise(() => {}) : pictures.files.put(name, ...rest);
		const dying: Store = {
			...store,
			space: (name) => (name === 'pictures' ? { ...pictures, files: { ...pictures.files, put } } : store.space(name)),
		};
		const threeOf = { ...imagine, options: { prompt: 'a pond', n: 3 } };
		void (await start(dying)).invoke({ id: 'job', ...threeOf, channel: stage.channel });
		await expect.poll(async () => pictures.files.get('kept:job:1')).toBeDefined();
		const next = await start();
		await next.sweep();
		expect(seen('job')?.pictures).toHaveLength(2);
		expect(seen('job')?.text).toMatch(/AI-generated for Ada.*\n.*stopped.*Only 2 of 3 pictures could be saved/s);
		expect(await callsToday()).toBe(1);
	});

	test('that a crash cut off while the service worked stays counted, and its message says so', async () => {
		faulty.next(held(answersPictures(png)).behaviour);
		void (await start()).invoke({ id: 'job', ...imagine, channel: stage.channel });
		await faulty.arrived(1);
		const next = await start();
		await next.sweep();
		expect(seen('job')?.text).toMatch(/stopped while this ran.*stays counted/);
		expect(await callsToday()).toBe(1);
	});

	test('whose records fail once the picture is there is answered all the same', async () => {
		let failing = false;
		const records: Store = {
			...store,
			space(name) {
				const space = store.space(name);
				const commit = async (change: Change) => {
					if (failing) throw new StoreError('The disk is full');
					return space.commit(change);
				};
				return { ...space, commit };
			},
		};
		faulty.next(async (exchange) => {
			failing = true;
			await answersPictures(png)(exchange);
		});
		await (await start(records)).invoke({ id: 'job', ...imagine, channel: stage.channel });
		expect(pictureIn('job')).toEqual(png);
	});

	test('is refused, unmade, where the records can not be reached', async () => {
		let reachable = true;
		const space = store.space('ledger');
		const commit = (change: Change) => (reachable ? space.commit(change) : Promise.reject(new StoreError('Gone')));
		const records: Store = {
			...store,
			space: (name) => (name === 'ledger' ? { ...space, commit } : store.space(name)),
		};
		const bot = await start(records);
		reachable = false;
		await bot.invoke({ id: 'job', ...imagine, channel: stage.channel });
		expect(seen('job')?.text).toMatch(/can't reach its data/);
		expect(faulty.requests).toEqual([]);
	});

	test('whose reservation was made though the store could not say so is given back by the next sweep', async () => {
		let lost = true;
		const space = store.space('ledger');
		const commit = async (change: Change) => {
			const outcome = await space.commit(change);
			if (change.once === 'job:job' && lost) {
				lost = false;
				throw new StoreError('The answer was lost');
			}
			return outcome;
		};
		const bot = await start({
			...store,
			space: (name) => (name === 'ledger' ? { ...space, commit } : store.space(name)),
		});
		await bot.invoke({ id: 'job', ...imagine, channel: stage.channel });
		expect(seen('job')?.text).toMatch(/can't reach its data/);
		await bot.sweep();
		expect(await openJobs()).toEqual([]);
		expect(await callsToday()).toBe(0);
	});

	test('that runs when Easel stops gets its time, and then an answer', async () => {
		const { behaviour, release } = held(answersPictures(png));
		faulty.next(behaviour);
		const bot = await start();
		void bot.invoke({ id: 'job', ...imagine, channel: stage.channel });
		await faulty.arrived(1);
		const stopped = bot.stop(5000);
		await bot.invoke({ id: 'late', ...imagine, channel: stage.channel });
		expect(seen('late')?.text).toMatch(/restarting\. Nothing was counted/);
		release();
		await stopped;
		expect(seen('job')?.pictures).toHaveLength(1);
	});

	test('whose picture can not be fetched says so and costs nothing', async () => {
		const image = { name: 'fox.png', read: () => Promise.reject(new Error('status 404')) };
		const edit = { command: 'edit', options: { image, prompt: 'brighter' }, person: ada };
		await (await start()).invoke({ id: 'job', ...edit, channel: stage.channel });
		expect(seen('job')?.text).toMatch(/could not be downloaded\. Send it again.*Nothing was counted/);
		expect(faulty.requests).toEqual([]);
	});

	test('for a command that is not there says what there is', async () => {
		await (await start()).invoke({ id: 'job', command: 'paint', options: {}, person: ada, channel: stage.channel });
		expect(seen('job')?.text).toMatch(/There is no command \/paint.*\/imagine/s);
	});

	describe('in a server with rules', () => {
		const moderator: Person = { id: 'mod', name: 'Mod', moderator: true };
		let bot: Awaited<ReturnType<typeof start>>;
		let clock: number;
		let count = 0;

		beforeEach(async () => {
			clock = Date.UTC(2026, 10, 20, 12);
			const parts = { commands, service, store, platforms: [stage.platform], log: await log };
			bot = createBot({ ...parts, plan: { imagesPerMonth: 2, price: 30 }, now: () => clock });
			await bot.start();
		});

		async function says(command: string, options: Record<string, unknown>, person = ada): Promise<string> {
			const id = `request-${count++}`;
			await bot.invoke({ id, command, options, person, channel: stage.channel });
			return seen(id)?.text ?? '';
		}
		const draws = () => says('imagine', { prompt: 'a pond' });

		test('a call beyond the plan is made only where moderators allow its cost', async () => {
			expect(await draws()).toMatch(/1 of 2 left this month in the plan/);
			await draws();
			expect(await draws()).toMatch(/The plan has used 2 of 2 calls this month.*Resets/);
			await says('limits overage', { usd: '0.05' }, moderator);
			expect(await draws()).toMatch(/a pond/);
			expect(await draws()).toMatch(/spent 0.03 USD of 0.05 USD beyond it this month/);
			expect(faulty.requests).toHaveLength(3);
			expect(await says('usage', {})).toMatch(/Spending beyond the plan: 0.03 USD of 0.05 USD/);
		});

		test("where the service's own plan is used up says so and gives the call back", async () => {
			faulty.next(answers(402, '{"error":{"message":"no credit left"}}'));
			expect(await draws()).toMatch(/plan at the image service is used up.*Nothing was counted/);
			expect(await says('usage', {})).toMatch(/Plan this month: 0 of 2 used, 2 left/);
		});

		test('a member who is blocked gets a sentence until it is lifted', async () => {
			await says('limits block', { member: 'ada' }, moderator);
			expect(await draws()).toMatch(/A moderator has blocked you/);
			expect(await says('limits unblock', { member: 'ada' }, moderator)).toMatch(/no longer blocked/);
			expect(await draws()).toMatch(/a pond/);
		});

		test('a cooldown tells how long to wait', async () => {
			await says('limits settings', { cooldown: 60 }, moderator);
			await draws();
			clock += 20_000;
			expect(await draws()).toMatch(/Try again in 40 s/);
			clock += 40_000;
			expect(await draws()).toMatch(/a pond/);
		});

		test('the third request of a member waits in line, and is told so', async () => {
			await says('limits overage', { usd: '1' }, moderator);
			const running = [held(answersPictures(png)), held(answersPictures(png))];
			faulty.next(...running.map(({ behaviour }) => behaviour));
			const all = [draws(), draws(), draws()];
			await faulty.arrived(2);
			await expect
				.poll(() => [...stage.messages.values()].map(({ text }) => text).join())
				.toMatch(/waiting, next in line/);
			for (const { release } of running) release();
			await Promise.all(all);
			expect(faulty.requests).toHaveLength(3);
		});

		test('what is banned stays within its bounds', async () => {
			const list = (from: number, count: number) => Array.from({ length: count }, (_, index) => `word${from + index}`);
			const ban = (words: string[]) => says('limits ban', { words: words.join(', ') }, moderator);
			for (const from of [0, 100, 200, 300]) await ban(list(from, 100));
			expect(await ban(list(400, 101))).toBe('The list is full; the maximum is 500 words. Nothing was changed.');
			expect(await ban([...list(0, 50), ...list(400, 100)])).toBe('- Banned words: 500');
			expect(await ban(['one more'])).toMatch(/maximum is 500/);
			expect(await says('imagine', { prompt: 'a word499' })).toMatch(/moderators have banned/);
			expect(await draws()).toMatch(/a pond/);
			expect(await says('limits show', {}, moderator)).toMatch(/Banned words: 500.*mod: limits ban/s);
		});

		test('the rules of the platform itself are asked before anything counts; where they fail, they let pass', async () => {
			await says('limits settings', { cooldown: 60 }, moderator);
			stage.channel.screen = async (text, { id }) => (text.includes('pond') ? `Not for ${id}.` : undefined);
			expect(await draws()).toBe('Not for ada.');
			stage.channel.screen = () => Promise.reject(new Error('Service Unavailable'));
			expect(await draws()).toMatch(/a pond/);
			expect(await draws()).toMatch(/Try again in 60 s/);
			expect(faulty.requests).toHaveLength(1);
		});

		test('rules that were set before there were others hold with those', async () => {
			await says('limits set', { scope: 'member', period: 'day', images: 1 }, moderator);
			const { keyv } = store.space('ledger');
			const key = 'settings:hard:server';
			const { settings, ...stored } = (await keyv.get(key)) as { settings: object };
			const older = Object.entries(settings).filter(([name]) => !/^(allowed|banned|spoiler)/.test(name));
			await keyv.set(key, { ...stored, settings: Object.fromEntries(older) });
			expect(await draws()).toMatch(/a pond/);
			expect(await draws()).toMatch(/You have used 1 of 1/);
			expect(await says('limits show', {}, moderator)).toMatch(/Allowed channels: all.*Banned words: none/s);
		});

		test('what could not be posted is covered when it is collected, and removed by the log', async () => {
			await says('limits spoiler', { on: true }, moderator);
			await says('limits settings', { log: 'staff' }, moderator);
			stage.refuses.edit = hasPictures;
			stage.refuses.post = (reply) => hasPictures(reply) && !reply.text.includes('/imagine');
			for (const id of ['one', 'two']) await bot.invoke({ id, ...imagine, channel: stage.channel });
			await expect.poll(() => seen('log.two')?.text).toMatch(/by ada: a pond\nIn channel · .*\/usage offers them/);
			expect(seen('log.two')?.buttons?.map(({ label }) => label)).toEqual(['Remove', 'Block']);
			const at = (key: string) => ({
				channel: stage.channel,
				message: { place: stage.channel.place, key },
				attached: [],
			});
			const press = (id: string, button: string, person: Person, key: string) =>
				bot.press({ id, button, person, ...at(key), open: async () => {} });
			await press('remove', 'remove:1:one', moderator, 'log.one');
			expect(seen('log.one')?.text).toMatch(/Removed by mod\./);
			stage.refuses.post = () => false;
			await press('collect', 'collect:1:mine', ada, 'usage');
			const [first, ...others] = collected('collect').map(seen);
			expect(first?.pictures).toMatchObject([{ alt: 'a pond', spoiler: true }]);
			expect(others).toEqual([]);
			await press('late', 'hide:1:three', moderator, 'log.three');
			expect(seen('late')?.text).toMatch(/no longer stored/);
		});

		test('a picture that a crash cut off is covered and logged by the next start', async () => {
			await says('limits spoiler', { on: true }, moderator);
			await says('limits settings', { log: 'staff', language: 'Deutsch' }, moderator);
			const working = stage.channel.post;
			stage.channel.post = async (reply, key) => {
				const post = await working(reply, key);
				return key === 'job' ? { ...post, edit: () => new Promise(() => {}) } : post;
			};
			void bot.invoke({ id: 'job', ...imagine, channel: stage.channel });
			await expect.poll(jobState).toBe('succeeded');
			stage.channel.post = working;
			const next = await start();
			await next.sweep();
			await expect.poll(() => seen('log.job')?.text).toMatch(/a pond/);
			expect(seen('job')?.pictures).toMatchObject([{ spoiler: true }]);
			expect([...stage.messages.keys()].filter((key) => key.startsWith('log.'))).toEqual(['log.job']);
		});

		test('moderators are told once at 80 % and at 100 %, and of the first money', async () => {
			await says('limits settings', { notices: 'staff' }, moderator);
			await says('limits set', { scope: 'server', period: 'day', images: 5 }, moderator);
			await says('limits overage', { usd: '1' }, moderator);
			for (let i = 0; i < 6; i++) await draws();
			const notices = [...stage.messages].filter(([key]) => !key.startsWith('request-')).map(([, { text }]) => text);
			expect(notices.toSorted()).toEqual([
				'The plan has used 2 of 2 calls this month. The cap is reached.',
				'The plan is used up. Further pictures cost extra (0.03 USD so far).',
				'This server has used 4 of 5 calls today.',
				'This server has used 5 of 5 calls today. The cap is reached.',
			]);
		});

		test('moderators are told in the language that they have set, whoever asks in whatever language', async () => {
			await says('limits settings', { notices: 'staff', language: 'Español' }, moderator);
			expect(await says('limits show', {}, { ...moderator, locale: 'de' })).toMatch(/Sprache der Hinweise.*: Spanisch/);
			await says('limits set', { scope: 'channel', period: 'month', images: 1 }, moderator);
			await says('imagine', { prompt: 'a pond' }, { ...ada, locale: 'ru' });
			await expect
				.poll(() => [...stage.messages.values()].map(({ text }) => text))
				.toContain('Un canal ha usado 1 de 1 llamada este mes; ya no queda nada.');
			expect(await says('limits settings', { language: 'Klingon' }, moderator)).toMatch(
				/`language` must be one of English, /,
			);
		});

		test('what moderators changed is written down with who and when', async () => {
			await says('limits set', { scope: 'member', period: 'day', images: 3 }, moderator);
			expect(await says('limits show', {}, moderator)).toMatch(
				/Latest changes.*2026-11-20T12:00:00.000Z mod: limits set/s,
			);
		});

		test('only moderators look at what others used', async () => {
			await draws();
			expect(await says('usage', { member: 'ada' }, moderator)).toMatch(/Usage of ada:.*You today: 1/s);
			expect(await says('usage', { member: 'mod' })).toMatch(/Only moderators/);
		});
	});
});
