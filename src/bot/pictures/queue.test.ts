import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createQueue } from './queue.ts';

const never = new AbortController().signal;
const quiet = () => {};
/** Lets everything that can go on go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue', () => {
	test('runs two of a member at once and lets the third wait', async () => {
		const queue = createQueue();
		const places: number[] = [];
		const first = await queue.enter('ada', 2, never, quiet);
		await queue.enter('ada', 2, never, quiet);
		const third = queue.enter('ada', 2, never, (place) => places.push(place));
		await settled();
		expect(places).toEqual([1]);
		first();
		await third;
	});

	test('makes nobody wait for all that somebody else asked', async () => {
		const queue = createQueue(1);
		const order: string[] = [];
		async function ask(name: string, member: string) {
			const release = await queue.enter(member, 10, never, quiet);
			order.push(name);
			await settled();
			release();
		}
		await Promise.all([ask('ada 1', 'ada'), ask('ada 2', 'ada'), ask('ada 3', 'ada'), ask('bjorn 1', 'bjorn')]);
		expect(order).toHaveLength(4);
		expect(order.indexOf('bjorn 1')).toBeLessThan(3);
	});

	test('tells everyone where they stand as the line moves', async () => {
		const queue = createQueue(1);
		const told: Record<string, number[]> = { bjorn: [], chiyo: [] };
		const first = await queue.enter('ada', 1, never, quiet);
		const bjorn = queue.enter('bjorn', 1, never, (place) => told['bjorn']?.push(place));
		void queue.enter('chiyo', 1, never, (place) => told['chiyo']?.push(place));
		first();
		await bjorn;
		expect(told).toEqual({ bjorn: [1], chiyo: [2, 1] });
	});

	test('forgets whoever gives up', async () => {
		const queue = createQueue(1);
		const running = await queue.enter('ada', 1, never, quiet);
		const giveUp = new AbortController();
		const gone = queue.enter('bjorn', 1, giveUp.signal, quiet);
		const next = queue.enter('chiyo', 1, never, quiet);
		giveUp.abort(new Error('no more'));
		await expect(gone).rejects.toThrow('no more');
		running();
		await next;
	});

	test('never runs more than it may, and always runs everybody', async () => {
		const requests = fc.array(
			fc.record({ member: fc.constantFrom('a', 'b', 'c'), atOnce: fc.integer({ min: 1, max: 3 }) }),
			{
				maxLength: 30,
			},
		);
		await fc.assert(
			fc.asyncProperty(requests, fc.integer({ min: 1, max: 5 }), async (asked, runAtOnce) => {
				const queue = createQueue(runAtOnce);
				const running = new Map<string, number>();
				let done = 0;
				await Promise.all(
					asked.map(async ({ member, atOnce }) => {
						const release = await queue.enter(member, atOnce, never, quiet);
						const mine = (running.get(member) ?? 0) + 1;
						running.set(member, mine);
						expect(mine).toBeLessThanOrEqual(3);
						expect([...running.values()].reduce((sum, count) => sum + count)).toBeLessThanOrEqual(runAtOnce);
						await settled();
						running.set(member, (running.get(member) ?? 0) - 1);
						done += 1;
						release();
					}),
				);
				expect(done).toBe(asked.length);
			}),
			{ numRuns: 100 },
		);
	});
});
