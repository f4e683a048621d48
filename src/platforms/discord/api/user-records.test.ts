import { Keyv } from 'keyv';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UserRecords } from './people.ts';

const DAY_MS = 24 * 3600_000;

let keyv: Keyv;
let records: UserRecords;
beforeEach(() => {
	vi.useFakeTimers();
	keyv = new Keyv();
	const findMember = async () => undefined;
	records = new UserRecords({ keyv, retentionMs: 30 * DAY_MS, findMember, log: pino({ level: 'silent' }) });
});
afterEach(() => void vi.useRealTimers());

test.each(['locale', 'direct'] as const)('%s expires when it was not used for the retention time', async (fact) => {
	await records.remember(fact, '1', 'de');
	vi.advanceTimersByTime(30 * DAY_MS);
	expect(await records.recall(fact, '1')).toBe('de');
	vi.advanceTimersByTime(30 * DAY_MS);
	await records.remember(fact, '1', 'de');
	vi.advanceTimersByTime(30 * DAY_MS);
	expect(await records.recall(fact, '1')).toBe('de');
	vi.advanceTimersByTime(31 * DAY_MS + 1);
	expect(await records.recall(fact, '1')).toBeUndefined();
});

test('a fact that is used all the time is written once a day', async () => {
	const set = vi.spyOn(keyv, 'set');
	for (let hour = 0; hour < 47; hour++) {
		await records.remember('locale', '1', 'de');
		await records.recall('locale', '1');
		vi.advanceTimersByTime(3600_000);
	}
	expect(set).toHaveBeenCalledTimes(2);
});

test('a fact of an earlier version, which does not expire, expires once it is used', async () => {
	await keyv.set('home:1', 'atelier');
	expect(await records.recall('home', '1')).toBe('atelier');
	vi.advanceTimersByTime(367 * DAY_MS + 1);
	expect(await records.recall('home', '1')).toBeUndefined();
});

test('a fact is recalled from a store that is full', async () => {
	await keyv.set('home:1', 'atelier');
	vi.spyOn(keyv, 'set').mockRejectedValue(new Error('The store is full.'));
	expect(await records.recall('home', '1')).toBe('atelier');
});
