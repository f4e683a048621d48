import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Asks as often as given and says when each turn came, in milliseconds. */
async function turns(ask: () => Promise<void>, count: number): Promise<number[]> {
	const at: number[] = [];
	const start = performance.now();
	const all = Promise.all(Array.from({ length: count }, () => ask().then(() => at.push(performance.now() - start))));
	await vi.advanceTimersByTimeAsync(3600_000);
	await all;
	return at;
}

/** The most that fall into one minute. */
const mostInAMinute = (at: readonly number[]) =>
	Math.max(0, ...at.map((start) => at.filter((one) => one >= start && one < start + 60_000).length));

describe('the pace', () => {
	test.each([
		['chat.startStream', 20],
		['chat.stopStream', 20],
		['chat.update', 50],
		['chat.appendStream', 100],
		['chat.postMessage', 300],
		['a.method.nobody.knows', 50],
	])('of %s is at most %d a minute, and not much less', async (method, limit) => {
		const pace = createRateLimiter();
		const at = await turns(() => pace('T1', method), limit * 3);
		expect(mostInAMinute(at)).toBeLessThanOrEqual(limit);
		expect(mostInAMinute(at)).toBeGreaterThanOrEqual(limit * 0.9);
	});

	test('lets a few through at once, in the order in which they ask', async () => {
		const pace = createRateLimiter();
		const order: number[] = [];
		for (let index = 0; index < 10; index++) void pace('T1', 'chat.update').then(() => order.push(index));
		await vi.advanceTimersByTimeAsync(0);
		expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		expect(pace.ahead('T1', 'chat.update')).toBeGreaterThan(1000);
	});

	test('tells how many more would go at once', async () => {
		const pace = createRateLimiter();
		expect(pace.spare('T1', 'chat.update')).toBe(10);
		for (let index = 0; index < 4; index++) void pace('T1', 'chat.update');
		expect(pace.spare('T1', 'chat.update')).toBe(6);
		for (let index = 0; index < 20; index++) void pace('T1', 'chat.update');
		expect(pace.spare('T1', 'chat.update')).toBe(0);
		await vi.advanceTimersByTimeAsync(120_000);
		expect(pace.spare('T1', 'chat.update')).toBe(10);
	});

	test('of one workspace or method is not that of another', async () => {
		const pace = createRateLimiter();
		for (let index = 0; index < 100; index++) void pace('T1', 'chat.update');
		expect(pace.ahead('T2', 'chat.update')).toBe(0);
		expect(pace.ahead('T1', 'chat.appendStream')).toBe(0);
	});

	test('of posts is one a second in each channel', async () => {
		const pace = createRateLimiter();
		const at = await turns(() => pace('T1', 'chat.postMessage', 'C1'), 10);
		expect(at.at(-1)).toBeGreaterThanOrEqual(7000);
		expect(pace.ahead('T1', 'chat.postMessage', 'C2')).toBe(0);
	});

	test('waits as long as Slack says', async () => {
		const pace = createRateLimiter();
		pace.pushBack('T1', 'chat.appendStream', 30_000);
		const [first = 0, second = 0] = await turns(() => pace('T1', 'chat.appendStream'), 2);
		expect(first).toBeGreaterThanOrEqual(30_000);
		expect(second - first).toBeGreaterThanOrEqual(700);
		expect(pace.ahead('T2', 'chat.appendStream')).toBe(0);
	});

	test('leaves no timer when nobody waits', async () => {
		const pace = createRateLimiter();
		await turns(() => pace('T1', 'chat.startStream'), 30);
		expect(vi.getTimerCount()).toBe(0);
	});

	test('holds whenever one asks', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.integer({ min: 0, max: 9000 }), { minLength: 1, maxLength: 120 }),
				fc.constantFrom('chat.startStream', 'chat.update', 'chat.appendStream'),
				async (pauses, method) => {
					const pace = createRateLimiter();
					const at: number[] = [];
					for (const pause of pauses) {
						void pace('T1', method).then(() => at.push(performance.now()));
						await vi.advanceTimersByTimeAsync(pause);
					}
					await vi.advanceTimersByTimeAsync(3600_000);
					const limit = { 'chat.startStream': 20, 'chat.update': 50, 'chat.appendStream': 100 }[method];
					expect(at).toHaveLength(pauses.length);
					expect(mostInAMinute(at)).toBeLessThanOrEqual(limit);
				},
			),
			{ numRuns: 60 },
		);
	});
});
