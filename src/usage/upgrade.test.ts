import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hasRedis, startRedis } from '../../test/harness/redis.ts';
import type { Easel } from '../easel.ts';
import { migrate, SCHEMA_VERSION, storedVersions } from '../store/migrate.ts';
import { openStore } from '../store/open-store.ts';
import type { Space, Store } from '../store/store.ts';
import { receiptsOf } from './jobs.ts';
import { createLedgerContext, EVER, PLACE } from './ledger.fixture.ts';
import { readReport } from './report/report.ts';
import { isErasedMember, isReported } from './totals.ts';
import { findMismatches } from './windows.ts';

/**
 * What version 3 had stored of 14 calls: some added up, some refunded, two open, some of a member who has erased their data; and what its
 * reports said.
 */
const FIXTURE = JSON.parse(
	readFileSync(new URL('../../test/fixtures/version-3/ledger.json', import.meta.url), 'utf8'),
) as {
	writtenAt: number;
	entries: Record<string, { value: unknown; expires?: number }>;
	indexes: Record<string, string[]>;
	reports: Record<string, { totals: object; members: { id: string }[]; days: unknown[] }>;
};
const RETENTION_MS = 30 * 24 * 3600_000;

afterEach(() => {
	vi.useRealTimers();
});

async function fill({ commit }: Space): Promise<void> {
	for (const [key, { value, expires }] of Object.entries(FIXTURE.entries)) {
		const ttlMs = expires ? Math.max(1, expires - FIXTURE.writtenAt) : undefined;
		if (typeof value === 'number') await commit({ add: [{ key, by: value, ttlMs }] });
		else await commit({ put: [{ key, value, ttlMs }] });
	}
	for (const [index, members] of Object.entries(FIXTURE.indexes))
		await commit({ index: members.map((member) => ({ index, member })) });
	await commit({ add: [{ key: 'schema', by: 3 }] });
}

const ledgerOn = (store: Store) =>
	createLedgerContext(store, {
		plan: { imagesPerMonth: 5, price: 30 },
		now: () => Date.now(),
		retentionMs: RETENTION_MS,
	});

/** Returns what reports say, with one name for the member who has erased their data. */
async function reportsOf(easel: Easel) {
	const months = Object.keys(FIXTURE.reports);
	const reports = await Promise.all(months.map((month) => readReport(easel, PLACE, month)));
	return Object.fromEntries(
		reports.map(({ totals, members, days, month }) => [
			month,
			{
				totals: inMills(totals),
				members: members.map(({ name: _, ...each }) => ({
					...inMills(each),
					id: isErasedMember(each.id) ? 'eve' : each.id,
				})),
				days: days
					.filter(({ calls }) => calls > 0)
					.map((day) => [day.id, day.calls, Object.fromEntries(day.byCommand)]),
			},
		]),
	);
}

/** Version 3 counted mills. */
const inMills = <Of extends { usd: number }>({ usd, ...rest }: Of) => ({ ...rest, cost: usd / 1000 });

async function redisUrl(): Promise<string> {
	const redis = await startRedis();
	onTestFinished(() => redis.close());
	return redis.url;
}

describe.each([
	{ name: 'SQLite', url: async () => 'memory:' },
	...(hasRedis ? [{ name: 'Redis', url: redisUrl }] : []),
])('a store of version 3 on $name', ({ url }) => {
	test('is upgraded by several processes at once, and reports say the same', async () => {
		vi.useFakeTimers({ toFake: ['Date'], now: FIXTURE.writtenAt });
		const store = await openStore(await url());
		onTestFinished(() => store.close());
		const space = store.space('ledger');
		await fill(space);
		const options = { retentionMs: RETENTION_MS };
		expect(await Promise.all([migrate(store, options), migrate(store, options)])).toEqual([3, 3]);
		await migrate(store, options);
		expect(await storedVersions(store)).toEqual([SCHEMA_VERSION, SCHEMA_VERSION]);

		const easel = ledgerOn(store);
		expect(await reportsOf(easel)).toEqual(FIXTURE.reports);
		const receipts = await Array.fromAsync(receiptsOf(space, PLACE, EVER));
		expect(receipts.filter(isReported)).toHaveLength(8);
		expect(await findMismatches(space, easel)).toEqual([]);
		const left = await Array.fromAsync(space.list(''));
		expect(left.filter(([key]) => /^(totals|summed|sums:upgrade|receipt)/.test(key))).toEqual([]);

		// Without the calls, which expire, totals say the same.
		for (const [key] of left) if (key.startsWith('job:')) await space.commit({ remove: [key] });
		expect(await reportsOf(easel)).toEqual(FIXTURE.reports);
	});

	test('an upgrade that was cut off goes on where it ended', async () => {
		vi.useFakeTimers({ toFake: ['Date'], now: FIXTURE.writtenAt });
		const store = await openStore(await url());
		onTestFinished(() => store.close());
		const space = store.space('ledger');
		await fill(space);
		const { commit } = space;
		for (const most of [3, 9, 1]) {
			let commits = 0;
			const spied = vi.spyOn(space, 'commit').mockImplementation((change) => {
				if (++commits > most) throw new Error('The process was killed.');
				return commit(change);
			});
			await expect(migrate(store, { retentionMs: RETENTION_MS })).rejects.toThrow('killed');
			spied.mockRestore();
		}
		await migrate(store, { retentionMs: RETENTION_MS });
		expect(await reportsOf(ledgerOn(store))).toEqual(FIXTURE.reports);
	});
});
