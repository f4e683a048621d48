import { type DeserializedData, Keyv } from 'keyv';
import type { FileStore } from './files.ts';
import { type CommitResult, type IndexMember, type IndexPage, StoreError } from './store.ts';

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
	/** Deletes all entries whose key starts with `prefix`, and all indexes whose name does. */
	clear(prefix: string): Promise<void>;
	list(prefix: string): AsyncIterable<[key: string, entry: string]>;
	members(index: string, page: IndexPage): Promise<string[]>;
	/** The files that are kept beside the entries. */
	files: FileStore;
	/** Copies all entries and indexes, as they are at one commit, while processes use the store. */
	copyTo(target: CopyTarget): Promise<void>;
	/** Returns what should be changed about the server's settings, a sentence each. */
	warnings(): Promise<string[]>;
	/** Finishes what was begun. */
	close(): Promise<void>;
};

/** Receives a copy of a store. Of what it receives several times, the last is valid. */
export type CopyTarget = {
	/** @param entry the entry does not exist when it is undefined */
	set(key: string, entry: string | undefined, expires: number | null): void;
	clearIndex(index: string): void;
	addMember(index: string, member: string, expires: number | null): void;
};

/** A validated `Change` with keys and entries as they are stored. */
export type StoredChange = {
	/** `put` contains this key, too. */
	once?: string;
	add: readonly { key: string; field?: string; by: number; atMost?: number; expires?: number }[];
	put: readonly { key: string; entry: string; expires?: number }[];
	remove: readonly string[];
	index: readonly (IndexMember & { expires?: number; from?: string })[];
	unindex: readonly IndexMember[];
};

export const NO_CHANGE: StoredChange = { add: [], put: [], remove: [], index: [], unindex: [] };

/** The measured operations. Lists, whose readers decide how long they take, and what only backups do are not measured. */
export const STORE_OPERATIONS = [
	...(['get', 'commit', 'delete', 'members'] as const),
	...(['file_put', 'file_get', 'file_delete', 'file_names'] as const),
] as const;

export type StoreOperation = (typeof STORE_OPERATIONS)[number];

/** Receives how long each operation took, in seconds, and whether it failed. */
export type StoreObserver = (operation: StoreOperation, seconds: number, failed: boolean) => void;

/** Returns a backend, or with the prefix `file_` files, whose operations are reported. */
export function observed<Target extends object>(
	target: Target,
	observe: StoreObserver,
	prefix: '' | 'file_' = '',
): Target {
	return new Proxy(target, {
		get(_, name: string) {
			const member: unknown = Reflect.get(target, name);
			if (typeof member !== 'function') return member;
			const call = member.bind(target) as (...args: unknown[]) => unknown;
			const operation = STORE_OPERATIONS.find((each) => each === prefix + name);
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

/** Entries to write, by key. One of counters that exists keeps its expiry. */
type Writes = Map<string, { entry: string; expires?: number; keepsExpiry?: true }>;

/**
 * Returns the entries that a change adds to or puts, or why it is not made. The caller ensures that no other write comes between `read`
 * and its own. `redis.lua` implements the same rules.
 *
 * @param read returns an entry as keyv serialized it, `{"value":…,"expires":…}`, or undefined when it is absent or has expired
 * @throws StoreError when an entry of `add` is not a whole number, or would no longer be a safe integer
 */
export function evaluateChange(
	change: StoredChange,
	read: (key: string) => string | undefined,
): Writes | Exclude<CommitResult, 'done'> {
	if (change.once !== undefined && read(change.once) !== undefined) return 'duplicate';

	const writes: Writes = new Map();
	for (const { key, field, by, atMost, expires } of change.add) {
		const stored = writes.get(key)?.entry ?? read(key);
		const entry = stored ?? emptyCounter(field, expires);
		const { start, end } = findCounter(entry, field);
		const value = Number(entry.slice(start, end));
		if (!Number.isSafeInteger(value)) throw new StoreError('An entry in the store is not a counter.');
		const sum = value + by;
		if (by >= 0 && atMost !== undefined && sum > atMost) return { refused: key, field };
		if (!Number.isSafeInteger(sum))
			throw new StoreError('A counter in the store would exceed the largest safe integer.');
		if (by === 0) continue;
		const isNew = field !== undefined && start === end;
		const after = entry.slice(end);
		const counted = isNew ? `${JSON.stringify(field)}:${sum}${after.startsWith('}') ? '' : ','}` : sum;
		const expiry = writes.get(key) ?? (stored === undefined ? { expires } : { keepsExpiry: true });
		writes.set(key, { ...expiry, entry: entry.slice(0, start) + counted + after });
	}
	for (const { key, ...entry } of change.put) writes.set(key, entry);
	return writes;
}

const emptyCounter = (field: string | undefined, expires: number | undefined): string =>
	`{"value":${field === undefined ? 0 : '{}'}${expires === undefined ? '' : `,"expires":${expires}`}}`;

/** Returns where the digits of a counter are in an entry; for a field that is absent, where it is to be inserted. */
function findCounter(entry: string, field: string | undefined): { start: number; end: number } {
	const head = field === undefined ? '{"value":' : '{"value":{';
	const name = field === undefined ? '' : `${JSON.stringify(field)}:`;
	const at = field === undefined ? head.length : entry.indexOf(name, head.length - 1);
	const start = at === -1 ? head.length : at + name.length;
	NUMBER.lastIndex = start;
	const digits = at === -1 ? '' : NUMBER.exec(entry)?.[0];
	if (!entry.startsWith(head) || digits === undefined) throw new StoreError('An entry in the store is not a counter.');
	return { start, end: start + digits.length };
}

const NUMBER = /-?\d+(?=[,}])/y;

const keyv = new Keyv();

/** Finds strings that may begin with a colon: `":` after `:`, `,` or `[`, or at the end of an unusual name. */
const NEEDS_KEYV = /[:,[]":/;

/**
 * Serializes an entry as keyv does. keyv's format is JSON except for bytes and for strings that begin with a colon. Without
 * these the engine's own JSON gives the same result, many times faster.
 */
export function serialize<Value>(entry: DeserializedData<Value>): string {
	const json = JSON.stringify(entry);
	return NEEDS_KEYV.test(json) || json.includes('"type":"Buffer"') ? (keyv.serialize?.(entry) as string) : json;
}

export function deserialize<Value>(text: string): DeserializedData<Value> {
	return (NEEDS_KEYV.test(text) ? keyv.deserialize?.(text) : JSON.parse(text)) as DeserializedData<Value>;
}
