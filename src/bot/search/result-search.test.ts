import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { eventually } from '../../../packages/fakes/src/eventually.ts';
import { embed } from '../../../packages/studio/src/embeddings/embed.ts';
import type { Place } from '../../domain/channel.ts';
import { Easel } from '../../easel.ts';
import { createLog } from '../../log.ts';
import { PictureStore } from '../../requests/picture-store.ts';
import { type PictureRequest, PictureRequests } from '../../requests/requests.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Service } from '../../service/service.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { jobKey } from '../../usage/jobs.ts';
import { Nearest, quantize, ResultSearch } from './result-search.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general' };
const ada = { id: 'ada' };
const bo = { id: 'bo' };
const log = await createLog({ level: 'silent', format: 'json', secrets: [] });

let store: Store;
let requests: PictureRequests;
let added: number;
let now: number;
/** What the service embeds, call by call. */
let calls: (readonly string[])[];
/** The service answers after it. */
let answering: Promise<void>;
let fails: ServiceError | undefined;
const refused = new Set<string>();
beforeEach(async () => {
	store = await openStore('memory:');
	const pictures = new PictureStore(store.space('pictures'), 3_600_000);
	requests = new PictureRequests(store.space('ledger'), pictures, commands);
	[added, now, calls, fails] = [0, Date.now(), [], undefined];
	refused.clear();
	answering = Promise.resolve();
});
afterEach(() => store.close());

/** Starts a process on the store. */
function start(embeddingModel = 'one') {
	const service: Pick<Service, 'embed' | 'embeddingModel'> = {
		embeddingModel,
		async embed({ input }) {
			calls.push(input);
			await answering;
			if (fails) throw fails;
			if (input.some((text) => refused.has(text))) throw new ServiceError('content', 'Refused', { status: 400 });
			return input.map((text) => [...embed(text, 300)]);
		},
	};
	const given = { store, service: service as Service, platforms: [], commands: [], log, plan: { price: 0 } };
	return new ResultSearch(new Easel({ ...given, now: () => now }), requests);
}

async function add(search: ResultSearch, prompt: string, request: Partial<PictureRequest> = {}): Promise<string> {
	const job = `job-${added++}`;
	const options = { command: 'imagine', options: { prompt }, inputs: {}, count: 1 };
	const whole = { ...options, prompt, person: { id: 'ada', name: 'Ada' }, place, private: false, ...request };
	const { command, person, place: where, ...stored } = whole;
	await store
		.space('ledger')
		.keyv.set(jobKey(job), { step: 0, id: job, command, person, place: where, request: stored });
	await store.space('search').commit(search.adding(job, whole));
	return job;
}

/** Resolves when so many embeddings are stored. */
const stored = (count: number) =>
	eventually(async () => expect(await Array.fromAsync(store.space('search').list(''))).toHaveLength(count));

describe('a search', () => {
	test('finds results by their words, the most similar first, also in another process', async () => {
		const search = start();
		const fox = await add(search, 'a red fox in the snow');
		const owl = await add(search, 'an owl on a fence');
		const foxes = await add(search, 'two foxes and an owl');
		await stored(3);
		expect(await search.search(place, ada, 'a fox in snow', false)).toEqual([fox, foxes]);
		expect(await start().search(place, bo, 'an owl on a fence', false)).toEqual([owl, foxes]);
		expect(await search.search(place, ada, 'zeppelin', false)).toEqual([]);
	});

	test('finds what was added since the last one, once', async () => {
		const [first, second] = [start(), start()];
		await add(first, 'a red fox');
		await stored(1);
		expect(await second.search(place, bo, 'fox', false)).toHaveLength(1);
		await add(first, 'a grey fox');
		await stored(2);
		expect((await second.search(place, bo, 'fox', false)).toSorted()).toEqual(['job-0', 'job-1']);
	});

	test('finds own results everywhere in the server, and of others only public ones of the same channel', async () => {
		const search = start();
		const thread = { ...place, thread: 'about-foxes' };
		const own = await add(search, 'a fox at home', { private: true, place: { ...place, channel: 'den' } });
		await add(search, 'a secret fox', { person: { id: 'bo', name: 'Bo' }, private: true });
		await add(search, 'a fox elsewhere', { person: { id: 'bo', name: 'Bo' }, place: { ...place, channel: 'den' } });
		await add(search, 'a fox of a direct message', {
			person: { id: 'bo', name: 'Bo' },
			place: { ...place, direct: true },
		});
		await add(search, 'a fox of another server', {
			person: { id: 'ada', name: 'Ada' },
			place: { ...place, server: 'x' },
		});
		const inThread = await add(search, 'a fox in a thread', { person: { id: 'bo', name: 'Bo' }, place: thread });
		const open = await add(search, 'an open fox', { person: { id: 'bo', name: 'Bo' } });
		await stored(7);
		const found = async (...[where, mine]: [Place, boolean]) =>
			(await search.search(where, ada, 'fox', mine)).toSorted();
		expect(await found(place, false)).toEqual([own, open].toSorted());
		expect(await found(thread, false)).toEqual([own, inThread, open].toSorted());
		expect(await found(place, true)).toEqual([own]);
	});

	test('does not find what was dropped, also by another process', async () => {
		const [first, second] = [start(), start()];
		const job = await add(first, 'a red fox');
		await stored(1);
		expect(await second.search(place, bo, 'fox', false)).toEqual([job]);
		await first.drop(place, job);
		expect(await first.search(place, bo, 'fox', false)).toEqual([]);
		expect(await second.search(place, bo, 'fox', false)).toEqual([]);
		expect(await store.space('search').members('test/club', { limit: 5 })).toEqual([]);
	});

	test('does not compare embeddings of different models', async () => {
		await add(start('one'), 'a red fox');
		await stored(1);
		expect(await start('other').search(place, ada, 'fox', false)).toEqual([]);
		expect(await start('one').search(place, ada, 'fox', false)).toHaveLength(1);
	});
});

