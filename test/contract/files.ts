import { beforeEach, describe, expect, test } from 'vitest';
import type { Space, Store } from '../../src/store/store.ts';

const noise = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 7919) >> 3);

/**
 * Defines the tests that the files of every store must pass.
 *
 * @param opened returns the store, which is open while a test runs
 */
export function filesContract(name: string, opened: () => Store) {
	describe(`files of ${name}`, () => {
		let space: Space;
		beforeEach(() => {
			space = opened().space('contract');
		});

		test('are returned unchanged, under any name, until they are deleted', async () => {
			const files = [noise(0), noise(1), noise(5_000_000)];
			for (const [index, bytes] of files.entries()) await space.files.put(`kept:A%/${index}`, bytes);
			for (const [index, bytes] of files.entries())
				expect(Buffer.compare((await space.files.get(`kept:A%/${index}`)) ?? noise(9), bytes)).toBe(0);
			expect(await space.files.get('kept:a%/1')).toBeUndefined();
			expect((await space.files.names('kept:')).sort()).toEqual(['kept:A%/0', 'kept:A%/1', 'kept:A%/2']);
			expect(await space.files.delete('kept:A%/0')).toBe(true);
			expect(await space.files.delete('kept:A%/0')).toBe(false);
			expect(await space.files.names('kept:A%/0')).toEqual([]);
			for (const name of await space.files.names('kept:')) await space.files.delete(name);
		});

		test('are replaced when they are put again', async () => {
			await space.files.put('twice', noise(1000), 60_000);
			await space.files.put('twice', noise(10));
			expect(await space.files.get('twice')).toHaveLength(10);
			await space.files.delete('twice');
		});

		test('disappear when they expire', async () => {
			await space.files.put('short', noise(10), 1);
			await expect.poll(() => space.files.get('short'), { interval: 1 }).toBeUndefined();
			expect(await space.files.names('short')).toEqual([]);
			expect(await space.files.delete('short')).toBe(false);
		});

		test('belong to their space, and are not listed as entries', async () => {
			await space.files.put('mine', noise(10));
			expect(await opened().space('other').files.get('mine')).toBeUndefined();
			expect(await Array.fromAsync(space.list(''))).toEqual([]);
			await space.files.delete('mine');
		});

		test.each(['', 'two words', 'ä', 'x'.repeat(121)])('cannot be named %j', async (name) => {
			await expect(space.files.put(name, noise(1))).rejects.toThrow(TypeError);
		});

		test('are never mixed by concurrent puts', async () => {
			await Promise.all(Array.from({ length: 20 }, (_, index) => space.files.put('one', noise(1000 + index))));
			const { length } = (await space.files.get('one')) ?? noise(0);
			expect(length).toBeGreaterThanOrEqual(1000);
			await space.files.delete('one');
		});
	});
}
