import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAutosave } from './answer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('saves at an interval, one call at a time, whether or not a call fails', async () => {
	const calls: PromiseWithResolvers<void>[] = [];
	const autosave = startAutosave(1000, () => {
		const call = Promise.withResolvers<void>();
		calls.push(call);
		return call.promise;
	});
	await vi.advanceTimersByTimeAsync(2500);
	expect(calls).toHaveLength(1);
	calls[0]?.reject(new Error('The store is gone'));
	await vi.advanceTimersByTimeAsync(1000);
	expect(calls).toHaveLength(2);

	let stopped = false;
	const stop = autosave.stop().then(() => {
		stopped = true;
	});
	await vi.advanceTimersByTimeAsync(5000);
	expect(stopped).toBe(false);
	calls[1]?.resolve();
	await stop;
	expect(calls).toHaveLength(2);
});
