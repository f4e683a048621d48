import { expect, test } from 'vitest';
import { InvalidRequests } from './invalid-requests.ts';

const response = (status: number, scope = 'user') => ({ status, headers: new Headers({ 'X-RateLimit-Scope': scope }) });

test('counts 401, 403 and 429, except shared rate limits, for ten minutes', () => {
	let now = Date.parse('2026-01-01T10:00:30Z');
	const invalid = new InvalidRequests({ limit: 5, reserve: 1 }, () => now);
	for (const status of [200, 204, 400, 404, 500]) expect(invalid.add(response(status))).toBe(false);
	expect(invalid.add(response(429, 'shared'))).toBe(false);
	for (const status of [401, 403, 429]) expect(invalid.add(response(status))).toBe(true);
	expect(invalid.count).toBe(3);
	expect(invalid.isExhausted).toBe(false);
	now += 9 * 60_000;
	invalid.add(response(403));
	expect(invalid).toMatchObject({ count: 4, isExhausted: true });
	now += 2 * 60_000;
	expect(invalid).toMatchObject({ count: 1, isExhausted: false });
	now += 60 * 60_000;
	expect(invalid.count).toBe(0);
});
