import { expect, test } from 'vitest';
import { EditPace } from './live-text.ts';

const limit = { count: 5, perMs: 5000 };

test('spreads previews over the window and keeps one edit for the end', () => {
	const pace = new EditPace(limit);
	expect(pace.wait(0, false)).toBe(0);
	pace.succeeded(0, 0);
	expect(pace.wait(0, false)).toBe(1250);
	expect(pace.wait(0, true)).toBe(0);
	for (const at of [1250, 2500, 3750]) pace.succeeded(at, at);
	expect(pace.wait(3750, false)).toBe(1250);
	expect(pace.wait(3750, true)).toBe(0);
	pace.succeeded(3750, 3750);
	expect(pace.wait(3750, true)).toBe(1250);
});

test('waits as long as the platform delayed the last edit', () => {
	const pace = new EditPace(limit);
	pace.succeeded(0, 3000);
	expect(pace.wait(3000, false)).toBe(3000);
});

test('waits longer after each failure, up to 8 s', () => {
	const pace = new EditPace({ count: 50, perMs: 60_000 });
	const waits = Array.from({ length: 6 }, () => {
		pace.failed(0);
		return pace.wait(0, true);
	});
	expect(waits).toEqual([1000, 2000, 4000, 8000, 8000, 8000]);
	expect(pace.failures).toBe(6);
	pace.succeeded(8000, 8000);
	expect(pace.failures).toBe(0);
});
