import { beforeEach, expect, test } from 'vitest';
import { openStore } from './open-store.ts';
import { createClaim, entriesAt, membersOf, type Space, timedMember } from './store.ts';

const COUNT = 2000;

let space: Space;
beforeEach(async () => {
	space = (await openStore('memory:')).space('ledger');
	for (let number = 0; number < COUNT; number++)
		await space.commit({
			put: [{ key: `receipt:${number}`, value: number }],
			index: [{ index: 'receipts', member: timedMember(number, `${number}`) }],
		});
});

/** Reads everything, each entry taking a while, and returns how often other work went on meanwhile. */
async function turnsDuring(entries: AsyncIterable<unknown>): Promise<number> {
	let turns = 0;
	let isReading = true;
	const turn = () => {
		turns++;
		if (isReading) setImmediate(turn);
	};
	setImmediate(turn);
	let count = 0;
	for await (const _ of entries) {
		count++;
		if (count % 100 === 0) for (const until = performance.now() + 6; performance.now() < until; );
	}
	isReading = false;
	expect(count).toBe(COUNT);
	return turns;
}

test('other work goes on while everything is listed', async () => {
	expect(await turnsDuring(space.list(''))).toBeGreaterThanOrEqual(18);
});

test('other work goes on while many entries are read by their keys, and members of an index', async () => {
	const keys = Array.from({ length: COUNT }, (_, number) => `receipt:${number}`);
	expect(await turnsDuring(entriesAt(space, [...keys, 'receipt:missing']))).toBeGreaterThanOrEqual(18);
	expect(await turnsDuring(membersOf(space, 'receipts'))).toBeGreaterThanOrEqual(18);
});

let other: Space;
beforeEach(async () => {
	other = (await openStore('memory:')).space('once');
});

const entries = async () => (await Array.fromAsync(other.list(''))).map(([key]) => key);

test('createClaim returns true to one of fifty concurrent callers', async () => {
	const claim = createClaim(other);
	const results = await Promise.all(Array.from({ length: 50 }, () => claim('event', 60_000)));
	expect(results.filter(Boolean)).toHaveLength(1);
	expect(await claim('another', 60_000)).toBe(true);
});

test('createClaim accepts a key again after its time, and leaves no entry behind', async () => {
	const claim = createClaim(other);
	expect(await claim('event', 1)).toBe(true);
	await expect.poll(entries).toEqual([]);
	expect(await claim('event', 60_000)).toBe(true);
	expect(await claim('event', 60_000)).toBe(false);
});
