import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pace } from './calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Takes turns at once. Returns when each came, in milliseconds from now. */
async function turns(pace: Pace, count: number, method: string, channel?: string): Promise<number[]> {
	const from = performance.now();
	const all = Array.from({ length: count }, () =>
		pace.turn('T1', method, channel).then(() => performance.now() - from),
	);
	await vi.runAllTimersAsync();
	return Promise.all(all);
}

const mostWithin = (ms: number, at: readonly number[]) =>
	Math.max(0, ...at.map((start) => at.filter((one) => one >= start && one < start + ms).length));

test.each([
	['conversations.history', 50],
	['chat.update', 50],
	['chat.postEphemeral', 100],
	['views.open', 100],
	['files.completeUploadExternal', 100],
	['chat.postMessage', 300],
	['an.unknown.method', 50],
])('%s is called at most %d times in any minute, and at least nine tenths of that', async (method, limit) => {
	const at = await turns(new Pace(), limit * 3, method);
	expect(at).toEqual(at.toSorted((a, b) => a - b));
	expect(mostWithin(60_000, at)).toBeLessThanOrEqual(limit);
	expect(mostWithin(60_000, at)).toBeGreaterThanOrEqual(limit * 0.9);
});

test('as many forms as people ask for are opened at once', async () => {
	const pace = new Pace();
	for (let form = 0; form < 90; form++) await pace.turn('T1', 'views.open', undefined, 0);
});

test('three messages are posted at once in a channel, and then one a second', async () => {
	const pace = new Pace();
	expect(await turns(pace, 6, 'chat.postMessage', 'C1')).toEqual([0, 0, 0, 1000, 2000, 3000]);
	expect(pace.waitMs('T1', 'chat.postMessage', 'C2')).toBe(0);
});

test('histories of an unlisted app are read once a minute', async () => {
	expect(await turns(new Pace({ isUnlisted: true }), 3, 'conversations.history')).toEqual([0, 60_000, 120_000]);
});

test('after a 429 no call comes for as long as Slack says, and then one after another', async () => {
	const pace = new Pace();
	pace.block('T1', 'chat.update', undefined, 30_000);
	const [first = 0, second = 0] = await turns(pace, 2, 'chat.update');
	expect(first).toBeGreaterThanOrEqual(30_000);
	expect(second - first).toBeGreaterThan(1000);
	pace.block('T1', 'chat.postMessage', 'C1', 30_000);
	expect([pace.waitMs('T1', 'chat.postMessage', 'C1'), pace.waitMs('T1', 'chat.postMessage', 'C2')]).toEqual([
		30_000, 0,
	]);
});

test('a turn that would take too long is refused, and takes no place', async () => {
	const pace = new Pace();
	await turns(pace, 3, 'chat.postMessage', 'C1');
	await expect(pace.turn('T1', 'chat.postMessage', 'C1', 500)).rejects.toMatchObject({ retryAfter: 1 });
	expect(pace.waitMs('T1', 'chat.postMessage', 'C1')).toBeCloseTo(1000, 0);
});

test('every method stays within its limit, whenever and in whatever mix calls are made', async () => {
	const methods = {
		'conversations.history': 50,
		'chat.update': 50,
		'files.info': 100,
		'chat.postEphemeral': 100,
	} as const;
	await fc.assert(
		fc.asyncProperty(
			fc.array(
				fc.record({
					method: fc.constantFrom(...(Object.keys(methods) as (keyof typeof methods)[])),
					count: fc.integer({ min: 1, max: 60 }),
					pauseMs: fc.integer({ min: 0, max: 40_000 }),
				}),
				{ minLength: 1, maxLength: 12 },
			),
			async (calls) => {
				const pace = new Pace();
				const made: { method: keyof typeof methods; at: Promise<number> }[] = [];
				for (const { method, count, pauseMs } of calls) {
					for (let call = 0; call < count; call++)
						made.push({ method, at: pace.turn('T1', method).then(() => performance.now()) });
					await vi.advanceTimersByTimeAsync(pauseMs);
				}
				await vi.runAllTimersAsync();
				for (const [method, limit] of Object.entries(methods)) {
					const at = await Promise.all(made.filter((one) => one.method === method).map((one) => one.at));
					expect(mostWithin(60_000, at)).toBeLessThanOrEqual(limit);
				}
			},
		),
		{ numRuns: 30 },
	);
});
