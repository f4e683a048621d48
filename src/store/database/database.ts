import type { IndexMember, IndexPage } from '../store.ts';

/** The entries of a database during a read or a transaction, accessed synchronously. Times are Unix milliseconds. */
export type Table = {
	/** Returns the entry as keyv serialized it, unless it has expired. */
	get(key: string): string | undefined;
	set(key: string, entry: string, expires?: number): void;
	/** Returns whether the entry existed. */
	delete(key: string): boolean;
	/** Deletes every key that starts with `prefix`, or every key. */
	clear(prefix?: string): void;
	/** Deletes every index whose name starts with `prefix`. */
	clearIndexes(prefix: string): void;
	addMember(member: IndexMember, expires?: number): void;
	removeMember(member: IndexMember): void;
	/** Deletes up to `limit` entries and members that have expired, which are not returned any more. Returns how many it has deleted. */
	dropExpired(limit: number): number;
};

/** A database with one table of entries. Every call rejects with `StoreError` when the database cannot be used. */
export type Database = {
	read<Result>(work: (table: Table) => Result): Promise<Result>;
	/**
	 * Runs `work` in a transaction. It may be run again from the start when another process was in the way, so it must do nothing
	 * but change the table. It may throw a `StoreError` as long as it has changed nothing.
	 *
	 * @param lazy see `Change.lazy`
	 */
	write<Result>(work: (table: Table) => Result, lazy?: boolean): Promise<Result>;
	/** Yields the keys that start with `prefix`, expired ones too. Keys that are added or removed meanwhile may be missing. */
	keys(prefix: string): AsyncIterable<string>;
	members(index: string, page: IndexPage): Promise<string[]>;
	/** See `Driver.snapshot`. */
	snapshot(path: string): Promise<void>;
	close(): Promise<void>;
};

/** The minimum time between two removals of expired entries, unless more are left than one removal deletes. */
const DROP_EXPIRED_EVERY_MS = 60_000;

/** Few at a time, because a write waits for it. It is still more than one write adds. */
const DROPPED_AT_ONCE = 64;

/** Deletes expired entries as part of some of the writes to a database, so that each write stays short. */
export class ExpiredEntries {
	#dropAt = 0;

	/** Call it in a transaction. */
	dropSome(table: Table): void {
		const now = Date.now();
		if (now < this.#dropAt) return;
		const dropped = table.dropExpired(DROPPED_AT_ONCE);
		this.#dropAt = dropped < DROPPED_AT_ONCE ? now + DROP_EXPIRED_EVERY_MS : now;
	}
}
