import { describe, expect, test } from 'vitest';
import { createLedgerFixture } from './ledger.fixture.ts';

describe('settling', () => {
	test('refunds a failed call to the windows that it was taken from, also in the next day and month', async () => {
		const { clock, setCaps, granted, denied, sent, used, settle, verify } = await createLedgerFixture();
		clock.now = Date.UTC(2026, 10, 30, 23, 59, 59);
		await setCaps({ scope: 'member', period: 'day', images: 1 });
		const late = await sent(await granted());
		clock.now += 2000;
		const early = await granted();
		await settle(late, 'failed', 0);
		expect(await used('member', 'day')).toBe(1);
		expect(await used('server', 'month')).toBe(1);
		expect(await denied()).toBe('member day 1/1');
		await settle(early, 'failed', 0);
		expect(await used('member', 'day')).toBe(0);
		expect(await verify()).toEqual([]);
	});

	test('refunds the money of a failed call', async () => {
		const { changeSettings, granted, sent, used, settle } = await createLedgerFixture({ imagesPerMonth: 0, price: 30 });
		await changeSettings({ overageMills: 30 });
		await settle(await sent(await granted()), 'failed', 0);
		expect(await used('overage', 'month')).toBe(0);
		await granted();
	});
});
