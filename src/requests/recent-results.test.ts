import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Job } from '../domain/job.ts';
import type { MessageHandle, Place } from '../domain/place.ts';
import type { Storage } from '../store/collection.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { callMember } from '../usage/jobs.ts';
import { addingRecentResult, dropRecentResult, latestResults, recentResultsPage } from './recent-results.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general' };
const ada = { id: 'ada' };
const handle = (key: string): MessageHandle => ({ place, key });
const result = (key: string, at: number) => ({ handle: handle(key), prompt: `prompt ${key}`, at });

const retentionMs = 60_000;

/** Adds a result to those of a person, whose call was reserved before. */
async function add(...[easel, place, person, id, result]: Parameters<typeof addingRecentResult>) {
	const call = callMember({ id, at: result.at, place, person: { ...person, name: '' } } as Job, easel.retentionMs);
	await easel.store.space('ledger').commit({ index: [call] });
	await easel.store.space('recent').commit(addingRecentResult(easel, place, person, id, result));
}

let store: Store;
let easel: Storage;
beforeEach(async () => {
	store = await openStore('memory:');
	easel = { store, retentionMs };
});
afterEach(() => store.close());

test('pages through all results, newest first, in whatever order they were added', async () => {
	const ages = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 12 });
	const now = Date.now();
	await fc.assert(
		fc.asyncProperty(ages, fc.integer({ min: 1, max: 5 }), async (all, limit) => {
			const store = await openStore('memory:');
			const easel = { store, retentionMs };
			for (const age of all) await add(easel, place, ada, `job${age}`, result(`job${age}`, now - age));
			const expected = all.toSorted((a, b) => a - b).map((age) => `job${age}`);
			expect((await latestResults(easel, place, ada)).map(({ handle: { key } }) => key)).toEqual(expected.slice(0, 6));
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
	await add(easel, place, ada, 'old', result('old', now - 60_001));
	await add(easel, place, ada, 'new', result('new', now));
	expect((await recentResultsPage(easel, place, ada, 5)).entries.map(({ job }) => job)).toEqual(['new']);
});

test('keeps concurrent ones', async () => {
	await Promise.all([1, 2, 3].map((at) => add(easel, place, ada, `job${at}`, result(`job${at}`, Date.now() + at))));
	expect((await latestResults(easel, place, ada)).map(({ handle: { key } }) => key)).toEqual(['job3', 'job2', 'job1']);
});

test('keeps people and servers apart', async () => {
	await add(easel, place, ada, 'one', result('one', Date.now()));
	expect(await latestResults(easel, place, { id: 'ad' })).toEqual([]);
	expect(await latestResults(easel, { ...place, server: 'other' }, ada)).toEqual([]);
	expect(await latestResults(easel, { ...place, channel: 'elsewhere' }, ada)).toHaveLength(1);
});

test('keeps one entry per job, until it is dropped', async () => {
	const at = Date.now();
	await add(easel, place, ada, 'one', result('one', at));
	await add(easel, place, ada, 'one', {
		...result('one.2', at),
		prompt: `two\nlines ${'long '.repeat(100)}`,
	});
	const [only, ...others] = await latestResults(easel, place, ada);
	expect(others).toEqual([]);
	expect(only).toMatchObject({ handle: { key: 'one.2' } });
	expect(only?.prompt).toMatch(/^two lines long .*…$/);
	expect(only?.prompt.length).toBeLessThanOrEqual(300);
	await dropRecentResult(easel, place, ada, 'one');
	expect(await latestResults(easel, place, ada)).toEqual([]);
});
