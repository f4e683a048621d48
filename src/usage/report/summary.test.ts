import fc from 'fast-check';
import { expect, test } from 'vitest';
import { translatorFor } from '../../i18n/translator.ts';
import { sumOf } from '../totals.ts';
import { windowsAt } from '../windows.ts';
import { receipt } from './receipts.fixture.ts';
import { daysOf, monthName, type ReportOptions, summarize } from './summary.ts';

const NEW_YORK = 'America/New_York';
const bob = { id: '333', name: 'Bob' };
const options = (changes: Partial<ReportOptions> = {}): ReportOptions => ({
	month: '2026-11',
	timeZone: NEW_YORK,
	caps: {},
	now: Date.UTC(2027, 0, 1),
	price: 30_000,
	...changes,
});
const at = (time: string, zone = NEW_YORK) => `${time}[${zone}]`;

test('counts calls of unknown outcome, and not failed ones', async () => {
	const report = await summarize(
		[
			receipt(at('2026-11-02T10:00'), { pictures: 4 }),
			receipt(at('2026-11-02T11:00'), { outcome: 'failed', pictures: 0 }),
			receipt(at('2026-11-03T10:00'), { person: bob, command: 'edit', usd: 30_000 }),
			receipt(at('2026-11-03T11:00'), { person: bob, outcome: 'unknown', pictures: 0, usd: 30_000 }),
		],
		options(),
	);
	expect(report.members).toEqual([
		{ ...bob, calls: 2, pictures: 1, failed: 0, unknown: 1, usd: 60_000 },
		{ id: '222222222222222222', name: 'Ada', calls: 1, pictures: 4, failed: 1, unknown: 0, usd: 0 },
	]);
	expect(report.totals).toEqual({ calls: 3, pictures: 5, failed: 1, unknown: 1, usd: 60_000 });
	expect(report.commands).toEqual(['imagine', 'edit']);
	expect(report.days[1]).toMatchObject({ id: '2026-11-02', calls: 1 });
	expect([...(report.days[2]?.byCommand ?? [])]).toEqual([
		['edit', 1],
		['imagine', 1],
	]);
});

test("assigns calls to months by the time of their reservation, in the server's zone", async () => {
	const receipts = [
		receipt(at('2026-10-31T23:59:59')),
		receipt(at('2026-11-01T00:00')),
		receipt(at('2026-11-30T23:59:59'), { settledAt: Date.UTC(2026, 11, 2) }),
		receipt(at('2026-12-01T00:00')),
	];
	const months = ['2026-10', '2026-11', '2026-12'];
	const calls = await Promise.all(
		months.map(async (month) => (await summarize(receipts, options({ month }))).totals.calls),
	);
	expect(calls).toEqual([1, 2, 1]);
});

test('counts both occurrences of a repeated hour in the same day', async () => {
	const first = Temporal.Instant.from('2026-11-01T05:30Z').epochMilliseconds; // 01:30 EDT
	const second = Temporal.Instant.from('2026-11-01T06:30Z').epochMilliseconds; // 01:30 EST
	const { days } = await summarize([receipt(first), receipt(second)], options());
	expect(days).toHaveLength(30);
	expect(days[0]).toMatchObject({ id: '2026-11-01', calls: 2, ends: days[0]!.starts + 25 * 3_600_000 });
});

test('omits a day that the zone skipped', async () => {
	const apia = { month: '2011-12', timeZone: 'Pacific/Apia' };
	const receipts = [
		receipt(at('2011-12-29T23:59', apia.timeZone)),
		receipt(at('2011-12-31T00:00', apia.timeZone)),
		receipt(at('2012-01-01T00:00', apia.timeZone)),
	];
	const { days, totals } = await summarize(receipts, options(apia));
	expect(totals.calls).toBe(2);
	expect(days.slice(-3).map(({ id, calls }) => [id, calls])).toEqual([
		['2011-12-28', 0],
		['2011-12-29', 1],
		['2011-12-31', 1],
	]);
});

