import type { KeyvStoreAdapter } from 'keyv';
import type { FilesDriver } from './files/files.ts';
import type { CommitResult, IndexMember, IndexPage } from './store.ts';

/**
 * The part that each kind of store implements; everything else is shared. Every call rejects with `StoreError` when it
 * cannot be done.
 */
export type Driver = {
	/** Returns keyv's namespace for a space. It contains no colon. */
	namespace(space: string): string;
	/**
	 * Returns keyv's storage adapter for one namespace. It never returns an expired entry.
	 *
	 * @param lazy whether writes are made as `Change.lazy` says
	 */
	storage(lazy: boolean): Omit<KeyvStoreAdapter, 'setMany'>;
	/** Resolves once the change would survive the end of this process. */
	commit(change: StoredChange): Promise<CommitResult>;
	/** Yields every unexpired entry whose key starts with `prefix`. */
	list(prefix: string): AsyncIterable<[key: string, entry: string]>;
	/** Returns one page of an index, whose name begins with the namespace. */
	members(index: string, page: IndexPage): Promise<string[]>;
	/** Returns the files of one namespace. */
	files(namespace: string): FilesDriver;
	/**
	 * Copies all entries and indexes, as they are at one commit, to a new SQLite file, while processes use the store. Keys and names of
	 * indexes begin with the space and a colon. `SnapshotFile` reads it.
	 */
	snapshot(path: string): Promise<void>;
	/** Deletes all entries and indexes of one namespace. */
	clear(namespace: string): Promise<void>;
	/** Rejects when a part of the store does not answer. The caller writes an entry besides. */
	ping(): Promise<void>;
	/** Returns what should be changed about the server's settings, a sentence each. */
	warnings(): Promise<string[]>;
	close(): Promise<void>;
};

/**
 * A validated `Change`. Keys and names of indexes are as stored, beginning with the namespace, and values are serialized as keyv
 * does it. Expiries are Unix milliseconds.
 */
export type StoredChange = {
	/** `put` contains this key, too. */
	once?: string;
	add: readonly { key: string; by: number; atMost?: number; expires?: number }[];
	put: readonly { key: string; entry: string; expires?: number }[];
	remove: readonly string[];
	index: readonly (IndexMember & { expires?: number })[];
	unindex: readonly IndexMember[];
	replicate: boolean;
	lazy: boolean;
};
