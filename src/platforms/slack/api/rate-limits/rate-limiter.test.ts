import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RateLimiter } from './rate-limiter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Makes calls at once and returns when each was let through, in milliseconds. */
async function turns(ask: () => Promise<void>, count: number): Promise<number[]> {
	const at: number[] = [];
	const start = performance.now();
	const all = Promise.all(Array.from({ length: count }, () => ask().then(() => at.push(performance.now() - start))));
	await vi.advanceTimersByTimeAsync(3600_000);
	await all;
	return at;
}

/** The most calls in any minute. */
const mostInAMinute = (at: readonly number[]) =>
	Math.max(0, ...at.map((start) => at.filter((one) => one >= start && one < start + 60_000).length));

describe('the rate limiter', () => {
	test.each([
		['users.list', 20],
		['chat.update', 50],
		['views.open', 100],
		['files.completeUploadExternal', 100],
		['chat.postMessage', 300],
		['an.unknown.method', 50],
	])('lets %s through at most %d times a minute, and at least 90 % of that', async (method, limit) => {
		const limiter = new RateLimiter();
		const at = await turns(() => limiter.wait('T1', method), limit * 3);
		expect(mostInAMinute(at)).toBeLessThanOrEqual(limit);
		expect(mostInAMinute(at)).toBeGreaterThanOrEqual(limit * 0.9);
	});

	test('lets a burst through at once, in order', async () => {
		const waits: number[] = [];
		const limiter = new RateLimiter(1, undefined, { onWait: (seconds) => waits.push(seconds) });
		const order: number[] = [];
		for (let index = 0; index < 10; index++) void limiter.wait('T1', 'chat.update').then(() => order.push(index));
		await vi.advanceTimersByTimeAsync(0);
		expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		expect(limiter.delayMs('T1', 'chat.update')).toBeGreaterThan(1000);
		expect(waits).toEqual([]);
		void limiter.wait('T1', 'chat.update');
		expect(waits).toEqual([expect.closeTo(1.5, 1)]);
	});

	test('lets all uploads of a minute through at once', async () => {
		const limiter = new RateLimiter();
		const at = await turns(() => limiter.wait('T1', 'files.getUploadURLExternal'), 101);
		expect([at[99], at[100]]).toEqual([0, 60_000]);
	});

	test('returns how many calls could be made at once', async () => {
		const limiter = new RateLimiter();
		expect(limiter.available('T1', 'chat.update')).toBe(10);
		for (let index = 0; index < 4; index++) void limiter.wait('T1', 'chat.update');
		expect(limiter.available('T1', 'chat.update')).toBe(6);
		for (let index = 0; index < 20; index++) void limiter.wait('T1', 'chat.update');
		expect(limiter.available('T1', 'chat.update')).toBe(0);
		await vi.advanceTimersByTimeAsync(120_000);
		expect(limiter.available('T1', 'chat.update')).toBe(10);
	});

	test('limits each workspace and method separately', async () => {
		const limiter = new RateLimiter();
		for (let index = 0; index < 100; index++) void limiter.wait('T1', 'chat.update');
		expect(limiter.delayMs('T2', 'chat.update')).toBe(0);
		expect(limiter.delayMs('T1', 'views.open')).toBe(0);
	});

	test('lets one post a second through in each channel', async () => {
		const limiter = new RateLimiter();
		const at = await turns(() => limiter.wait('T1', 'chat.postMessage', 'C1'), 10);
		expect(at.at(-1)).toBeGreaterThanOrEqual(7000);
		expect(limiter.delayMs('T1', 'chat.postMessage', 'C2')).toBe(0);
	});

	test('waits as long as Slack says', async () => {
		const limiter = new RateLimiter();
		limiter.block('T1', 'views.open', 30_000);
		const [first = 0, second = 0] = await turns(() => limiter.wait('T1', 'views.open'), 2);
		expect(first).toBeGreaterThanOrEqual(30_000);
		expect(second - first).toBeGreaterThanOrEqual(700);
		expect(limiter.delayMs('T2', 'views.open')).toBe(0);
	});

	test('forgets workspaces that were not called for longest', () => {
		const limiter = new RateLimiter();
		limiter.block('T0', 'chat.update', 60_000);
		for (let number = 1; number <= 20_000; number++) limiter.available(`T${number}`, 'chat.update');
		expect(limiter.delayMs('T0', 'chat.update')).toBe(0);
	});

	test('leaves no timer behind', async () => {
		const limiter = new RateLimiter();
		await turns(() => limiter.wait('T1', 'users.list'), 30);
		expect(vi.getTimerCount()).toBe(0);
	});

	test('stays within the limit for any timing of calls', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.integer({ min: 0, max: 9000 }), { minLength: 1, maxLength: 120 }),
				fc.constantFrom('users.list', 'chat.update', 'views.open', 'files.info'),
				async (pauses, method) => {
					const limiter = new RateLimiter();
					const at: number[] = [];
					for (const pause of pauses) {
						void limiter.wait('T1', method).then(() => at.push(performance.now()));
						await vi.advanceTimersByTimeAsync(pause);
					}
					await vi.advanceTimersByTimeAsync(3600_000);
					const limit = { 'users.list': 20, 'chat.update': 50, 'views.open': 100, 'files.info': 100 }[method];
					expect(at).toHaveLength(pauses.length);
					expect(mostInAMinute(at)).toBeLessThanOrEqual(limit);
				},
			),
			{ numRuns: 60 },
		);
	});
});
