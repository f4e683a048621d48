import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answersChat } from '../../packages/fakes/src/chat.ts';
import { answers, answersPictures, type Behaviour, held } from '../../packages/fakes/src/service.ts';
import { BotHarness, hasPictures, storedState } from '../../test/harness/bot-harness.ts';
import { type Store, StoreError } from '../store/store.ts';
import { LEASE_MS } from '../usage/lease.ts';

let harness: BotHarness;
beforeEach(async () => {
	harness = await BotHarness.create();
});
afterEach(() => harness.close());

/** A store that cannot be written while `isFull`. */
function fillableStore() {
	const state = { isFull: false };
	const unlessFull = async <Result>(write: () => Promise<Result>) => {
		if (state.isFull) throw new StoreError('The store is full.');
		return write();
	};
	const { store } = harness;
	const fillable: Store = {
		...store,
		space(name) {
			const space = store.space(name);
			const put: typeof space.files.put = (...args) => unlessFull(() => space.files.put(...args));
			const files = { ...space.files, put };
			return { ...space, files, commit: (change) => unlessFull(() => space.commit(change)) };
		},
	};
	return { state, store: fillable };
}

/** Asks for a picture, and fills the store while the service works on it. Resolves when the request has ended. */
async function imagineOnFullStore(behaviour: Behaviour) {
	const { state, store } = fillableStore();
	const call = held(behaviour);
	harness.faulty.next(call.behaviour);
	const bot = await harness.start({ store });
	const request = bot.invoke(harness.imagine());
	await harness.faulty.arrived(1);
	state.isFull = true;
	call.release();
	await request;
	state.isFull = false;
	return bot;
}

describe('after the store was full when a request ended', () => {
	test('a picture that was delivered keeps its caption, and the call is counted', async () => {
		const bot = await imagineOnFullStore(answersPictures(harness.png));
		const delivered = harness.seen('job');
		expect(delivered).toMatchObject({ text: expect.stringMatching(/AI-generated for Ada/) });
		expect(await harness.jobState()).toBe('sent');

		await bot.sweep();
		expect(harness.seen('job')).toEqual(delivered);
		expect(await harness.jobState()).toBe('delivered');
		expect(await harness.openJobs()).toEqual([]);
		expect(await harness.callsToday()).toBe(1);
	});

	test('a picture that was delivered keeps its caption when another process ends the job', async () => {
		await imagineOnFullStore(answersPictures(harness.png));
		const delivered = harness.seen('job');
		await (await harness.start()).sweep();
		expect(harness.seen('job')).toEqual(delivered);
		expect(await harness.openJobs()).toEqual([]);
		expect(await harness.callsToday()).toBe(1);
	});

	test('a sentence about an unknown outcome stays', async () => {
		const bot = await imagineOnFullStore(answers(502, 'oops'));
		const sentence = harness.seen('job');
		expect(sentence).toMatchObject({ text: expect.stringMatching(/status 502.*stays counted/) });

		await bot.sweep();
		expect(harness.seen('job')).toEqual(sentence);
		expect(await harness.openJobs()).toEqual([]);
		expect(await harness.callsToday()).toBe(1);
	});

	test('a failed call is given back, and its sentence says so then', async () => {
		const bot = await imagineOnFullStore(answers(500, 'oops'));
		expect(harness.seen('job')?.text).toMatch(/status 500.*stays counted/);

		await bot.sweep();
		expect(harness.seen('job')?.text).toMatch(/status 500.*Nothing was counted/);
		expect(await harness.openJobs()).toEqual([]);
		expect(await harness.callsToday()).toBe(0);
	});

	test('pictures that could be neither posted nor kept are delivered', async () => {
		harness.refuses.edit = hasPictures;
		harness.refuses.post = hasPictures;
		const bot = await imagineOnFullStore(answersPictures(harness.png));
		expect(harness.seen('job')?.text).toMatch(/finished but could not be posted/);

		harness.refuses.edit = () => false;
		harness.refuses.post = () => false;
		await bot.sweep();
		expect(harness.pictureIn('job')).toEqual(harness.png);
		expect(harness.seen('job')?.text).toMatch(/AI-generated for Ada/);
		expect(await harness.openJobs()).toEqual([]);
		expect(await harness.callsToday()).toBe(1);
	});

	test('a chat answer stays, and its turn is recorded', async () => {
		const { state, store } = fillableStore();
		const call = held(answersChat('Foxes are red.'));
		harness.faulty.next(call.behaviour);
		const bot = await harness.start({ store });
		const request = bot.invoke({ ...harness.imagine(), command: 'chat', options: { prompt: 'Tell me of foxes' } });
		await harness.faulty.arrived(1);
		state.isFull = true;
		call.release();
		await request;
		state.isFull = false;
		const answers = () => [...harness.messages].filter(([, { text }]) => /Foxes are red/.test(text));
		const before = answers();
		expect(before).toHaveLength(1);
		expect(await harness.openJobs()).toHaveLength(1);

		await bot.sweep();
		expect(await harness.openJobs()).toEqual([]);
		await (await harness.start()).sweep();
		expect(answers()).toEqual(before);
	});
});

test('a sentence of a process that has taken over is not replaced by one about a lost answer of the store', async () => {
	const heir = harness.withCommit((change, commit) =>
		storedState(change) === 'delivered' ? Promise.reject(new StoreError('The store is gone.')) : commit(change),
	);
	const store = harness.withCommit(async (change, commit) => {
		const result = await commit(change);
		if (storedState(change) !== 'sent' || result !== 'done') return result;
		await (await harness.start({ store: heir })).sweep();
		throw new StoreError('The answer was lost.');
	});
	await (await harness.start({ store })).invoke(harness.imagine());
	expect(harness.seen('job')?.text).toMatch(/stopped while this ran.*stays counted/);
	expect(harness.faulty.requests).toEqual([]);
	expect(await harness.callsToday()).toBe(1);
});

/** Starts a request whose lease lapses while its call is under way and the store of its process is full. */
async function startThatLapses(behaviour: Behaviour) {
	const { state, store } = fillableStore();
	const call = held(behaviour);
	harness.faulty.next(call.behaviour);
	let now = Date.now();
	const bot = await harness.start({ store, now: () => now });
	const request = bot.invoke(harness.imagine());
	await harness.faulty.arrived(1);
	state.isFull = true;
	now += LEASE_MS;
	return {
		/** Has another process answer the request. Returns what is shown then. */
		async taken() {
			await (await harness.start({ earlier: 'alive', now: () => now })).sweep();
			return harness.seen('job');
		},
		/** Ends the call. Returns what is shown then. */
		async ended() {
			call.release();
			await request;
			return harness.seen('job');
		},
	};
}

test('a sentence is not posted without the store once the lease has lapsed, since another process may have answered', async () => {
	const request = await startThatLapses(answers(500, 'oops'));
	const answered = await request.taken();
	expect(answered?.text).toMatch(/stopped while this ran.*stays counted/);
	expect(await request.ended()).toEqual(answered);
});

test('pictures that another process could not post either are not said to be under /usage', async () => {
	const request = await startThatLapses(answersPictures(harness.png));
	harness.refuses.edit = hasPictures;
	harness.refuses.post = hasPictures;
	const answered = await request.taken();
	expect(await request.ended()).toEqual(answered);
});
