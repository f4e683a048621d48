import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answersPictures, held } from '../../packages/fakes/src/service.ts';
import { BotHarness, hasPictures, moderator, storedState } from '../../test/harness/bot-harness.ts';
import type { Post } from '../domain/channel.ts';
import { type Store, StoreError } from '../store/store.ts';
import { LEASE_MS } from '../usage/lease.ts';

let harness: BotHarness;
beforeEach(async () => {
	harness = await BotHarness.create();
});
afterEach(() => harness.close());

/** Resolves when a message with this key is posted; the bot that posted it never hears of it, as if its process had ended. */
function crashAfterPosting(key: string): Promise<void> {
	const { channel } = harness;
	const post = channel.post;
	const { promise, resolve } = Promise.withResolvers<void>();
	channel.post = async (reply, posted) => {
		const result = await post(reply, posted);
		if (posted !== key) return result;
		channel.post = post;
		resolve();
		return new Promise(() => {});
	};
	return promise;
}

/** Returns the store with one picture of the job being kept only once `kept` resolves. @param begin called when it would be kept */
function keepingPicture(store: Store, index: number, kept: Promise<void>, begin = () => {}): Store {
	const pictures = store.space('pictures');
	const put: typeof pictures.files.put = async (name, ...rest) => {
		if (name === `kept:job:${index}`) {
			begin();
			await kept;
		}
		return pictures.files.put(name, ...rest);
	};
	return {
		...store,
		space: (name) => (name === 'pictures' ? { ...pictures, files: { ...pictures.files, put } } : store.space(name)),
	};
}

/** Returns the store without room for pictures. */
function withoutPictures(store: Store): Store {
	const pictures = store.space('pictures');
	const put = () => Promise.reject(new StoreError('The store is gone.'));
	return {
		...store,
		space: (name) => (name === 'pictures' ? { ...pictures, files: { ...pictures.files, put } } : store.space(name)),
	};
}

/** Starts a request for three pictures, and waits until the first is kept, and the second one is being kept. */
async function whileKept() {
	const { png, store } = harness;
	harness.faulty.next(answersPictures(png, png, png));
	let now = Date.now();
	const options = { earlier: 'alive' as const, now: () => now };
	const keeping = Promise.withResolvers<void>();
	const bot = await harness.start({ ...options, store: keepingPicture(store, 1, keeping.promise) });
	const request = bot.invoke(harness.imagine('job', { n: 3 }));
	await expect.poll(() => store.space('pictures').files.get('kept:job:0')).toBeDefined();
	const lapse = () => {
		now += LEASE_MS;
	};
	return { bot, options, request, keeping, lapse };
}

const pictureIsKept = () => expect.poll(() => harness.store.space('pictures').files.get('kept:job:0')).toBeDefined();

/** The status message is never edited, as if its process had ended. Returns a function that ends this. */
function hangEdits(key = 'job'): () => void {
	const { channel } = harness;
	const post = channel.post;
	channel.post = async (reply, posted) => {
		const result = await post(reply, posted);
		return posted === key ? { ...result, edit: () => new Promise(() => {}) } : result;
	};
	return () => {
		channel.post = post;
	};
}

/** The first process's edits of the status message are made only once the returned function is called. */
function holdEdits(): () => void {
	const { channel } = harness;
	const post = channel.post;
	const { promise, resolve } = Promise.withResolvers<void>();
	channel.post = async (reply, posted) => {
		const result = await post(reply, posted);
		return posted === 'job' ? { ...result, edit: (next) => promise.then(() => result.edit(next)) } : result;
	};
	return resolve;
}

const sweepInNextProcess = async () => (await harness.start()).sweep();
const messagesWithPictures = () => [...harness.messages].filter(([, reply]) => hasPictures(reply)).map(([key]) => key);

