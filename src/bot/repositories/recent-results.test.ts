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

test('keeps the last six of each person, newest first, in whatever order they were added', async () => {
	const times = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(times, async (all) => {
			const store = await openStore('memory:');
			const recent = new RecentResults(store.space('recent'), 60_000);
			for (const at of all) await recent.add(place, ada, `job${at}`, result(`job${at}`, at));
			const expected = all.toSorted((a, b) => b - a).slice(0, 6);
			expect((await recent.of(place, ada)).map(({ at }) => at)).toEqual(expected);
			expect(await Array.fromAsync(store.space('recent').list(''))).toHaveLength(expected.length);
		}),
	);
});

test('keeps concurrent ones', async () => {
	await Promise.all([1, 2, 3].map((at) => recent.add(place, ada, `job${at}`, result(`job${at}`, at))));
	expect((await recent.of(place, ada)).map(({ handle: { key } }) => key)).toEqual(['job3', 'job2', 'job1']);
});

test('keeps people and servers apart', async () => {
	await recent.add(place, ada, 'one', result('one', 1));
	expect(await recent.of(place, { id: 'ad' })).toEqual([]);
	expect(await recent.of({ ...place, server: 'other' }, ada)).toEqual([]);
	expect(await recent.of({ ...place, channel: 'elsewhere' }, ada)).toHaveLength(1);
});

test('keeps one entry per job, until it is dropped', async () => {
	await recent.add(place, ada, 'one', result('one', 1));
	await recent.add(place, ada, 'one', { ...result('one.2', 2), prompt: `two\nlines ${'long '.repeat(100)}` });
	const [only, ...others] = await recent.of(place, ada);
	expect(others).toEqual([]);
	expect(only).toMatchObject({ handle: { key: 'one.2' }, at: 2 });
	expect(only?.prompt).toMatch(/^two lines long .*…$/);
	expect(only?.prompt.length).toBeLessThanOrEqual(300);
	await recent.drop(place, ada, 'one');
	expect(await recent.of(place, ada)).toEqual([]);
});
