import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TokenUsage } from '../domain/job.ts';
import { createLedgerFixture, EVER, PLACE } from './ledger.fixture.ts';
import { type ReportOptions, spanOf, summarize } from './report/summary.ts';

const DAY_MS = 24 * 3600_000;
const ZONE = 'America/New_York';

type Fixture = Awaited<ReturnType<typeof createLedgerFixture>>;

/** Returns what a report says, except for names and single calls. */
async function reportOf({ ledger, clock }: Fixture, month: string) {
	const options: ReportOptions = { month, timeZone: ZONE, caps: {}, now: clock.now, price: 30 };
	const dayTotals = await Array.fromAsync(ledger.dayTotals(PLACE, month));
	const { members, totals, commands, days } = await summarize(ledger.receipts(PLACE, spanOf(month, ZONE)), {
		...options,
		dayTotals,
	});
	const byCommand = days.map((day) => [day.id, day.calls, Object.fromEntries(day.byCommand)]);
	return { members: members.map(({ name: _, ...figures }) => figures), totals, commands, byCommand };
}

/** Makes a call from its reservation to its answer. */
async function call(
	{ ledger, granted, sent }: Fixture,
	person: string,
	outcome: 'succeeded' | 'failed' | 'unknown',
	{ what, tokens }: { what?: 'chat'; tokens?: TokenUsage } = {},
) {
	const job = await sent(await granted(person, { ...(what && { what }) }));
	const settled = await ledger.settle(job, outcome, outcome === 'succeeded' && !what ? 2 : 0, tokens);
	await ledger.close(settled, 'delivered');
}

test('a report says the same before and after old receipts are added up, however often', async () => {
	const step = fc.record({
		person: fc.constantFrom('ada', 'bjorn'),
		outcome: fc.constantFrom('succeeded' as const, 'failed' as const, 'unknown' as const),
		what: fc.constantFrom('chat' as const, undefined),
		tokens: fc.constantFrom({ input: 12, output: 100 }, undefined),
		hours: fc.integer({ min: 0, max: 200 }),
		sumUp: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
			const fixture = await createLedgerFixture({ imagesPerMonth: 5, price: 30 });
			await fixture.changeSettings({ timeZone: ZONE, overageMills: 1_000_000 });
			for (const { person, outcome, what, tokens, hours, sumUp } of steps) {
				await call(fixture, person, outcome, { ...(what && { what }), ...(tokens && { tokens }) });
				fixture.clock.now += hours * 3600_000;
				if (sumUp) await fixture.ledger.sumUpOldReceipts();
			}
			const months = ['2026-11', '2026-12', '2027-01', '2027-02', '2027-03', '2027-04', '2027-05', '2027-06'];
			const before = await Promise.all(months.map((month) => reportOf(fixture, month)));
			fixture.clock.now += 400 * DAY_MS;
			await Promise.all([fixture.ledger.sumUpOldReceipts(), fixture.ledger.sumUpOldReceipts()]);
			const after = await Promise.all(months.map((month) => reportOf(fixture, month)));
			expect(after).toEqual(before);
			expect(await Array.fromAsync(fixture.ledger.receipts(PLACE, EVER))).toEqual([]);
		}),
		{ numRuns: 60 },
	);
});

test('of a call of last year only sums are left, without a name', async () => {
	const fixture = await createLedgerFixture();
	await call(fixture, 'Ada Lovelace', 'succeeded');
	fixture.clock.now += 400 * DAY_MS;
	await fixture.ledger.sumUpOldReceipts();
	const left = await Array.fromAsync(fixture.space.list(''));
	expect(left.map(([key]) => key.split(':')[0]).toSorted()).toEqual(
		[
			...['closed', 'gate', 'job'],
			...Array(9).fill('count'),
			'sums',
			...Array(9).fill('summed'),
			'totals',
			'version',
		].toSorted(),
	);
	expect(left.find(([key]) => key.startsWith('totals:'))?.[1]).toMatchObject([
		{ day: '2026-11-20', command: 'imagine', calls: 1, pictures: 2 },
	]);
	expect(await fixture.space.members('months', { limit: 9 })).toEqual([]);
	// The members' totals have ids alone, and everything else expires.
	const kept = await Promise.all(
		left.map(async ([key]) => ((await fixture.space.keyv.getRaw(key))?.expires ? [] : [key])),
	);
	expect(kept.flat().sort()).toEqual(['sums:test:club', 'totals:test:club:2026-11:Ada Lovelace', 'version:test:club']);
});

test('the receipt of a job that has not ended in an answer stays', async () => {
	const fixture = await createLedgerFixture();
	const { ledger, clock, granted, sent } = fixture;
	const settled = await ledger.settle(await sent(await granted()), 'unknown', 0);
	clock.now += 400 * DAY_MS;
	await ledger.sumUpOldReceipts();
	expect(await Array.fromAsync(ledger.receipts(PLACE, EVER))).toHaveLength(1);
	expect((await ledger.settle(settled, 'failed', 0)).state).toBe('unknown');
});
