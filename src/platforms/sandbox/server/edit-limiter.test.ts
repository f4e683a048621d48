import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EditLimiter } from './edit-limiter.ts';

/** A clock that advances only by waiting. */
function clock() {
	let time = 0;
	return {
		now: () => time,
		advance: (ms: number) => {
			time += ms;
		},
		async wait(ms: number) {
			time += ms;
		},
	};
}

test('allows at most `count` edits in any `perMs`, and delays none longer than needed', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 6 }),
			fc.integer({ min: 1, max: 5000 }),
			fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 30 }),
			async (count, perMs, pauses) => {
				const { now, advance, wait } = clock();
				const limiter = new EditLimiter(wait, now);
				const times: number[] = [];
				for (const pause of pauses) {
					advance(pause);
					const start = now();
					await limiter.wait('channel', { count, perMs });
					times.push(now());
					const earlier = times.at(-1 - count);
					if (earlier !== undefined) expect(now() - earlier).toBeGreaterThanOrEqual(perMs);
					expect(now()).toBe(Math.max(start, (earlier ?? Number.NEGATIVE_INFINITY) + perMs));
				}
			},
		),
	);
});

test('limits each key separately, in order', async () => {
	const { now, wait } = clock();
	const limiter = new EditLimiter(wait, now);
	const limit = { count: 1, perMs: 100 };
	const order: string[] = [];
	await Promise.all(['a1', 'a2', 'b1'].map((name) => limiter.wait(name.charAt(0), limit).then(() => order.push(name))));
	expect(order.indexOf('a1')).toBeLessThan(order.indexOf('a2'));
	expect(order[2]).toBe('a2');
	expect(now()).toBe(100);
});