test('uses the latest name of a member, in any order of receipts', async () => {
	const old = receipt(at('2026-11-02T10:00'), { person: { ...bob, name: 'Robert' } });
	const renamed = receipt(at('2026-11-03T10:00'), { person: bob });
	for (const receipts of [
		[old, renamed],
		[renamed, old],
	]) {
		const { members } = await summarize(receipts, options());
		expect(members).toMatchObject([{ name: 'Bob', calls: 2 }]);
	}
});

test('accepts receipts from an async iterable', async () => {
	async function* stored() {
		yield receipt(at('2026-11-02T10:00'));
		yield receipt(at('2026-11-02T10:01'));
	}
	expect((await summarize(stored(), options())).totals.calls).toBe(2);
});

test.each(['2026-13', '2026-1', 'November', '2026-11-05', ''])('rejects the month %j', async (month) => {
	await expect(summarize([], options({ month }))).rejects.toThrow(
		new RangeError('A month must be written as year and month: 2026-11.'),
	);
});

test('formats months in several languages', () => {
	expect(monthName(translatorFor(), '2026-11')).toBe('November 2026');
	expect(monthName(translatorFor('ja'), '2026-11')).toBe('2026年11月');
	expect(monthName(translatorFor('zh-CN'), '2026-11')).toBe('2026年11月');
	expect(monthName(translatorFor('ru'), '2026-11')).toBe('ноябрь 2026 г.');
});

const zones = [
	'UTC',
	NEW_YORK,
	'Pacific/Apia',
	'Asia/Kathmandu',
	'Africa/Cairo',
	'America/Nuuk',
	'Australia/Lord_Howe',
];

test('days are the windows of counters, without gap or overlap', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...zones),
			fc.integer({ min: 2024, max: 2034 }),
			fc.integer({ min: 1, max: 12 }),
			fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
			(zone, year, number, fraction) => {
				const month = `${year}-${String(number).padStart(2, '0')}`;
				const days = daysOf(month, zone);
				for (const [index, day] of days.entries()) {
					expect(day.starts).toBe(days[index - 1]?.ends ?? day.starts);
					const instant = day.starts + Math.floor((day.ends - day.starts) * fraction);
					expect(windowsAt(instant, zone)).toMatchObject({
						day: { id: day.id, resetsAt: day.ends },
						month: { id: month },
					});
				}
			},
		),
		{ numRuns: 60 },
	);
});

test('totals are the sums of members, days and receipts', async () => {
	const call = fc.record({
		at: fc.integer({ min: Date.UTC(2026, 9, 28), max: Date.UTC(2026, 11, 4) }),
		command: fc.constantFrom('imagine', 'edit', 'compose'),
		person: fc.constantFrom('1', '2', '3').map((id) => ({ id, name: `Member ${id}` })),
		outcome: fc.constantFrom('succeeded' as const, 'failed' as const, 'unknown' as const),
		pictures: fc.nat(4),
		usd: fc.nat(100_000),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(call), fc.constantFrom(...zones), async (calls, timeZone) => {
			const report = await summarize(
				calls.map((changes) => receipt(changes.at, changes)),
				options({ timeZone }),
			);
			expect(sumOf(report.members)).toEqual(report.totals);
			expect(report.days.reduce((sum, day) => sum + day.calls, 0)).toBe(report.totals.calls);
			for (const day of report.days) {
				expect([...day.byCommand.values()].reduce((sum, count) => sum + count, 0)).toBe(day.calls);
			}
			expect(report.totals.calls + report.totals.failed).toBe(report.receipts.length);
			const inMonth = calls.filter((each) => windowsAt(each.at, timeZone).month.id === '2026-11');
			expect(report.receipts).toHaveLength(inMonth.length);
			expect(report.totals.usd).toBe(inMonth.reduce((sum, { usd }) => sum + usd, 0));
		}),
	);
});
