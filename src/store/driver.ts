import type { KeyvStoreAdapter } from 'keyv';
import type { FilesDriver } from './files.ts';
import type { CommitResult } from './store.ts';

/** What a kind of store has to offer; all else is shared. Every call rejects with `StoreError` when it can't be done. */
export type Driver = {
	/** keyv's namespace of a space. It has no colon. */
	namespace(space: string): string;
	/** keyv's storage for one namespace. It never hands out an entry that has expired. */
	storage(): Omit<KeyvStoreAdapter, 'setMany'>;
	/** Resolves once the change would survive the end of this process. */
	commit(change: StoredChange): Promise<CommitResult>;
	/** Every entry that has not expired and whose key starts with `prefix`. */
	list(prefix: string): AsyncIterable<[key: string, entry: string]>;
	/** The files of one namespace. */
	files(namespace: string): FilesDriver;
	ping(): Promise<void>;
	close(): Promise<void>;
};

/** A `Change` that has been checked: keys as they are stored, namespace first, and values as keyv serializes them. */
export type StoredChange = {
	/** Is to be written like every other key: `put` has it as well. */
	once?: string;
	add: readonly { key: string; by: number; atMost?: number }[];
	put: readonly { key: string; entry: string }[];
	remove: readonly string[];
};
