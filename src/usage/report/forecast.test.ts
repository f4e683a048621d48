import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOf, forecastOf } from './summary.ts';

const ZONE = 'America/New_York';
/** November 2026, which begins with a day of 25 hours. */
const november = (...calls: number[]) =>
	daysOf('2026-11', ZONE).map((day, index) => ({ ...day, calls: calls[index] ?? 0 }));
const at = (time: string) => Temporal.ZonedDateTime.from(`${time}[${ZONE}]`).epochMilliseconds;
const free = { caps: {}, usd: 0, price: 0 };

test('continues at the pace of the past days', () => {
	const forecast = forecastOf(november(4, 2, 6), { ...free, now: at('2026-11-04T00:00') });
	expect(forecast).toEqual({ calls: 120, usd: 0, expected: Array(27).fill(4) });
});

test('counts the rest of today, also of a day with 25 hours', () => {
	const noon = forecastOf(november(10, 15), { ...free, now: at('2026-11-02T12:00') });
	expect(noon?.expected[0]).toBeCloseTo(25 / 1.5 / 2);
	const longDay = forecastOf(november(10), { ...free, now: at('2026-11-01T00:00') + 12.5 * 3_600_000 });
	expect(longDay?.expected.slice(0, 2)).toEqual([5, 10]);
});

test('does not extrapolate the first minutes of a month', () => {
	expect(forecastOf(november(3), { ...free, now: at('2026-11-01T00:05') })?.calls).toBeLessThan(100);
});

test('is undefined for a month that is over or has not begun', () => {
	expect(forecastOf(november(3), { ...free, now: at('2026-12-01T00:00') })).toBeUndefined();
	expect(forecastOf(november(3), { ...free, now: at('2026-11-01T00:00') - 1 })).toBeUndefined();
	expect(forecastOf(november(3), { ...free, now: at('2026-11-30T23:59:59') })).toBeDefined();
});

test('is limited by a daily cap, also for the rest of today', () => {
	const forecast = forecastOf(november(40, 0, 7), { ...free, caps: { day: 8 }, now: at('2026-11-03T12:00') });
	expect(forecast?.expected).toEqual([1, ...Array(27).fill(8)]);
});

test('is limited by a monthly cap, and names the day on which it is used up', () => {
	const forecast = forecastOf(november(10), { ...free, caps: { month: 35 }, now: at('2026-11-02T00:00') });
	expect(forecast).toMatchObject({ calls: 35, exhaustedOn: '2026-11-04' });
	expect(forecast?.expected.slice(0, 4)).toEqual([10, 10, 5, 0]);
});

test('names today for a cap that is reached already, also when it was lowered since', () => {
	for (const month of [10, 4]) {
		const forecast = forecastOf(november(10), { ...free, caps: { month }, now: at('2026-11-02T00:00') });
		expect(forecast).toMatchObject({ calls: 10, exhaustedOn: '2026-11-02' });
	}
});

test('adds the price of each call beyond the plan, up to the overage', () => {
	const beyond = { usd: 60, price: 30, now: at('2026-11-03T00:00') };
	expect(forecastOf(november(2, 2), { ...beyond, caps: {} })).toMatchObject({ calls: 60, usd: 60 + 56 * 30 });
	expect(forecastOf(november(2, 2), { ...beyond, caps: { overage: 150 } })).toMatchObject({
		calls: 7,
		usd: 150,
		exhaustedOn: '2026-11-04',
	});
});

test('is limited by what calls may cost in a day and a month, at what they have cost on average', () => {
	const days = november(10, 10).map((day, index) => ({ ...day, usd: index < 2 ? 500_000 : 0 }));
	const pace = { usd: 1_000_000, price: 50_000, hasPrices: true, now: at('2026-11-03T00:00') };
	const month = forecastOf(days, { ...pace, caps: { usdPerMonth: 2_250_000, overage: 0 } });
	expect(month).toMatchObject({ calls: 45, usd: 2_250_000, exhaustedOn: '2026-11-05' });
	const day = forecastOf(days, { ...pace, caps: { usdPerDay: 200_000 } });
	expect(day).toMatchObject({ calls: 20 + 28 * 4, usd: 1_000_000 + 28 * 200_000 });
});

test('never exceeds a cap that is not exceeded yet, and never falls below the calls made', () => {
	fc.assert(
		fc.property(
			fc.array(fc.nat(20), { minLength: 1, maxLength: 30 }),
			fc.double({ min: 0, max: 0.999, noNaN: true }),
			fc.record(
				{ day: fc.integer({ min: 0, max: 30 }), month: fc.nat(700), overage: fc.nat(5000) },
				{ requiredKeys: [] },
			),
			fc.constantFrom(0, 30, 35),
			(calls, fraction, caps, price) => {
				const days = november(...calls);
				const today = days[calls.length - 1]!;
				const now = today.starts + Math.floor((today.ends - today.starts) * fraction);
				const made = calls.reduce((sum, each) => sum + each, 0);
				const forecast = forecastOf(days, { now, caps, usd: 0, price })!;
				expect(forecast.calls).toBeGreaterThanOrEqual(made);
				expect(forecast.calls).toBeLessThanOrEqual(Math.max(made, caps.month ?? Infinity));
				if (price > 0) expect(forecast.usd).toBeLessThanOrEqual(caps.overage ?? Infinity);
				for (const [index, expected] of forecast.expected.entries()) {
					expect(expected).toBeGreaterThanOrEqual(0);
					const day = days[calls.length - 1 + index]!;
					expect(expected + day.calls).toBeLessThanOrEqual(Math.max(day.calls, caps.day ?? Infinity));
				}
			},
		),
	);
});
