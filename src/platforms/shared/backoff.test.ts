import { expect, test } from 'vitest';
import { Backoff } from './backoff.ts';

const pausesOf = (backoff: Backoff, count: number) => Array.from({ length: count }, () => backoff.fail());

test('doubles the pause with every failure, up to a minute', () => {
	const backoff = new Backoff(1000, () => 1);
	expect(pausesOf(backoff, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
	expect(backoff.failures).toBe(8);
});

test('shortens a pause by up to a half', () => {
	expect(pausesOf(new Backoff(1000, () => 0), 3)).toEqual([500, 1000, 2000]);
});

test('starts over after a success', () => {
	const backoff = new Backoff(20, () => 1);
	pausesOf(backoff, 5);
	backoff.succeed();
	expect(backoff.failures).toBe(0);
	expect(backoff.fail()).toBe(20);
});
