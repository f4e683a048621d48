import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemberQueue } from './member-queue.ts';

const never = new AbortController().signal;
const quiet = () => {};
/** Resolves when everything that can happen now has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue of members', () => {
	test('runs two requests of a member at once, and the third waits', async () => {
		const queue = new MemberQueue();
		const positions: number[] = [];
		const first = await queue.enter('ada', 2, never, quiet);
		await queue.enter('ada', 2, never, quiet);
		const third = queue.enter('ada', 2, never, (position) => positions.push(position));
		await settled();
		expect(positions).toEqual([1]);
		first();
		await third;
	});

	test('does not make a member wait for all requests of another', async () => {
		const queue = new MemberQueue(1);
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

	test('forgets a member whose last waiting request is aborted', async () => {
		const queue = new MemberQueue(1);
		const abort = new AbortController();
		const positions: string[] = [];
		const first = await queue.enter('ada', 1, never, quiet);
		const second = queue.enter('bjorn', 1, never, quiet);
		const third = queue.enter('ada', 1, abort.signal, quiet);
		first();
		await second;
		abort.abort();
		await expect(third).rejects.toThrow();
		void queue.enter('ada', 1, never, (position) => positions.push(`ada ${position}`));
		void queue.enter('chiyo', 1, never, (position) => positions.push(`chiyo ${position}`));
		expect(positions).toEqual(['ada 1', 'chiyo 2']);
	});

	test('reports the positions as the line moves', async () => {
		const queue = new MemberQueue(1);
		const positions: Record<string, number[]> = { bjorn: [], chiyo: [] };
		const first = await queue.enter('ada', 1, never, quiet);
		const bjorn = queue.enter('bjorn', 1, never, (position) => positions['bjorn']?.push(position));
		void queue.enter('chiyo', 1, never, (position) => positions['chiyo']?.push(position));
		first();
		await bjorn;
		expect(positions).toEqual({ bjorn: [1], chiyo: [2, 1] });
	});

	test('removes a request that is aborted', async () => {
		const queue = new MemberQueue(1);
		const running = await queue.enter('ada', 1, never, quiet);
		const controller = new AbortController();
		const aborted = queue.enter('bjorn', 1, controller.signal, quiet);
		const next = queue.enter('chiyo', 1, never, quiet);
		controller.abort(new Error('no more'));
		await expect(aborted).rejects.toThrow('no more');
		running();
		await next;
	});

	test('keeps its limits and runs every request', async () => {
		const requests = fc.array(
			fc.record({ member: fc.constantFrom('a', 'b', 'c'), atOnce: fc.integer({ min: 1, max: 3 }) }),
			{
				maxLength: 30,
			},
		);
		await fc.assert(
			fc.asyncProperty(requests, fc.integer({ min: 1, max: 5 }), async (entries, runAtOnce) => {
				const queue = new MemberQueue(runAtOnce);
				const running = new Map<string, number>();
				let done = 0;
				await Promise.all(
					entries.map(async ({ member, atOnce }) => {
						const release = await queue.enter(member, atOnce, never, quiet);
						const count = (running.get(member) ?? 0) + 1;
						running.set(member, count);
						expect(count).toBeLessThanOrEqual(3);
						expect([...running.values()].reduce((sum, one) => sum + one)).toBeLessThanOrEqual(runAtOnce);
						await settled();
						running.set(member, (running.get(member) ?? 0) - 1);
						done += 1;
						release();
					}),
				);
				expect(done).toBe(entries.length);
			}),
			{ numRuns: 100 },
		);
	});
});
