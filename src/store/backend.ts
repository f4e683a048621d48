import type { FilesDriver } from './files/files.ts';
import type { CommitResult, IndexMember, IndexPage } from './store.ts';

/**
 * The part of a store that SQLite and Redis each implement; everything else is shared. Keys and names of indexes begin with their space
 * and a colon. Entries are texts as keyv serializes them, `{"value":…,"expires":…}`, and one that has expired counts as absent. Times are
 * Unix milliseconds. Every call rejects with `StoreError` when it cannot be done.
 */
export type Backend = {
	/** Returns the entries with these keys, as they are at one moment. */
	get(keys: readonly string[]): Promise<(string | undefined)[]>;
	/** Resolves once the change would survive the end of this process. */
	commit(change: StoredChange): Promise<CommitResult>;
	/** Returns whether any of the entries existed. */
	delete(keys: readonly string[]): Promise<boolean>;
	/** Deletes all entries whose key starts with `prefix`. */
	clear(prefix: string): Promise<void>;
	/** Deletes all indexes whose name starts with `prefix`. */
	clearIndexes(prefix: string): Promise<void>;
	/** Yields every entry whose key starts with `prefix`. */
	list(prefix: string): AsyncIterable<[key: string, entry: string]>;
	/** Returns one page of an index. */
	members(index: string, page: IndexPage): Promise<string[]>;
	/** Returns the files of one space. */
	files(space: string): FilesDriver;
	/**
	 * Copies all entries and indexes, as they are at one commit, to a new SQLite file, while processes use the store. `SnapshotFile`
	 * reads it.
	 */
	snapshot(path: string): Promise<void>;
	/** Rejects when a part of the store does not answer. The caller writes an entry besides. */
	ping(): Promise<void>;
	/** Returns what should be changed about the server's settings, a sentence each. */
	warnings(): Promise<string[]>;
	/** Finishes what was begun. */
	close(): Promise<void>;
};

/** A validated `Change` with keys and entries as they are stored. */
export type StoredChange = {
	/** `put` contains this key, too. */
	once?: string;
	add: readonly { key: string; by: number; atMost?: number; expires?: number }[];
	put: readonly { key: string; entry: string; expires?: number }[];
	remove: readonly string[];
	index: readonly (IndexMember & { expires?: number })[];
	unindex: readonly IndexMember[];
};

export const NO_CHANGE: StoredChange = { add: [], put: [], remove: [], index: [], unindex: [] };

/** The measured operations. Lists, whose readers decide how long they take, and what only backups do are not measured. */
const OPERATIONS = ['get', 'commit', 'delete', 'members', 'ping'] as const;
const FILE_OPERATIONS = ['file_put', 'file_get', 'file_delete', 'file_names'] as const;

export const STORE_OPERATIONS = [...OPERATIONS, ...FILE_OPERATIONS] as const;

export type StoreOperation = (typeof STORE_OPERATIONS)[number];

/** Receives how long each operation took, in seconds, and whether it failed. */
export type StoreObserver = (operation: StoreOperation, seconds: number, failed: boolean) => void;

/** Returns the backend, whose operations are reported. */
export function observedBackend(backend: Backend, observe: StoreObserver): Backend {
	return measured(backend, (name) => OPERATIONS.find((each) => each === name), observe);
}

/** Returns the files, whose operations are reported. */
export function observedFiles(files: FilesDriver, observe: StoreObserver): FilesDriver {
	return measured(files, (name) => FILE_OPERATIONS.find((each) => each === `file_${name}`), observe);
}

function measured<Target extends object>(
	target: Target,
	operationOf: (name: string) => StoreOperation | undefined,
	observe: StoreObserver,
): Target {
	return new Proxy(target, {
		get(_, name: string) {
			const method: (...args: unknown[]) => unknown = Reflect.get(target, name) as never;
			const call = method.bind(target);
			const operation = operationOf(name);
			if (name === 'files') return (space: string) => observedFiles(call(space) as FilesDriver, observe);
			if (operation === undefined) return call;
			return async (...args: unknown[]) => {
				const started = performance.now();
				let failed = true;
				try {
					const result = await call(...args);
					failed = false;
					return result;
				} finally {
					observe(operation, (performance.now() - started) / 1000, failed);
				}
			};
		},
	});
}