describe('after a crash', () => {
	test('while the service worked, the call stays counted and the message says so', async () => {
		harness.faulty.next(held(answersPictures(harness.png)).behaviour);
		void (await harness.start()).invoke(harness.imagine());
		await harness.faulty.arrived(1);
		await sweepInNextProcess();
		expect(harness.seen('job')?.text).toMatch(/stopped while this ran.*stays counted/);
		expect(await harness.callsToday()).toBe(1);
	});

	test('of a private request, the message that others may see says nothing of its prompt', async () => {
		const { behaviour } = held(answersPictures(harness.png));
		harness.faulty.next(behaviour);
		void (await harness.start()).invoke(harness.imagine('job', { private: true }));
		await harness.faulty.arrived(1);
		await sweepInNextProcess();
		expect(harness.seen('job')?.text).toMatch(/^Easel was stopped/);
		expect(harness.seen('job')?.text).not.toContain('a pond');
	});

	test('a second delivery of the request does not delay that', async () => {
		harness.faulty.next(held(answersPictures(harness.png)).behaviour);
		void (await harness.start()).invoke(harness.imagine());
		await harness.faulty.arrived(1);
		const reserving = Promise.withResolvers<void>();
		const store = harness.withCommit((change, commit) => {
			if (change.once !== 'job:job') return commit(change);
			reserving.resolve();
			return new Promise(() => {});
		});
		const next = await harness.start({ store });
		void next.invoke(harness.imagine());
		await reserving.promise;
		await next.sweep();
		expect(harness.seen('job')?.text).toMatch(/stopped while this ran.*stays counted/);
	});

	test('before the delivery, the picture is delivered and not made again', async () => {
		const restore = hangEdits();
		void (await harness.start()).invoke(harness.imagine());
		await pictureIsKept();

		restore();
		await sweepInNextProcess();
		expect(harness.pictureIn('job')).toEqual(harness.png);
		expect(harness.faulty.requests).toHaveLength(1);
		expect(await harness.openJobs()).toEqual([]);
	});

	test('while pictures were being kept, those are delivered and the message says so', async () => {
		const { png, store } = harness;
		harness.faulty.next(answersPictures(png, png, png));
		const pictures = store.space('pictures');
		const put: typeof pictures.files.put = (name, ...rest) =>
			name === 'kept:job:2' ? new Promise(() => {}) : pictures.files.put(name, ...rest);
		const dying: Store = {
			...store,
			space: (name) => (name === 'pictures' ? { ...pictures, files: { ...pictures.files, put } } : store.space(name)),
		};
		void (await harness.start({ store: dying })).invoke(harness.imagine('job', { n: 3 }));
		await expect.poll(() => pictures.files.get('kept:job:1')).toBeDefined();
		await sweepInNextProcess();
		expect(harness.seen('job')?.pictures).toHaveLength(2);
		expect(harness.seen('job')?.text).toMatch(
			/AI-generated for Ada.*\n.*stopped.*Only 2 of 3 pictures could be saved/s,
		);
		expect(await harness.callsToday()).toBe(1);
	});

	test('between the messages of a result, the others are posted, each picture once', async () => {
		const { png, channel } = harness;
		channel.limits = { ...channel.limits, messageBytes: png.length };
		harness.faulty.next(answersPictures(png, png, png));
		const crash = crashAfterPosting('job.b');
		void (await harness.start()).invoke(harness.imagine('job', { n: 3 }));
		await crash;
		expect(messagesWithPictures()).toEqual(['job', 'job.b']);
		await sweepInNextProcess();
		expect(messagesWithPictures()).toEqual(['job', 'job.b', 'job.c']);
		expect(await harness.openJobs()).toEqual([]);
	});

	test('between the messages of a result that could not be kept, the message says how many are lost', async () => {
		const { png, channel, store } = harness;
		channel.limits = { ...channel.limits, messageBytes: png.length };
		harness.faulty.next(answersPictures(png, png, png));
		const crash = crashAfterPosting('job.b');
		void (await harness.start({ store: withoutPictures(store) })).invoke(harness.imagine('job', { n: 3 }));
		await crash;
		await sweepInNextProcess();
		expect(messagesWithPictures()).toEqual(['job', 'job.b']);
		expect(harness.seen('job')?.text).toMatch(
			/AI-generated for Ada.*\nEasel was stopped.*Only 2 of 3 pictures could be saved/,
		);
		expect(await harness.openJobs()).toEqual([]);
	});

	test('after a new message was posted for the result, it is not posted again', async () => {
		harness.refuses.edit = hasPictures;
		const crash = crashAfterPosting('job.2');
		void (await harness.start()).invoke(harness.imagine());
		await crash;
		harness.refuses.edit = () => false;
		await sweepInNextProcess();
		expect([...harness.messages.keys()]).toEqual(['job.2']);
		expect(harness.pictureIn('job.2')).toEqual(harness.png);
	});

	test('pictures that come after their call was said to be unknown are delivered by a later sweep', async () => {
		const { behaviour, release } = held(answersPictures(harness.png));
		harness.faulty.next(behaviour);
		let now = Date.now();
		const restore = hangEdits();
		void (await harness.start({ earlier: 'alive', now: () => now })).invoke(harness.imagine());
		await harness.faulty.arrived(1);
		restore();
		now += LEASE_MS;
		const next = await harness.start({ earlier: 'alive', now: () => now });
		await next.sweep();
		expect(harness.seen('job')?.text).toMatch(/stopped while this ran.*stays counted/);

		// The process goes on, and ends before it has posted its pictures.
		release();
		await expect.poll(() => harness.store.space('pictures').files.get('kept:job:0')).toBeDefined();
		expect(harness.seen('job')?.pictures).toBeUndefined();
		await sweepInNextProcess();
		expect(harness.pictureIn('job')).toEqual(harness.png);
		expect(await harness.store.space('pictures').files.names('')).toEqual([]);
	});

	test('late pictures that cannot be posted stay under /usage when their process ends', async () => {
		const { behaviour, release } = held(answersPictures(harness.png));
		harness.faulty.next(behaviour);
		let now = Date.now();
		const options = { earlier: 'alive' as const, now: () => now };
		const restore = hangEdits();
		const first = await harness.start(options);
		void first.invoke(harness.imagine());
		await harness.faulty.arrived(1);
		restore();
		now += LEASE_MS;
		const next = await harness.start(options);
		await next.sweep();
		release();
		await expect.poll(() => harness.store.space('pictures').files.get('kept:job:0')).toBeDefined();
		harness.refuses.edit = hasPictures;
		harness.refuses.post = hasPictures;
		await next.sweep();
		expect(harness.seen('job')?.text).toMatch(/could not be posted here\. Use \/usage/);

		await harness.end(first);
		await next.sweep();
		harness.refuses.post = () => false;
		await harness.press(next, 'press', 'collect:1:mine', 'usage');
		expect(harness.collected('press').map((key) => harness.pictureIn(key))).toEqual([harness.png]);
	});

	test('pictures that were being kept while their process counted as gone are delivered when it ends', async () => {
		const { store } = harness;
		let now = Date.now();
		const keeping = Promise.withResolvers<void>();
		const pictures = store.space('pictures');
		const asked = Promise.withResolvers<void>();
		const put: typeof pictures.files.put = async (name, ...rest) => {
			asked.resolve();
			await keeping.promise;
			return pictures.files.put(name, ...rest);
		};
		const settling = Promise.withResolvers<void>();
		const suspending = harness.withCommit((change, commit) => {
			if (storedState(change) !== 'answered') return commit(change);
			settling.resolve();
			return new Promise(() => {});
		});
		const dying: Store = {
			...store,
			space: (name) =>
				name === 'pictures' ? { ...pictures, files: { ...pictures.files, put } } : suspending.space(name),
		};
		void (await harness.start({ store: dying, now: () => now })).invoke(harness.imagine());
		await asked.promise;
		now += LEASE_MS;
		await sweepInNextProcess();
		expect(harness.seen('job')?.text).toMatch(/stopped while this ran.*stays counted/);

		keeping.resolve();
		await settling.promise;
		await sweepInNextProcess();
		expect(harness.pictureIn('job')).toEqual(harness.png);
	});

	test('pictures that are kept while a slow sweep says that they are lost are delivered by the next one', async () => {
		let now = Date.now();
		const options = { earlier: 'alive' as const, now: () => now };
		const [begun, keeping] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		let isKilled = false;
		const dying = harness.withCommit((change, commit) => (isKilled ? new Promise(() => {}) : commit(change)));
		const first = await harness.start({ ...options, store: keepingPicture(dying, 0, keeping.promise, begun.resolve) });
		void first.invoke(harness.imagine());
		await begun.promise;
		isKilled = true;
		now += LEASE_MS;
		const next = await harness.start(options);
		harness.refuses.edit = () => {
			now += 60_000;
			return false;
		};
		await next.sweep();
		expect(harness.seen('job')?.text).toMatch(/stopped while this ran.*stays counted/);

		harness.refuses.edit = () => false;
		await harness.end(first);
		keeping.resolve();
		await pictureIsKept();
		await next.sweep();
		expect(harness.pictureIn('job')).toEqual(harness.png);
	});

	test('a status that comes after the answer is replaced by it when its process is gone', async () => {
		harness.faulty.next(held(answersPictures(harness.png)).behaviour);
		let now = Date.now();
		const options = { earlier: 'alive' as const, now: () => now };
		const first = await harness.start(options);
		void first.invoke(harness.imagine());
		await harness.faulty.arrived(1);
		now += LEASE_MS;
		const second = await harness.start(options);
		await second.sweep();
		const answer = harness.seen('job');
		expect(answer?.text).toMatch(/stopped while this ran.*stays counted/);

		// An edit was under way when its process ended.
		const { platform, channel } = harness;
		const status = await platform.find({ place: channel.place, key: 'job' });
		await status?.edit({ text: 'Drawing **a pond** … 10 s' });
		await harness.end(first);
		await harness.end(second);
		const direct = async () => ({ ...channel, place: { ...channel.place, channel: 'direct' } });
		const next = await harness.start({ ...options, platforms: [{ ...platform, direct }] });
		harness.refuses.edit = () => true;
		harness.refuses.isOutage = true;
		await next.sweep();
		expect([...harness.messages.keys()]).toEqual(['job']);
		harness.refuses.edit = () => false;
		now += 5000;
		await next.sweep();
		expect(harness.seen('job')).toEqual(answer);
		expect([...harness.messages.keys()]).toEqual(['job']);
	});

	test('a picture below which such an answer comes is posted again, when its process was not gone after all', async () => {
		const { behaviour, release } = held(answersPictures(harness.png));
		harness.faulty.next(behaviour);
		let now = Date.now();
		const options = { earlier: 'alive' as const, now: () => now };
		const first = await harness.start(options);
		const request = first.invoke(harness.imagine());
		await harness.faulty.arrived(1);
		now += LEASE_MS;
		const { platform } = harness;
		let edits = 0;
		const find: typeof platform.find = async (handle) => {
			const post = await platform.find(handle);
			const edit: Post['edit'] = async (reply) => {
				edits += 1;
				if (edits === 2) {
					release();
					await request;
				}
				await post?.edit(reply);
			};
			return post && { ...post, edit };
		};
		const next = await harness.start({ ...options, platforms: [{ ...platform, find }] });
		await next.sweep();
		expect(harness.seen('job')?.text).toMatch(/stopped while this ran/);

		await harness.end(first);
		await next.sweep();
		expect(harness.seen('job')?.text).not.toMatch(/stopped while this ran/);
		expect(harness.pictureIn('job')).toEqual(harness.png);
	});

	test.each(['unknown', 'succeeded'])(
		'pictures that come over such an answer in part are said to be a part: %s',
		async (outcome) => {
			const { png, channel, store } = harness;
			channel.limits = { ...channel.limits, messageBytes: png.length };
			const { behaviour, release } = held(answersPictures(png, png, png));
			harness.faulty.next(behaviour);
			let now = Date.now();
			const options = { earlier: 'alive' as const, now: () => now };
			const crash = crashAfterPosting('job.b');
			const goOn = holdEdits();
			const first = await harness.start({ ...options, store: withoutPictures(store) });
			void first.invoke(harness.imagine('job', { n: 3 }));
			await harness.faulty.arrived(1);
			if (outcome === 'succeeded') {
				release();
				await expect.poll(() => harness.jobState()).toBe('answered');
			}
			now += LEASE_MS;
			const next = await harness.start(options);
			await next.sweep();
			expect(harness.seen('job')?.text).toMatch(/stopped while this ran.*stays counted/);

			// The process goes on, and ends while it posts pictures that it could not keep.
			release();
			goOn();
			await crash;
			await harness.end(first);
			await next.sweep();
			expect(messagesWithPictures()).toEqual(['job', 'job.b']);
			expect(harness.seen('job')?.text).toMatch(/AI-generated for Ada.*\n.*Only 2 of 3 pictures could be saved/);
		},
	);

	test('a result that was delivered stays as it is when it cannot be delivered once more', async () => {
		const { behaviour, release } = held(answersPictures(harness.png));
		harness.faulty.next(behaviour);
		let now = Date.now();
		const bot = await harness.start({ earlier: 'alive', now: () => now });
		const request = bot.invoke(harness.imagine());
		await harness.faulty.arrived(1);
		now += LEASE_MS;
		release();
		await request;
		const result = harness.seen('job');
		expect(result?.text).toMatch(/AI-generated for Ada/);

		harness.refuses.edit = hasPictures;
		harness.refuses.post = hasPictures;
		await bot.sweep();
		expect(harness.seen('job')).toEqual(result);
		await harness.press(bot, 'press', 'collect:1:mine', 'usage');
		expect(harness.collected('press')).toEqual([]);
	});

	test('a sweep that was suspended does not replace the result by the part of it that it had found', async () => {
		const { png, store, platform } = harness;
		harness.faulty.next(answersPictures(png, png, png));
		let now = Date.now();
		const options = { earlier: 'alive' as const, now: () => now };
		const keeping = Promise.withResolvers<void>();
		const slow = keepingPicture(store, 1, keeping.promise);
		const request = (await harness.start({ ...options, store: slow })).invoke(harness.imagine('job', { n: 3 }));
		await expect.poll(() => store.space('pictures').files.get('kept:job:0')).toBeDefined();

		now += LEASE_MS;
		const [asked, suspended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const find: typeof platform.find = async (handle) => {
			asked.resolve();
			await suspended.promise;
			return platform.find(handle);
		};
		const sweep = (await harness.start({ ...options, platforms: [{ ...platform, find }] })).sweep();
		await asked.promise;
		now += LEASE_MS;
		keeping.resolve();
		await request;
		const shown: (number | undefined)[] = [];
		harness.refuses.edit = ({ pictures }) => {
			shown.push(pictures?.length);
			return false;
		};
		suspended.resolve();
		await sweep;
		expect(shown).not.toContain(1);
		expect(harness.seen('job')?.pictures).toHaveLength(3);
	});

	test('a job whose request goes on in the same process is not taken back from a process that had claimed it', async () => {
		const { platform } = harness;
		const { bot, options, request, keeping, lapse } = await whileKept();
		lapse();
		const asked = Promise.withResolvers<void>();
		const find = () => {
			asked.resolve();
			return new Promise<undefined>(() => {});
		};
		void (await harness.start({ ...options, platforms: [{ ...platform, find }] })).sweep();
		await asked.promise;
		lapse();
		await bot.sweep();
		// The sweep would have posted the one that is kept.
		expect(harness.seen('job')?.pictures).toBeUndefined();
		keeping.resolve();
		await request;
		expect(harness.seen('job')?.pictures).toHaveLength(3);
	});

	test('all pictures are posted once they are kept, when another process has posted a part of them', async () => {
		const { options, request, keeping, lapse } = await whileKept();
		lapse();
		await (await harness.start(options)).sweep();
		expect(harness.seen('job')?.pictures).toHaveLength(1);

		keeping.resolve();
		await request;
		expect(harness.seen('job')?.pictures).toHaveLength(3);
		expect(harness.seen('job')?.text).not.toContain('stopped');
	});

	test('the job is left to a process that runs its platform', async () => {
		const restore = hangEdits();
		void (await harness.start()).invoke(harness.imagine());
		await pictureIsKept();
		restore();

		await (await harness.start({ platforms: [{ ...harness.platform, name: 'other' }] })).sweep();
		expect(await harness.jobState()).toBe('sent');
		expect(await harness.openJobs()).toHaveLength(1);
		await sweepInNextProcess();
		expect(harness.pictureIn('job')).toEqual(harness.png);
		expect(await harness.openJobs()).toEqual([]);
	});

	test('a platform that does not answer delays no other one', async () => {
		const { platform, channel } = harness;
		const restore = [hangEdits('earlier'), hangEdits('job')];
		const other = { ...platform, name: 'other' };
		const dying = await harness.start({ platforms: [platform, other] });
		const elsewhere = { ...channel, place: { ...channel.place, platform: 'other' } };
		void dying.invoke({ ...harness.imagine('earlier'), channel: elsewhere });
		void dying.invoke(harness.imagine());
		await expect.poll(() => harness.store.space('pictures').files.names('kept:')).toHaveLength(2);
		for (const undo of restore) undo();

		const silent = { ...other, find: () => new Promise<undefined>(() => {}) };
		const next = await harness.start({ platforms: [silent, platform] });
		void next.sweep();
		await expect.poll(() => harness.pictureIn('job')).toEqual(harness.png);
		await expect.poll(() => harness.openJobs()).toHaveLength(1);
		// The next sweep does not wait for it either.
		await next.sweep();
	});

	test('the result is covered and logged as the settings say', async () => {
		const bot = await harness.start();
		const set = (command: string, options: Record<string, unknown>) =>
			bot.invoke({ id: crypto.randomUUID(), command, options, person: moderator, channel: harness.channel });
		await set('limits spoiler', { on: true });
		await set('limits settings', { log: 'staff', language: 'Deutsch' });
		const restore = hangEdits();
		void bot.invoke(harness.imagine());
		await pictureIsKept();
		restore();
		await sweepInNextProcess();
		await expect.poll(() => harness.seen('log.job')?.text).toMatch(/a pond/);
		expect(harness.seen('job')?.pictures).toMatchObject([{ spoiler: true }]);
		expect([...harness.messages.keys()].filter((key) => key.startsWith('log.'))).toEqual(['log.job']);
	});
});

describe('after a failure of the store', () => {
	test('a job that could not be closed keeps its new message, even when that cannot be edited', async () => {
		harness.refuses.edit = hasPictures;
		const store = harness.withCommit((change, commit) =>
			change.unindex?.some(({ index }) => index === 'open')
				? Promise.reject(new StoreError('The store is gone.'))
				: commit(change),
		);
		await (await harness.start({ store })).invoke(harness.imagine());
		expect([...harness.messages.keys()]).toEqual(['job.2']);
		expect(await harness.openJobs()).toHaveLength(1);

		await sweepInNextProcess();
		expect([...harness.messages.keys()]).toEqual(['job.2']);
		expect(harness.pictureIn('job.2')).toEqual(harness.png);
		expect(await harness.openJobs()).toEqual([]);
	});

	test('a reservation whose response was lost is given back by the next sweep', async () => {
		let isLost = true;
		const store = harness.withCommit(async (change, commit) => {
			const outcome = await commit(change);
			if (change.once !== 'job:job' || !isLost) return outcome;
			isLost = false;
			throw new StoreError('The answer was lost');
		});
		const bot = await harness.start({ store });
		await bot.invoke(harness.imagine());
		expect(harness.seen('job')?.text).toMatch(/can't reach its data/);
		await bot.sweep();
		expect(await harness.openJobs()).toEqual([]);
		expect(await harness.callsToday()).toBe(0);
	});
});
