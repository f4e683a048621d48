import { expect, test } from 'vitest';
import { MemberRates } from './member-rates.ts';

const COOLDOWN = { count: 1, seconds: 60 };

test('a member waits until the cooldown is over, and attempts do not extend it', () => {
	let now = 0;
	const rates = new MemberRates(() => now);
	expect(rates.take('ada', COOLDOWN)).toBe(0);
	now = 30_500;
	expect(rates.take('ada', COOLDOWN)).toBe(30);
	now = 60_000;
	expect(rates.wait('ada', COOLDOWN)).toBe(0);
	expect(rates.take('ada', COOLDOWN)).toBe(0);
	expect(rates.take('ada', COOLDOWN)).toBe(60);
	expect(rates.take('bjorn', COOLDOWN)).toBe(0);
});

test('a rate allows its requests at once, and then one whenever its share of the time is over', () => {
	let now = 1_000_000;
	const rates = new MemberRates(() => now);
	const burst = (count: number) =>
		Array.from({ length: count }, () => rates.take('ada', { count: 20, seconds: 60 })).filter((wait) => wait === 0);
	expect(burst(60)).toHaveLength(20);
	now += 2999;
	expect(burst(1)).toHaveLength(0);
	now += 1;
	expect(burst(2)).toHaveLength(1);
	now += 3_600_000;
	expect(burst(60)).toHaveLength(20);
});

test('without a cooldown nothing is remembered', () => {
	const rates = new MemberRates(() => 0);
	expect(rates.take('ada', { count: 1, seconds: 0 })).toBe(0);
	expect(rates.take('ada', COOLDOWN)).toBe(0);
});
