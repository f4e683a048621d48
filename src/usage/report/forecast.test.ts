import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOf } from './calendar.ts';
import { forecastOf } from './forecast.ts';

const ZONE = 'America/New_York';
/** November 2026, which begins with a day of 25 hours. */
const november = (...calls: number[]) =>
	daysOf('2026-11', ZONE).map((day, index) => ({ ...day, calls: calls[index] ?? 0 }));
const at = (time: string) => Temporal.ZonedDateTime.from(`${time}[${ZONE}]`).epochMilliseconds;
const free = { caps: {}, cost: 0, price: 0 };

test('goes on at the pace of the days that have passed', () => {
	const forecast = forecastOf(november(4, 2, 6), { ...free, now: at('2026-11-04T00:00') });
	expect(forecast).toEqual({ calls: 120, cost: 0, coming: Array(27).fill(4) });
});

test('counts the part of today that is left, on a long day too', () => {
	const noon = forecastOf(november(10, 15), { ...free, now: at('2026-11-02T12:00') });
	expect(noon?.coming[0]).toBeCloseTo(25 / 1.5 / 2);
	const longDay = forecastOf(november(10), { ...free, now: at('2026-11-01T00:00') + 12.5 * 3_600_000 });
	expect(longDay?.coming.slice(0, 2)).toEqual([5, 10]);
});

test('minutes into a month say nothing about it', () => {
	expect(forecastOf(november(3), { ...free, now: at('2026-11-01T00:05') })?.calls).toBeLessThan(100);
});

test('there is none for a month that is over, or not yet begun', () => {
	expect(forecastOf(november(3), { ...free, now: at('2026-12-01T00:00') })).toBeUndefined();
	expect(forecastOf(november(3), { ...free, now: at('2026-11-01T00:00') - 1 })).toBeUndefined();
	expect(forecastOf(november(3), { ...free, now: at('2026-11-30T23:59:59') })).toBeDefined();
});

test('a daily cap holds days to come down, and what is left of today', () => {
	const forecast = forecastOf(november(40, 0, 7), { ...free, caps: { day: 8 }, now: at('2026-11-03T12:00') });
	expect(forecast?.coming).toEqual([1, ...Array(27).fill(8)]);
});

test('a monthly cap ends it, and names the day', () => {
	const forecast = forecastOf(november(10), { ...free, caps: { month: 35 }, now: at('2026-11-02T00:00') });
	expect(forecast).toMatchObject({ calls: 35, spent: '2026-11-04' });
	expect(forecast?.coming.slice(0, 4)).toEqual([10, 10, 5, 0]);
});

test('a cap that was reached is spent today, also when it has been lowered since', () => {
	for (const month of [10, 4]) {
		const forecast = forecastOf(november(10), { ...free, caps: { month }, now: at('2026-11-02T00:00') });
		expect(forecast).toMatchObject({ calls: 10, spent: '2026-11-02' });
	}
});

test('beyond the plan each call costs, as far as the overage goes', () => {
	const beyond = { cost: 60, price: 30, now: at('2026-11-03T00:00') };
	expect(forecastOf(november(2, 2), { ...beyond, caps: {} })).toMatchObject({ calls: 60, cost: 60 + 56 * 30 });
	expect(forecastOf(november(2, 2), { ...beyond, caps: { overage: 150 } })).toMatchObject({
		calls: 7,
		cost: 150,
		spent: '2026-11-04',
	});
});

test('is never above a cap that has not been passed, nor below what was made', () => {
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
				const forecast = forecastOf(days, { now, caps, cost: 0, price })!;
				expect(forecast.calls).toBeGreaterThanOrEqual(made);
				expect(forecast.calls).toBeLessThanOrEqual(Math.max(made, caps.month ?? Infinity));
				if (price > 0) expect(forecast.cost).toBeLessThanOrEqual(caps.overage ?? Infinity);
				for (const [index, coming] of forecast.coming.entries()) {
					expect(coming).toBeGreaterThanOrEqual(0);
					const day = days[calls.length - 1 + index]!;
					expect(coming + day.calls).toBeLessThanOrEqual(Math.max(day.calls, caps.day ?? Infinity));
				}
			},
		),
	);
});
