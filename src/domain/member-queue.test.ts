import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemberQueue } from './queues.ts';

const never = new AbortController().signal;
/** Resolves when everything that can happen now has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Lets members enter who have to wait, and returns a function that returns their positions. */
function lineOf(queue: MemberQueue, ...members: string[]) {
	const positions = new Map<string, () => number>();
	for (const member of members) void queue.enter(member, 1, never, (position) => void positions.set(member, position));
	return () => Object.fromEntries([...positions].map(([member, position]) => [member, position()]));
}

describe('the queue of members', () => {
	test('runs two requests of a member at once, and the third waits', async () => {
		const queue = new MemberQueue();
		const waits: string[] = [];
		const first = await queue.enter('ada', 2, never, () => waits.push('first'));
		await queue.enter('ada', 2, never, () => waits.push('second'));
		const third = queue.enter('ada', 2, never, (position) => waits.push(`third is ${position()}`));
		await settled();
		expect(waits).toEqual(['third is 1']);
		first();
		await third;
	});

	test('does not make a member wait for all requests of another', async () => {
		const queue = new MemberQueue(1);
		const order: string[] = [];
		async function ask(name: string, member: string) {
			const release = await queue.enter(member, 10, never);
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
		const first = await queue.enter('ada', 1, never);
		const second = queue.enter('bjorn', 1, never);
		const third = queue.enter('ada', 1, abort.signal);
		first();
		await second;
		abort.abort();
		await expect(third).rejects.toThrow();
		const line = lineOf(queue, 'ada', 'chiyo');
		expect(line()).toEqual({ ada: 1, chiyo: 2 });
	});

	test('tells the positions as the line moves', async () => {
		const queue = new MemberQueue(1);
		const first = await queue.enter('ada', 1, never);
		const bjorn = queue.enter('bjorn', 1, never);
		const line = lineOf(queue, 'chiyo', 'dilan');
		expect(line()).toEqual({ chiyo: 2, dilan: 3 });
		first();
		const second = await bjorn;
		expect(line()).toEqual({ chiyo: 1, dilan: 2 });
		second();
		expect(line()).toEqual({ chiyo: 1, dilan: 1 });
	});

	test('removes a request that is aborted', async () => {
		const queue = new MemberQueue(1);
		const running = await queue.enter('ada', 1, never);
		const controller = new AbortController();
		const aborted = queue.enter('bjorn', 1, controller.signal);
		const next = queue.enter('chiyo', 1, never);
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
						const release = await queue.enter(member, atOnce, never);
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
