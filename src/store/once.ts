import type { Space } from './store.ts';

/**
 * Creates a function that returns true for the first caller with a key within `ttlMs`, among all processes on this store, and
 * false for every other one. The entry expires after that time. The function rejects with `StoreError` when the store cannot
 * answer.
 */
export function createOnce({ commit }: Space) {
	return async (key: string, ttlMs: number): Promise<boolean> =>
		(await commit({ once: key, put: [{ key, value: true, ttlMs }] })) === 'done';
}
