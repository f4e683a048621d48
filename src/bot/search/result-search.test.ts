import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/harness/eventually.ts';
import type { Place } from '../../domain/place.ts';
import { createLog } from '../../log.ts';
import { ServiceError } from '../../service/errors.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { embed } from '../../studio/embeddings/embed.ts';
import type { PictureRequest } from '../repositories/requests.ts';
import { Embedder } from './embedder.ts';
import { ResultSearch } from './result-search.ts';
import { SearchEntries } from './search-entries.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general' };
const ada = { id: 'ada' };
const bo = { id: 'bo' };
const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
const RETENTION_MS = 3_600_000;

let store: Store;
let requests: Map<string, PictureRequest>;
let now: number;
/** What the service embeds, call by call. */
let calls: (readonly string[])[];
/** The service answers after it. */
let answering: Promise<void>;
let fails: ServiceError | undefined;
const refused = new Set<string>();
beforeEach(async () => {
	store = await openStore('memory:');
	[requests, now, calls, fails] = [new Map(), Date.now(), [], undefined];
	refused.clear();
	answering = Promise.resolve();
});
afterEach(() => store.close());

/** Starts a process on the store. */
function start(model = 'one') {
	const service = {
		async embed({ input }: { input: readonly string[] }) {
			calls.push(input);
			await answering;
			if (fails) throw fails;
			if (input.some((text) => refused.has(text))) throw new ServiceError('content', 'Refused', { status: 400 });
			return input.map((text) => [...embed(text, 300)]);
		},
	};
	const embedder = new Embedder({ service, stopping: new AbortController().signal, log, now: () => now });
	const entries = new SearchEntries(store.space('search'), RETENTION_MS);
	const find = async (job: string) => requests.get(job);
	return new ResultSearch({ entries, requests: { find }, embedder, model, now: () => now });
}

async function add(search: ResultSearch, prompt: string, request: Partial<PictureRequest> = {}): Promise<string> {
	const job = `job-${requests.size}`;
	const options = { command: 'imagine', options: { prompt }, inputs: {}, count: 1 };
	const whole = { ...options, prompt, person: { id: 'ada', name: 'Ada' }, place, private: false, ...request };
	requests.set(job, whole);
	await search.add(job, whole);
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
	test('are embedded once, several in one call', async () => {
		const search = start();
		const { promise, resolve } = Promise.withResolvers<void>();
		answering = promise;
		for (const prompt of ['a fox', 'an owl', 'a fox', 'a hare']) await add(search, prompt);
		resolve();
		await stored(4);
		await add(search, 'an owl');
		await stored(5);
		expect(calls).toEqual([['a fox'], ['an owl', 'a hare']]);
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
		const job = await add(search, 'a red fox');
		requests.delete(job);
		await eventually(() => expect(calls).toHaveLength(1));
		expect(await search.search(place, ada, 'fox', false)).toEqual([]);
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
