import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Place } from '../domain/channel.ts';
import type { Job } from '../domain/job.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { callMember, jobKey } from '../usage/jobs.ts';
import { PictureStore } from './picture-store.ts';
import { latestResults, PictureRequests, recentResultsPage } from './requests.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general' };
const ada = { id: 'ada' };

const retentionMs = 60_000;

const contextOn = (store: Store) => {
	const requests = new PictureRequests(
		store.space('ledger'),
		new PictureStore(store.space('pictures'), 1000),
		commands,
	);
	return { store, retentionMs, requests };
};

/** Adds a call of a person whose pictures are posted. */
async function add({ store }: { store: Store }, id: string, at: number, prompt = id): Promise<void> {
	const request = { options: { prompt }, inputs: {} };
	const job = { step: 0, id, at, command: 'imagine', place, person: { ...ada, name: '' }, request };
	const value = { ...job, shown: { place, key: `${id}.shown` } } as unknown as Job;
	const put = [{ key: jobKey(id), value, ttlMs: retentionMs }];
	await store.space('ledger').commit({ put, index: [callMember(value, retentionMs)] });
}

let store: Store;
let easel: ReturnType<typeof contextOn>;
beforeEach(async () => {
	store = await openStore('memory:');
	easel = contextOn(store);
});
afterEach(() => store.close());

test('pages through all results, newest first, in whatever order they were added', async () => {
	const ages = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 12 });
	const now = Date.now();
	await fc.assert(
		fc.asyncProperty(ages, fc.integer({ min: 1, max: 5 }), async (all, limit) => {
			const store = await openStore('memory:');
			const easel = contextOn(store);
			for (const age of all) await add(easel, `job${age}`, now - age);
			const expected = all.toSorted((a, b) => a - b).map((age) => `job${age}`);
			expect((await latestResults(easel, place, ada)).map(({ job }) => job)).toEqual(expected.slice(0, 6));
			const jobs: string[] = [];
			let from: string | undefined;
			do {
				const { entries, next } = await recentResultsPage(easel, place, ada, limit, from);
				jobs.push(...entries.map(({ job }) => job));
				from = next;
			} while (from !== undefined);
			expect(jobs).toEqual(expected);
		}),
	);
});

test('forgets what has expired', async () => {
	const now = Date.now();
	await add(easel, 'old', now - 60_001);
	await add(easel, 'new', now);
	expect((await recentResultsPage(easel, place, ada, 5)).entries.map(({ job }) => job)).toEqual(['new']);
});

test('keeps concurrent ones', async () => {
	await Promise.all([1, 2, 3].map((at) => add(easel, `job${at}`, Date.now() + at)));
	expect((await latestResults(easel, place, ada)).map(({ job }) => job)).toEqual(['job3', 'job2', 'job1']);
});

test('keeps people and servers apart', async () => {
	await add(easel, 'one', Date.now());
	expect(await latestResults(easel, place, { id: 'ad' })).toEqual([]);
	expect(await latestResults(easel, { ...place, server: 'other' }, ada)).toEqual([]);
	expect(await latestResults(easel, { ...place, channel: 'elsewhere' }, ada)).toHaveLength(1);
});

test('shows a result in one line, until it is deleted', async () => {
	await add(easel, 'one', Date.now(), `two\nlines ${'long '.repeat(100)}`);
	const [only] = await latestResults(easel, place, ada);
	expect(only).toMatchObject({ job: 'one', handle: { key: 'one.shown' } });
	expect(only?.prompt).toMatch(/^two lines long .*…$/);
	expect(only?.prompt.length).toBeLessThanOrEqual(300);
	await easel.requests.forget('one');
	expect(await latestResults(easel, place, ada)).toEqual([]);
});
