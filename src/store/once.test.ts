import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOnce } from './once.ts';
import { openStore } from './open-store.ts';
import type { Space, Store } from './store.ts';

let store: Store;
let space: Space;
beforeEach(async () => {
	store = await openStore('memory:');
	space = store.space('once');
});
afterEach(() => store.close());

const entries = async () => (await Array.fromAsync(space.list(''))).map(([key]) => key);

test('returns true to one of fifty concurrent callers', async () => {
	const once = createOnce(space);
	const results = await Promise.all(Array.from({ length: 50 }, () => once('event', 60_000)));
	expect(results.filter(Boolean)).toHaveLength(1);
	expect(await once('another', 60_000)).toBe(true);
});

test('accepts a key again after its time, and leaves no entry behind', async () => {
	const once = createOnce(space);
	expect(await once('event', 1)).toBe(true);
	await expect.poll(entries).toEqual([]);
	expect(await once('event', 60_000)).toBe(true);
	expect(await once('event', 60_000)).toBe(false);
});
