import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { TokenUsage } from '../domain/job.ts';
import { personKey } from '../store/store.ts';
import { jobs, refundableCalls } from './jobs.ts';
import { createLedgerFixture, PLACE } from './ledger.fixture.ts';
import { readReport } from './report/report.ts';
import { addErasedMember, isErasedMember, totalsOf, unnameTotal, withoutReceipts } from './totals.ts';

const DAY_MS = 24 * 3600_000;
const ZONE = 'America/New_York';
const MONTHS = ['2026-11', '2026-12', '2027-01', '2027-02', '2027-03', '2027-04', '2027-05', '2027-06'];

type Fixture = Awaited<ReturnType<typeof createLedgerFixture>>;

afterEach(() => {
	vi.useRealTimers();
});

/** Lets time pass for the ledger and for what the store lets expire. */
function wait({ clock }: Fixture, ms: number): void {
	clock.now += ms;
	vi.setSystemTime(clock.now);
}

async function createFixture(): Promise<Fixture> {
	vi.useFakeTimers({ toFake: ['Date'] });
	const fixture = await createLedgerFixture({ imagesPerMonth: 5, price: 30 });
	vi.setSystemTime(fixture.clock.now);
	return fixture;
}

/** Returns what a report says, except for names and single calls. */
async function reportOf({ easel }: Fixture, month: string) {
	const { members, totals, commands, days } = await readReport(easel, PLACE, month);
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
	const job = await sent(await granted(person, { what }));
	await ledger.end(job, { outcome, pictures: outcome === 'succeeded' && !what ? 2 : 0, tokens });
}

test('a report says the same when some receipts have expired, and when all have', async () => {
	const step = fc.record({
		person: fc.constantFrom('ada', 'Bjorn: 2 %'),
		outcome: fc.constantFrom('succeeded' as const, 'failed' as const, 'unknown' as const),
		what: fc.constantFrom('chat' as const, undefined),
		tokens: fc.constantFrom({ input: 12, output: 100 }, { input: 0, output: 3 }, undefined),
		hours: fc.integer({ min: 0, max: 200 }),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
			const fixture = await createFixture();
			await fixture.changeSettings({ timeZone: ZONE, overageMills: 1_000_000 });
			let made = 0;
			for (const { person, outcome, what, tokens, hours } of steps) {
				await call(fixture, person, outcome, { what, tokens });
				if (!what && outcome !== 'failed') made += 1;
				wait(fixture, hours * 3600_000);
			}
			const read = () => Promise.all(MONTHS.map((month) => reportOf(fixture, month)));
			const before = await read();
			expect(before.reduce((sum, { totals }) => sum + totals.calls, 0)).toBe(made);
			for (const later of [20, 400]) {
				wait(fixture, later * DAY_MS);
				expect(await read()).toEqual(before);
			}
			expect(await fixture.receipts()).toEqual([]);
		}),
		{ numRuns: 40 },
	);
});

test('calls of concurrent settlements are all counted', async () => {
	const fixture = await createFixture();
	await fixture.changeSettings({ overageMills: 1_000_000 });
	await Promise.all(Array.from({ length: 20 }, () => call(fixture, 'ada', 'succeeded')));
	expect(await totalsOf(fixture.space, PLACE, '2026-11')).toMatchObject([
		{ person: 'ada', day: '2026-11-20', command: 'imagine', calls: 20, pictures: 40 },
	]);
});

test('totals without receipts are what receipts do not say', async () => {
	const fixture = await createFixture();
	await call(fixture, 'ada', 'succeeded');
	wait(fixture, 29 * DAY_MS);
	const before = await totalsOf(fixture.space, PLACE, '2026-11');
	expect(await withoutReceipts(before, await fixture.receipts())).toEqual([]);
	wait(fixture, 2 * DAY_MS);
	expect(await withoutReceipts(before, await fixture.receipts())).toEqual(before);
});

test('of a call of last year only totals are left, without a name', async () => {
	const fixture = await createFixture();
	await call(fixture, 'Ada Lovelace', 'succeeded');
	wait(fixture, 400 * DAY_MS);
	const left = await Array.fromAsync(fixture.space.list(''));
	expect(left.map(([key]) => key)).toEqual(['total:test:club:2026-11:Ada%20Lovelace 2026-11-20 imagine']);
});

test('an erasure moves totals and receipts to a random id, once, and not what comes later', async () => {
	const fixture = await createFixture();
	const { space, receipts, easel, verify } = fixture;
	const person = { platform: PLACE.platform, server: PLACE.server, id: 'ada' };
	for (const outcome of ['succeeded', 'unknown', 'failed'] as const) await call(fixture, 'ada', outcome);
	await call(fixture, 'bob', 'succeeded');
	const before = await reportOf(fixture, '2026-11');
	await addErasedMember(space, personKey(person), fixture.clock.now);
	for (const receipt of await receipts())
		if (receipt.person.id === 'ada')
			await jobs.declared.unname?.(space, { key: '', value: receipt, person }, fixture.clock.now);
	const keys = await Array.fromAsync(space.list('total:'), ([key]) => key);
	const own = keys.filter((key) => key.includes(':ada '));
	await Promise.all([...own, ...own].map((key) => unnameTotal(space, { key, person })));
	await call(fixture, 'ada', 'succeeded');

	const after = await reportOf(fixture, '2026-11');
	expect(after.totals.calls).toBe(before.totals.calls + 1);
	const [erased] = after.members.filter(({ id }) => isErasedMember(id));
	expect(erased?.unknown).toBe(1);
	expect((await Array.fromAsync(refundableCalls(easel, PLACE))).map(({ person: { id } }) => id)).toEqual([erased?.id]);
	expect(await verify()).toEqual([]);
});
