import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyedQueue, MemoryBudget } from './queues.ts';

test('runs tasks of one key in order, and those of another key meanwhile', async () => {
	const queue = new KeyedQueue();
	const gate = Promise.withResolvers<void>();
	const done: string[] = [];
	const first = queue.run('a', async () => {
		await gate.promise;
		done.push('a1');
	});
	const second = queue.run('a', async () => void done.push('a2'));
	await queue.run('b', async () => void done.push('b1'));
	gate.resolve();
	await Promise.all([first, second]);
	expect(done).toEqual(['b1', 'a1', 'a2']);
});

test('returns the result of a task, and runs the next one after a failure', async () => {
	const queue = new KeyedQueue();
	const failed = queue.run('a', () => Promise.reject(new Error('broken')));
	const next = queue.run('a', async () => 7);
	await expect(failed).rejects.toThrow('broken');
	expect(await next).toBe(7);
});

/** Resolves when everything that can happen now has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a budget of memory', () => {
	test('is never exceeded, and all work ends, whatever its sizes and whatever is aborted', async () => {
		const work = fc.record({ files: fc.integer({ min: 0, max: 90 }), pixels: fc.integer({ min: 0, max: 140 }) });
		await fc.assert(
			fc.asyncProperty(
				fc.array(work, { maxLength: 20 }),
				fc.array(fc.nat(19), { maxLength: 5 }),
				async (all, aborted) => {
					const [files, pixels] = [new MemoryBudget(60), new MemoryBudget(100)];
					const held = { files: 0, pixels: 0 };
					const hold = async (kind: keyof typeof held, taken: number, next: () => Promise<void>) => {
						held[kind] += taken;
						expect(held.files <= 60 && held.pixels <= 100).toBe(true);
						await settled();
						await next();
						held[kind] -= taken;
					};
					const ended = all.map((one, index) => {
						const abort = new AbortController();
						const decode = () =>
							pixels.use(one.pixels, abort.signal, () =>
								hold('pixels', Math.min(100, one.pixels), async () => void (await settled())),
							);
						const run = files.use(one.files, abort.signal, () =>
							hold('files', Math.min(60, one.files), () => decode().catch(() => {})),
						);
						if (aborted.includes(index)) setImmediate(() => abort.abort());
						return run.catch((error) => expect(error).toBe(abort.signal.reason));
					});
					await Promise.all(ended);
					expect(held).toEqual({ files: 0, pixels: 0 });
					// All of it is free again.
					await files.use(60, undefined, async () => {});
					await pixels.use(100, undefined, async () => {});
				},
			),
			{ numRuns: 50 },
		);
	});

	test('serves in order, also what is large', async () => {
		const budget = new MemoryBudget(10);
		const order: number[] = [];
		const sizes = [6, 10, 1, 3];
		await Promise.all(sizes.map((size) => budget.use(size, undefined, async () => void order.push(size))));
		expect(order).toEqual(sizes);
	});
});
