import type { Space } from './store.ts';

/**
 * Tells who comes first: true for the first who asks for a key within `ttlMs`, in whatever process on this store. What was asked
 * is forgotten after that time, so that it takes no room for good. Rejects with `StoreError` when the store can't answer.
 */
export function createOnce({ keyv, commit }: Space, now: () => number = Date.now) {
	/** Written down atomically, and given its end of life after that: a commit can't do so by itself. */
	async function claim(once: string, key: string, ttlMs: number): Promise<boolean> {
		const until = now() + ttlMs;
		const put = [...new Set([once, key])].map((one) => ({ key: one, value: until }));
		if ((await commit({ once, put })) !== 'done') return false;
		await Promise.all(put.map((one) => keyv.set(one.key, until, ttlMs)));
		return true;
	}

	return async (key: string, ttlMs: number): Promise<boolean> => {
		if (await claim(key, key, ttlMs)) return true;
		const until = await keyv.get<number>(key);
		// It has come to its end just now.
		if (until === undefined) return claim(key, key, ttlMs);
		if (until > now()) return false;
		// Whoever had it went down before it got an end: one of those who find it takes it over.
		return claim(`${key}:after:${until}`, key, ttlMs);
	};
}
