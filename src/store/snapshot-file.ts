import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { TABLES } from './sqlite.ts';
import { StoreError } from './store.ts';

/** A row of a snapshot. Keys and names of indexes begin with the space and a colon. Expiries are Unix milliseconds. */
export type SnapshotEntry = { key: string; entry: string; expires: number | null };
export type SnapshotMember = { name: string; member: string; expires: number | null };

/**
 * All entries and indexes of a store at one commit, in an SQLite file of its own. It is temporary: nothing of it is durable.
 * Methods throw SQLite's own errors.
 */
export class SnapshotFile {
	readonly #database: DatabaseSync;
	readonly #set: StatementSync;
	readonly #remove: StatementSync;
	readonly #addMember: StatementSync;
	readonly #removeIndex: StatementSync;

	/** @param path a copy of a store's file, or a file that does not exist yet */
	constructor(path: string) {
		this.#database = new DatabaseSync(path);
		this.#database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; ${TABLES}`);
		this.#set = this.#database.prepare('INSERT OR REPLACE INTO entries VALUES (?, ?, ?)');
		this.#remove = this.#database.prepare('DELETE FROM entries WHERE key = ?');
		this.#addMember = this.#database.prepare('INSERT OR REPLACE INTO members VALUES (?, ?, ?)');
		this.#removeIndex = this.#database.prepare('DELETE FROM members WHERE name = ?');
	}

	/** @throws StoreError when the file that was copied is damaged */
	checkIntegrity(): void {
		if (this.#database.prepare('PRAGMA integrity_check').get()?.['integrity_check'] !== 'ok')
			throw new StoreError('The database file is damaged. Run `sqlite3 FILE .recover` on a copy of it.');
	}

	transaction(work: () => void): void {
		this.#database.exec('BEGIN');
		work();
		this.#database.exec('COMMIT');
	}

	/** @param entry the entry is removed when it is undefined */
	set(key: string, entry: string | undefined, expires: number | undefined): void {
		if (entry === undefined) this.#remove.run(key);
		else this.#set.run(key, entry, expires ?? null);
	}

	clearIndex(name: string): void {
		this.#removeIndex.run(name);
	}

	addMembers(name: string, members: readonly string[], expires: number | undefined): void {
		for (const member of members) this.#addMember.run(name, member, expires ?? null);
	}

	/** Yields the entries in the order of their keys. */
	entries(): Iterable<SnapshotEntry> {
		const rows = this.#database.prepare('SELECT key, entry, expires FROM entries ORDER BY key');
		return rows.iterate() as Iterable<object> as Iterable<SnapshotEntry>;
	}

	/** Yields the members of all indexes, by index and member. */
	members(): Iterable<SnapshotMember> {
		const rows = this.#database.prepare('SELECT name, member, expires FROM members ORDER BY name, member');
		return rows.iterate() as Iterable<object> as Iterable<SnapshotMember>;
	}

	close(): void {
		this.#database.close();
	}
}
