import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Receipt } from '../domain/job.ts';
import { refund, refundableCalls } from './jobs.ts';
import { createLedgerFixture, PLACE } from './ledger.fixture.ts';

const refunded = async ({ easel }: Awaited<ReturnType<typeof createLedgerFixture>>, receipts: readonly Receipt[]) =>
	refund(easel, await easel.settings.get(PLACE), receipts);

const unknownOf = async (fixture: Awaited<ReturnType<typeof createLedgerFixture>>, member?: string) =>
	Array.fromAsync(refundableCalls(fixture.easel, PLACE, member));

test('a refund gives back unknown calls of one member to the caps of the server, and not to the plan or the money', async () => {
	const fixture = await createLedgerFixture({ imagesPerMonth: 1, price: 30, caps: { memberPerDay: 9 } });
	const { granted, sent, settle, used, changeSettings, verify } = fixture;
	await changeSettings({ overageMills: 300 });
	for (const outcome of ['unknown', 'unknown', 'succeeded'] as const)
		await settle(await sent(await granted()), outcome, 1);
	await settle(await sent(await granted('bob')), 'unknown', 0);
	expect(await refunded(fixture, await unknownOf(fixture, 'ada'))).toBe(2);
	expect(await used('member', 'day')).toBe(1);
	expect(await used('server', 'month')).toBe(2);
	expect(await used('plan', 'month')).toBe(1);
	expect(await used('overage', 'month')).toBe(90_000);
	expect(await used('operatorMember', 'day')).toBe(3);
	expect(await unknownOf(fixture)).toMatchObject([{ person: { id: 'bob' } }]);
	expect(await verify()).toEqual([]);
});

test('of an earlier day, a refund gives back the month alone', async () => {
	const fixture = await createLedgerFixture();
	const { clock, granted, sent, settle, used, verify } = fixture;
	await settle(await sent(await granted()), 'unknown', 0);
	clock.now += 24 * 3600_000;
	await granted();
	expect(await refunded(fixture, await unknownOf(fixture))).toBe(1);
	expect([await used('member', 'day'), await used('member', 'month')]).toEqual([1, 1]);
	expect(await verify()).toEqual([]);
	clock.now += 31 * 24 * 3600_000;
	expect(await unknownOf(fixture)).toEqual([]);
});

test('a refund gives back the day and month that run at the time it records', async () => {
	const fixture = await createLedgerFixture();
	const { space, clock, granted, sent, settle, receipts } = fixture;
	await settle(await sent(await granted()), 'unknown', 0);
	const [receipt] = await unknownOf(fixture);
	if (!receipt) throw new Error('There is no receipt.');
	const get = space.keyv.getRaw.bind(space.keyv);
	vi.spyOn(space.keyv, 'getRaw').mockImplementation((async (key: string) => {
		const value = await get(key);
		if (key.startsWith('job:')) clock.now += 24 * 3600_000;
		return value;
	}) as typeof get);
	expect(await refunded(fixture, [receipt])).toBe(1);
	const [changed] = await receipts();
	expect(changed?.refundedAt).toBe(clock.now);
	expect(changed?.debits.map(([key]) => key)).toEqual(
		receipt.debits.map(([key]) => key).filter((key) => key.includes('operator') || key.endsWith(':2026-11-20')),
	);
});

test('concurrent refunds give back each call once', async () => {
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 4 }), async (calls, moderators) => {
			const fixture = await createLedgerFixture();
			const { granted, sent, settle, used, verify, receipts } = fixture;
			for (let call = 0; call < calls; call++) await settle(await sent(await granted()), 'unknown', 0);
			const found = await unknownOf(fixture, 'ada');
			const counts = await Promise.all(Array.from({ length: moderators }, () => refunded(fixture, found)));
			expect(counts.reduce((sum, count) => sum + count, 0)).toBe(calls);
			expect(await used('member', 'day')).toBe(0);
			expect(await verify()).toEqual([]);
			expect(await receipts()).toHaveLength(calls);
		}),
		{ numRuns: 20 },
	);
});
