import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOnce } from './once.ts';
import { openStore } from './open-store.ts';
import type { Space, Store } from './store.ts';

let store: Store;
let space: Space;
let now: number;
beforeEach(async () => {
	store = await openStore('memory:');
	space = store.space('once');
	now = Date.now();
});
afterEach(() => store.close());

const entries = async () => (await Array.fromAsync(space.list(''))).map(([key]) => key);

test('one of many who ask at once is the first', async () => {
	const once = createOnce(space);
	const answers = await Promise.all(Array.from({ length: 50 }, () => once('event', 60_000)));
	expect(answers.filter(Boolean)).toHaveLength(1);
	expect(await once('another', 60_000)).toBe(true);
});

test('after its time a key is new, and takes no room until then', async () => {
	const once = createOnce(space);
	expect(await once('event', 1)).toBe(true);
	await expect.poll(entries).toEqual([]);
	expect(await once('event', 60_000)).toBe(true);
	expect(await once('event', 60_000)).toBe(false);
});

test('a key whose first asker went down before it had an end is taken over by one', async () => {
	await space.commit({ once: 'event', put: [{ key: 'event', value: now + 1000 }] });
	const once = createOnce(space, () => now);
	expect(await once('event', 60_000)).toBe(false);
	now += 2000;
	const answers = await Promise.all(Array.from({ length: 20 }, () => once('event', 60_000)));
	expect(answers.filter(Boolean)).toHaveLength(1);
	expect(await once('event', 60_000)).toBe(false);
});
