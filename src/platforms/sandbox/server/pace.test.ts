import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

/** A clock that stands still until somebody waits on it. */
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

test('never lets more than `count` through in any `perMs`, and nobody waits longer than needed', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 6 }),
			fc.integer({ min: 1, max: 5000 }),
			fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 30 }),
			async (count, perMs, pauses) => {
				const { now, advance, wait } = clock();
				const pace = createPace(wait, now);
				const times: number[] = [];
				for (const pause of pauses) {
					advance(pause);
					const asked = now();
					await pace('room', { count, perMs });
					times.push(now());
					const earlier = times.at(-1 - count);
					if (earlier !== undefined) expect(now() - earlier).toBeGreaterThanOrEqual(perMs);
					expect(now()).toBe(Math.max(asked, (earlier ?? Number.NEGATIVE_INFINITY) + perMs));
				}
			},
		),
	);
});

test('is kept for each name apart, first come first served', async () => {
	const { now, wait } = clock();
	const pace = createPace(wait, now);
	const limit = { count: 1, perMs: 100 };
	const order: string[] = [];
	await Promise.all(['a1', 'a2', 'b1'].map((name) => pace(name.charAt(0), limit).then(() => order.push(name))));
	expect(order.indexOf('a1')).toBeLessThan(order.indexOf('a2'));
	expect(order[2]).toBe('a2');
	expect(now()).toBe(100);
});