describe('prompts', () => {
	test('are embedded once', async () => {
		const search = start();
		const { promise, resolve } = Promise.withResolvers<void>();
		answering = promise;
		for (const prompt of ['a fox', 'an owl', 'a fox', 'a hare']) await add(search, prompt);
		resolve();
		await stored(4);
		await add(search, 'an owl');
		await stored(5);
		expect(calls).toEqual([['a fox'], ['an owl'], ['a hare']]);
	});

	test('that a process could not embed are embedded after the next search', async () => {
		fails = new ServiceError('failure', 'Failed', { status: 500 });
		const job = await add(start(), 'a red fox');
		fails = undefined;
		const next = start();
		expect(await next.search(place, ada, 'fox', false)).toEqual([]);
		await stored(1);
		expect(await next.search(place, ada, 'fox', false)).toEqual([job]);
	});

	test('that the service refuses do not keep others from being found', async () => {
		refused.add('a bad fox');
		const search = start();
		await Promise.all(['a good fox', 'a bad fox', 'a grey fox'].map((prompt) => add(search, prompt)));
		await stored(2);
		expect(await search.search(place, ada, 'fox', false)).toHaveLength(2);
	});

	test('of results that were deleted meanwhile are not kept', async () => {
		const search = start();
		const { promise, resolve } = Promise.withResolvers<void>();
		answering = promise;
		const job = await add(search, 'a red fox');
		await requests.forget(job);
		resolve();
		await eventually(() => expect(calls).toHaveLength(1));
		await eventually(async () => expect(await search.search(place, ada, 'fox', false)).toEqual([]));
		await stored(0);
		expect(await store.space('search').members('test/club', { limit: 5 })).toEqual([]);
	});
});

test('a service without embeddings is not asked again for an hour, and the search says so', async () => {
	fails = new ServiceError('request', 'Not found', { status: 404 });
	const search = start();
	await add(search, 'a red fox');
	await eventually(() => expect(calls).toHaveLength(1));
	await add(search, 'an owl');
	await expect(search.search(place, ada, 'fox', false)).rejects.toThrow('The image service has no embeddings');
	expect(calls).toHaveLength(1);
	now += 3_600_001;
	fails = undefined;
	expect(await search.search(place, ada, 'fox', false)).toEqual([]);
	await stored(2);
	expect(await search.search(place, ada, 'fox', false)).toHaveLength(1);
});

test('a service without the model says so, and is not asked again for an hour', async () => {
	fails = new ServiceError('request', 'Not found', { status: 404, about: 'model' });
	const search = start();
	for (const _ of [1, 2]) await expect(search.search(place, ada, 'fox', false)).rejects.toBe(fails);
	expect(calls).toHaveLength(1);
});

const vector = (length: number) =>
	fc
		.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: length, maxLength: length })
		.filter((numbers) => Math.hypot(...numbers) > 0.1);
const cosine = (one: readonly number[], other: readonly number[]) =>
	one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0) / (Math.hypot(...one) * Math.hypot(...other));

describe('the nearest vectors', () => {
	test('are those that a comparison with every one finds, the best first', async () => {
		const vectors = fc.array(vector(12), { minLength: 1, maxLength: 400 });
		await fc.assert(
			fc.asyncProperty(vectors, vector(12), async (all, words) => {
				const nearest = new Nearest(quantize(words));
				for (const [index, numbers] of all.entries()) nearest.add(`${index}`, quantize(numbers));
				const found = nearest.jobs();
				const expected = all
					.map((numbers) => cosine([...quantize(numbers)], [...quantize(words)]))
					.filter((likeness) => likeness >= 0.2)
					.toSorted((one, other) => other - one)
					.slice(0, 100);
				const values = found.map((job) => cosine([...quantize(all[Number(job)] ?? [])], [...quantize(words)]));
				expect(values.map((value) => value.toFixed(9))).toEqual(expected.map((value) => value.toFixed(9)));
				expect(new Set(found).size).toBe(found.length);
			}),
		);
	});

	test('keeps the direction of vectors in whole numbers', () => {
		fc.assert(
			fc.property(vector(64), vector(64), (one, other) => {
				expect(cosine([...quantize(one)], [...quantize(other)])).toBeCloseTo(cosine(one, other), 1);
			}),
		);
	});

	test('have the same length, and a direction', () => {
		const found = (numbers: number[]) => {
			const nearest = new Nearest(quantize(numbers));
			for (const other of [[1, 2, 3, 4], [0, 0, 0], []]) nearest.add('other', quantize(other));
			return nearest.jobs();
		};
		expect([found([1, 2, 3]), found([])]).toEqual([[], []]);
	});
});
