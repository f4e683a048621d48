import { describe, expect, test } from 'vitest';
import type { Job } from '../domain/job.ts';
import { createLedgerFixture, EVER, PLACE } from './ledger.fixture.ts';
import { settlement } from './settlement.ts';

describe('settling', () => {
	test('refunds a failed call to the windows that it was taken from, also in the next day and month', async () => {
		const { ledger, clock, setCaps, granted, denied, sent, used } = await createLedgerFixture();
		clock.now = Date.UTC(2026, 10, 30, 23, 59, 59);
		await setCaps({ scope: 'member', period: 'day', images: 1 });
		const late = await sent(await granted());
		clock.now += 2000;
		const early = await granted();
		await ledger.settle(late, 'failed', 0);
		expect(await used('member', 'day')).toBe(1);
		expect(await used('server', 'month')).toBe(1);
		expect(await denied()).toBe('member day 1/1');
		await ledger.settle(early, 'failed', 0);
		expect(await used('member', 'day')).toBe(0);
		expect(await ledger.verify()).toEqual([]);
	});

	test('refunds the money of a failed call', async () => {
		const { ledger, changeSettings, granted, sent, used } = await createLedgerFixture({ imagesPerMonth: 0, price: 30 });
		await changeSettings({ overageMills: 30 });
		await ledger.settle(await sent(await granted()), 'failed', 0);
		expect(await used('overage', 'month')).toBe(0);
		await granted();
	});

	test('happens once: a later settlement changes nothing', async () => {
		const { ledger, granted, sent, used } = await createLedgerFixture();
		const job = await sent(await granted());
		expect((await ledger.settle(job, 'unknown', 0)).state).toBe('unknown');
		expect((await ledger.settle(job, 'failed', 0)).state).toBe('unknown');
		expect(await used('member', 'day')).toBe(1);
		expect(await Array.fromAsync(ledger.receipts(PLACE, EVER))).toMatchObject([{ id: job.id, outcome: 'unknown' }]);
	});

	test('stores what was debited and, for a failed call, no cost', () => {
		const job: Job = {
			id: '1',
			state: 'sent',
			command: 'imagine',
			place: PLACE,
			person: { id: 'ada', name: 'Ada', locale: 'de' },
			debits: [['cost:test:club:2026-11', 30]],
			cost: 30,
			at: 1,
			answer: { place: PLACE, key: '1' },
			process: 'this',
			claims: 0,
		};
		const key = 'receipt:test:club:1';
		const { settled, change } = settlement(job, 'failed', 0, 2, 1000);
		expect(settled).toMatchObject({ state: 'failed', outcome: 'failed', cost: 0 });
		expect(change).toMatchObject({ once: key });
		expect(change.add).toContainEqual({ key: 'cost:test:club:2026-11', by: -30 });
		expect(change.put?.find((entry) => entry.key === key)).toEqual({
			key,
			ttlMs: 1000,
			value: {
				id: '1',
				command: 'imagine',
				place: PLACE,
				person: { id: 'ada', name: 'Ada' },
				outcome: 'failed',
				pictures: 0,
				cost: 0,
				debits: job.debits,
				at: 1,
				settledAt: 2,
				day: '1970-01-01',
			},
		});
		expect(settlement(job, 'succeeded', 1, 2, 1000)).toMatchObject({ settled: { cost: 30 } });
	});
});

describe('of sending a call and refunding it unsent', () => {
	test('the refund excludes sending', async () => {
		const { ledger, granted, used } = await createLedgerFixture();
		const job = await granted();
		const claimed = await ledger.claim(job);
		await ledger.settle(claimed as Job, 'failed', 0);
		expect(await ledger.markSent(job)).toBe(false);
		expect(await used('member', 'day')).toBe(0);
	});

	test('sending excludes the refund', async () => {
		const { ledger, granted, sent, used } = await createLedgerFixture();
		const job = await granted();
		await sent(job);
		expect((await ledger.settle(job, 'failed', 0)).state).toBe('sent');
		expect(await used('member', 'day')).toBe(1);
	});
});
