import { expect, test } from 'vitest';
import { KeyedQueue } from './keyed-queue.ts';

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
