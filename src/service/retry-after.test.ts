import { expect, test } from 'vitest';
import { retryAfterSeconds } from './errors.ts';

const now = Date.UTC(2026, 10, 20, 12, 0, 0);

test.each([
	['0', 0],
	['120', 120],
	[' 1.5 ', 1.5],
	['Fri, 20 Nov 2026 12:00:30 GMT', 30],
	['Fri, 20 Nov 2026 11:00:00 GMT', 0],
	['2026-11-20T12:00:30Z', 30],
	[`${now / 1000 + 30}`, 30],
	[`${now + 30_000}`, 30],
	['-1', undefined],
	['soon', undefined],
	['', undefined],
	['1e9', undefined],
	[undefined, undefined],
])('%j is %j seconds', (value, seconds) => {
	expect(retryAfterSeconds(value, now)).toBe(seconds);
});
