import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MessageHandle, Place } from '../../domain/place.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { RecentResults } from './recent-results.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general' };
const ada = { id: 'ada' };
const handle = (key: string): MessageHandle => ({ place, key });
const result = (key: string, at: number) => ({ handle: handle(key), prompt: `prompt ${key}`, at });

let store: Store;
let recent: RecentResults;
beforeEach(async () => {
	store = await openStore('memory:');
	recent = new RecentResults(store.space('recent'), 60_000);
});
afterEach(() => store.close());

test('pages through all results, newest first, in whatever order they were added', async () => {
	const ages = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 12 });
	const now = Date.now();
	await fc.assert(
		fc.asyncProperty(ages, fc.integer({ min: 1, max: 5 }), async (all, limit) => {
			const store = await openStore('memory:');
			const recent = new RecentResults(store.space('recent'), 60_000);
			for (const age of all) await recent.add(place, ada, `job${age}`, result(`job${age}`, now - age));
			const expected = all.toSorted((a, b) => a - b).map((age) => `job${age}`);
			expect((await recent.of(place, ada)).map(({ handle: { key } }) => key)).toEqual(expected.slice(0, 6));
			const jobs: string[] = [];
			let from: string | undefined;
			do {
				const { entries, next } = await recent.page(place, ada, limit, from);
				jobs.push(...entries.map(({ job }) => job));
				from = next;
			} while (from !== undefined);
			expect(jobs).toEqual(expected);
		}),
	);
});

test('forgets what has expired', async () => {
	const now = Date.now();
	await recent.add(place, ada, 'old', result('old', now - 60_001));
	await recent.add(place, ada, 'new', result('new', now));
	expect((await recent.page(place, ada, 5)).entries.map(({ job }) => job)).toEqual(['new']);
	expect(await store.space('recent').members('test/club/ada', { limit: 5 })).toHaveLength(1);
});

test('keeps concurrent ones', async () => {
	await Promise.all([1, 2, 3].map((at) => recent.add(place, ada, `job${at}`, result(`job${at}`, Date.now() + at))));
	expect((await recent.of(place, ada)).map(({ handle: { key } }) => key)).toEqual(['job3', 'job2', 'job1']);
});

test('keeps people and servers apart', async () => {
	await recent.add(place, ada, 'one', result('one', Date.now()));
	expect(await recent.of(place, { id: 'ad' })).toEqual([]);
	expect(await recent.of({ ...place, server: 'other' }, ada)).toEqual([]);
	expect(await recent.of({ ...place, channel: 'elsewhere' }, ada)).toHaveLength(1);
});

test('keeps one entry per job, until it is dropped', async () => {
	await recent.add(place, ada, 'one', result('one', Date.now()));
	await recent.add(place, ada, 'one', {
		...result('one.2', Date.now() + 2),
		prompt: `two\nlines ${'long '.repeat(100)}`,
	});
	const [only, ...others] = await recent.of(place, ada);
	expect(others).toEqual([]);
	expect(only).toMatchObject({ handle: { key: 'one.2' } });
	expect(only?.prompt).toMatch(/^two lines long .*…$/);
	expect(only?.prompt.length).toBeLessThanOrEqual(300);
	await recent.drop(place, ada, 'one');
	expect(await recent.of(place, ada)).toEqual([]);
});
