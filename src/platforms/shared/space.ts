import type { Keyv } from 'keyv';

type Member = { index: string; member: string };

/**
 * A platform's own namespace of the store, as far as platforms use it. A change is made as a whole; indexes are in the order of their
 * members.
 */
export type PlatformSpace = {
	keyv: Keyv;
	commit(change: {
		once?: string;
		put?: readonly { key: string; value: unknown; ttlMs?: number }[];
		remove?: readonly string[];
		index?: readonly (Member & { ttlMs?: number })[];
		unindex?: readonly Member[];
	}): Promise<unknown>;
	members(index: string, page: { after?: string; limit: number; descending?: boolean }): Promise<string[]>;
	files: {
		put(name: string, bytes: Uint8Array, ttlMs: number): Promise<void>;
		get(name: string): Promise<Uint8Array | undefined>;
		delete(name: string): Promise<boolean>;
	};
};

/** Returns true the first time within `ttlMs`, in any process on the same store. */
export type Claim = (key: string, ttlMs: number) => Promise<boolean>;
