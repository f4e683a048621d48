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
	/** Deletes all entries whose key starts with `prefix`. */
	clear(prefix: string): Promise<void>;
	/** Deletes all indexes whose name starts with `prefix`. */
	clearIndexes(prefix: string): Promise<void>;
	/** Yields every entry whose key starts with `prefix`. */
	list(prefix: string): AsyncIterable<[key: string, entry: string]>;
	/** Returns one page of an index. */
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
	add: readonly { key: string; by: number; atMost?: number; expires?: number }[];
	put: readonly { key: string; entry: string; expires?: number }[];
	remove: readonly string[];
	index: readonly (IndexMember & { expires?: number })[];
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

/** The result of a commit, and what has to be written for it: all of it, or nothing. */
export type Evaluation = {
	result: CommitResult;
	write: ReadonlyMap<string, { entry: string; expires?: number }>;
	remove: readonly string[];
};

/**
 * Evaluates a change without making it. The caller ensures that no other write comes between `read` and the writing of the
 * evaluation. `redis.lua` implements the same rules.
 *
 * @param read returns an entry as keyv serialized it, `{"value":…,"expires":…}`, or undefined when it is absent or has expired
 * @throws StoreError when an entry of `add` is not a whole number, or would no longer be a safe integer
 */
export function evaluateChange(change: StoredChange, read: (key: string) => string | undefined): Evaluation {
	if (change.once !== undefined && read(change.once) !== undefined) return nothing('duplicate');

	const counters = new Map<string, Counter>();
	for (const { key, by, atMost, expires } of change.add) {
		const counter = counters.get(key) ?? parseCounter(read(key)) ?? { value: 0, expires, isChanged: true };
		const sum = counter.value + by;
		if (by >= 0 && atMost !== undefined && sum > atMost) return nothing({ refused: key });
		if (!Number.isSafeInteger(sum))
			throw new StoreError('A counter in the store would exceed the largest safe integer.');
		counters.set(key, { ...counter, value: sum, isChanged: counter.isChanged || by !== 0 });
	}

	const write = new Map<string, { entry: string; expires?: number }>();
	for (const [key, { value, expires, isChanged }] of counters) {
		if (!isChanged) continue;
		if (expires === undefined) write.set(key, { entry: `{"value":${value}}` });
		else write.set(key, { entry: `{"value":${value},"expires":${expires}}`, expires });
	}
	for (const { key, ...entry } of change.put) write.set(key, entry);
	return { result: 'done', write, remove: change.remove };
}

const nothing = (result: CommitResult): Evaluation => ({ result, write: new Map(), remove: [] });

type Counter = { value: number; expires?: number; isChanged: boolean };

function parseCounter(entry: string | undefined): Counter | undefined {
	if (entry === undefined) return undefined;
	let counter: { value?: unknown; expires?: unknown } | null = null;
	try {
		counter = JSON.parse(entry);
	} catch {
		// Reported below: an entry that is not JSON is not a counter either.
	}
	const { value, expires } = counter ?? {};
	if (!Number.isSafeInteger(value)) throw new StoreError('An entry in the store is not a counter.');
	return { value: value as number, isChanged: false, expires: typeof expires === 'number' ? expires : undefined };
}

const keyv = new Keyv();

/**
 * Serializes an entry as keyv does. keyv's format is JSON except for bytes and for strings that begin with a colon. Without
 * these the engine's own JSON gives the same result, many times faster.
 */
export function serialize<Value>(entry: DeserializedData<Value>): string {
	const json = JSON.stringify(entry);
	return needsKeyv(json) || json.includes('"type":"Buffer"') ? (keyv.serialize?.(entry) as string) : json;
}

export function deserialize<Value>(text: string): DeserializedData<Value> {
	return (needsKeyv(text) ? keyv.deserialize?.(text) : JSON.parse(text)) as DeserializedData<Value>;
}

/** Tells whether a string in it may begin with a colon: `":` after `:`, `,` or `[`, or at the end of an unusual name. */
function needsKeyv(json: string): boolean {
	for (let at = json.indexOf('":'); at !== -1; at = json.indexOf('":', at + 2)) {
		const before = json[at - 1];
		if (before === ':' || before === ',' || before === '[') return true;
	}
	return false;
}
