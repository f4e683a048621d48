import type { Space } from './store.ts';

/**
 * Creates a function that returns true for the first caller with a key within `ttlMs`, among all processes on this store, and
 * false for every other one. The entry expires after that time. The function rejects with `StoreError` when the store cannot
 * answer.
 *
 * @param now returns Unix milliseconds
 */
export function createOnce({ keyv, commit }: Space, now: () => number = Date.now) {
	/** Writes the keys atomically, and makes them expire after that: a commit cannot set a time to live. */
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
		// It has expired since the claim.
		if (until === undefined) return claim(key, key, ttlMs);
		if (until > now()) return false;
		// The previous claimant crashed before it could set a time to live: one of those who notice takes the key over.
		return claim(`${key}:after:${until}`, key, ttlMs);
	};
}
