import type { Keyv } from 'keyv';

/**
 * One atomic change: all of it or nothing, in one step, against every other process on the same store. keyv alone has no
 * increment and no compare-and-set, and get + set loses updates. An entry that has expired counts as absent.
 *
 * It is checked in the order `once`, then each `add`; it is written in the order `add`, `put`, `remove`.
 */
export type Change = {
	/** A key that must not exist yet. It is written (as `true`, unless `put` gives it a value) with the rest. */
	once?: string;
	/**
	 * Counters: whole numbers, 0 where absent; on the same key twice, both count. With `atMost`, the change is refused when
	 * the sum would pass it, unless `by` is negative: what is given back is always taken. A time to live is kept.
	 */
	add?: readonly { key: string; by: number; atMost?: number }[];
	put?: readonly { key: string; value: unknown }[];
	remove?: readonly string[];
};

/** `duplicate`: the `once` key exists. `refused`: the first counter, in the given order, that would pass its `atMost`. */
export type CommitResult = 'done' | 'duplicate' | { refused: string };

/** A keyv namespace and, beside it, the one door for changes that must not be lost. Keys are the namespace's own. */
export type Space = {
	/** Rejects with `StoreError` when the store can't answer, also where keyv by itself would hide it. */
	keyv: Keyv;
	/**
	 * Rejects with `StoreError` when the store can't answer, then nothing of it is known to have happened; or when an entry
	 * to `add` to is no whole number, then nothing has. Rejects with `TypeError` for a change that makes no sense.
	 */
	commit(change: Change): Promise<CommitResult>;
	/** Every entry whose key starts with `prefix`, in no order; entries changed meanwhile may be missed or seen old. */
	list(prefix: string): AsyncIterable<[key: string, value: unknown]>;
	files: Files;
};

/** The most characters of a file's name. */
export const MAX_NAME = 120;

/**
 * Bytes under names, megabytes of them: they are kept as they are, beside the entries. Names are of ASCII without spaces, at
 * most `MAX_NAME` long. Every call rejects with `StoreError` when the store can't do it.
 */
export type Files = {
	/** Resolves once they would survive the end of this process. */
	put(name: string, bytes: Uint8Array, ttlMs?: number): Promise<void>;
	get(name: string): Promise<Uint8Array | undefined>;
	/** Whether there was one. */
	delete(name: string): Promise<boolean>;
	/** In no order. */
	names(prefix: string): Promise<string[]>;
};

export type Store = {
	/** The same space for the same name. Names are of `a-z` and `-`. */
	space(name: string): Space;
	/** Rejects with `StoreError` when the store does not answer. */
	ping(): Promise<void>;
	/** Ends what was begun; every later call rejects with `StoreError`. */
	close(): Promise<void>;
};

/** The store can't be reached, is full, or answers nonsense: refuse, never serve. */
export class StoreError extends Error {
	override name = 'StoreError';
}
