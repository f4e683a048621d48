import { expect, test } from 'vitest';
import { CallWindow } from './call-window.ts';

test('takes all calls of a period at once, and each further one a period after the call that it replaces', () => {
	const window = new CallWindow(100, 3);
	const times = Array.from({ length: 8 }, (_, index) => {
		const at = Math.max(1000 + index, window.freeAt());
		window.take(at);
		return at;
	});
	expect(times).toEqual([1000, 1001, 1002, 1100, 1101, 1102, 1200, 1201]);
});

test('counts what is available', () => {
	const window = new CallWindow(100, 3);
	expect(window.available(1000)).toBe(3);
	window.take(1000);
	window.take(1050);
	expect([1050, 1099, 1100, 1150].map((now) => window.available(now))).toEqual([1, 1, 2, 3]);
	expect(new CallWindow(0, 3).available(1000)).toBe(3);
});

test('takes no call before the time that it is filled until', () => {
	const window = new CallWindow(100, 3);
	window.fillUntil(5000);
	window.fillUntil(2000);
	expect([window.freeAt(), window.available(4999), window.available(5000)]).toEqual([5000, 0, 3]);
});
