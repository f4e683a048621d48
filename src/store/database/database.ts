/** The entries of a database during a read or a transaction, accessed synchronously. Times are Unix milliseconds. */
export type Table = {
	/** Returns the entry as keyv serialized it, unless it has expired. */
	get(key: string): string | undefined;
	set(key: string, entry: string, expires?: number): void;
	/** Returns whether the entry existed. */
	delete(key: string): boolean;
	/** Deletes every key that starts with `prefix`, or every key. */
	clear(prefix?: string): void;
	/** Deletes the entries that have expired, which `get` does not return any more. */
	dropExpired(): void;
};

/** A database with one table of entries. Every call rejects with `StoreError` when the database cannot be used. */
export type Database = {
	read<Result>(work: (table: Table) => Result): Promise<Result>;
	/**
	 * Runs `work` in a transaction. It may be run again from the start when another process was in the way, so it must do nothing
	 * but change the table. It may throw a `StoreError` as long as it has changed nothing.
	 */
	write<Result>(work: (table: Table) => Result): Promise<Result>;
	/** Yields the keys that start with `prefix`, expired ones too. Keys that are added or removed meanwhile may be missing. */
	keys(prefix: string): AsyncIterable<string>;
	close(): Promise<void>;
};
