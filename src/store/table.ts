/** Entries in reach of this process, read and changed without waiting. Times are Unix milliseconds. */
export type Table = {
	/** The entry as keyv serialized it, unless it has expired. */
	get(key: string): string | undefined;
	set(key: string, entry: string, expires?: number): void;
	/** Says whether there was one. */
	delete(key: string): boolean;
	/** Every key that starts with `prefix`, or every key. */
	clear(prefix?: string): void;
	/** Frees the room of what `get` no longer shows. */
	dropExpired(): void;
};

/** The door to a table. Every call rejects with `StoreError` when the table can't be had. */
export type TableDoor = {
	read<Result>(work: (table: Table) => Result): Promise<Result>;
	/**
	 * All of the work or nothing, and nobody else in between. It may be run again from its start when somebody else was in
	 * the way, so it must do nothing but change the table. It may throw a `StoreError` as long as it has changed nothing.
	 */
	write<Result>(work: (table: Table) => Result): Promise<Result>;
	/** Keys that start with `prefix`, expired ones too; keys that come or go meanwhile may be among them or not. */
	keys(prefix: string): AsyncIterable<string>;
	close(): Promise<void>;
};
