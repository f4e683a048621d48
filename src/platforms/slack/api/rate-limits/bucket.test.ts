import { expect, test } from 'vitest';
import { Bucket } from './bucket.ts';

test('takes a burst at once, then one call in each interval', () => {
	const bucket = new Bucket(100, 3);
	const times = Array.from({ length: 5 }, () => {
		const at = Math.max(1000, bucket.freeAt());
		bucket.take(at);
		return at;
	});
	expect(times).toEqual([1000, 1000, 1000, 1100, 1200]);
});

test('counts what is available, and refills with time', () => {
	const bucket = new Bucket(100, 3);
	expect(bucket.available(1000)).toBe(3);
	bucket.take(1000);
	bucket.take(1000);
	expect([1000, 1100, 1200, 9000].map((now) => bucket.available(now))).toEqual([1, 2, 3, 3]);
	expect(new Bucket(0, 3).available(1000)).toBe(3);
});

test('takes no burst after it was filled', () => {
	const bucket = new Bucket(100, 3);
	bucket.fillUntil(5000);
	expect(bucket.freeAt()).toBe(5000);
	bucket.take(5000);
	expect(bucket.freeAt()).toBe(5100);
	bucket.fillUntil(2000);
	expect(bucket.freeAt()).toBe(5100);
});
