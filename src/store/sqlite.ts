import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLTagStore } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Backend, type CopyTarget, deserialize, evaluateChange, type StoredChange } from './backend.ts';
import { type FileStore, FolderFiles, MemoryFiles } from './files.ts';
import { type CommitResult, createPauses, type IndexPage, StoreError, StoreVersionError } from './store.ts';

/** How long to wait for a locked file. The wait is between tries, never in SQLite, so that it does not block the process. */
const LOCK_TIMEOUT_MS = 5000;
const MAX_PAUSE_MS = 8;

/** Writes that are requested at the same time share one transaction, and so one wait for the disk. */
const MAX_WRITES_PER_TRANSACTION = 64;

/** Few, because an entry may be long. */
const ENTRIES_PER_PAGE = 64;

/** The minimum time between two removals of expired entries, unless more are left than one removal deletes. */
const DROP_EXPIRED_EVERY_MS = 60_000;

/** Few at a time, because a write waits for it. It is still more than one write adds. */
const DROPPED_AT_ONCE = 64;

/** Greater than every member, because these are printable ASCII. */
const AFTER_ALL_MEMBERS = '\x7f';

/** The database that lives in the memory of its connection. https://sqlite.org/inmemorydb.html */
const MEMORY = ':memory:';

/**
 * Makes every commit that was answered durable. macOS needs `fullfsync` for that, because its fsync leaves data in the drive's cache.
 * `journal_size_limit` truncates the log after much was written at once. https://sqlite.org/pragma.html#pragma_synchronous
 */
const SETTINGS = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
	PRAGMA wal_autocheckpoint = 4096; PRAGMA journal_size_limit = 16777216;`;

/**
 * An ordinary table with an index on its key rather than `WITHOUT ROWID`: counters of a few bytes and long chats are
 * stored side by side, and long rows are slow to store in the tree of the key itself.
 * https://sqlite.org/withoutrowid.html
 */
const FILE_VERSION = 2;
const TABLES = `
	CREATE TABLE IF NOT EXISTS entries (key TEXT NOT NULL PRIMARY KEY, entry TEXT NOT NULL, expires INTEGER) STRICT;
	CREATE INDEX IF NOT EXISTS expiring ON entries (expires) WHERE expires IS NOT NULL;
	CREATE TABLE IF NOT EXISTS members (
		name TEXT NOT NULL, member TEXT NOT NULL, expires INTEGER, PRIMARY KEY (name, member)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS expiring_members ON members (expires) WHERE expires IS NOT NULL;
`;

/**
 * Opens a store in an SQLite file that any number of processes may share. Its files lie beside it. When the file cannot be used, calls
 * reject with `StoreError`. Each call tries again, so the store works as soon as the file does.
 *
 * @param path created, with its folders, when it does not exist
 * @throws StoreError
 */
export async function openSqlite(path: string, lockTimeoutMs = LOCK_TIMEOUT_MS): Promise<Backend> {
	const backend = new SqliteBackend(new SqliteFile(path), lockTimeoutMs, new FolderFiles(`${path}-files`));
	try {
		await backend.get(['']);
		await moveSmallFiles(backend);
		return backend;
	} catch (error) {
		await backend.close();
		throw error;
	}
}

/** Opens a store in the memory of this process, for trials and tests. No other process sees it. */
export const openMemory = (): Backend => new SqliteBackend(new SqliteFile(MEMORY), 0, new MemoryFiles());

/** Moves files that earlier versions have stored as entries to the folder. Interrupted, it goes on with the next start. */
async function moveSmallFiles(backend: SqliteBackend): Promise<void> {
	for await (const [key, entry] of backend.list('small-files:')) {
		const [, space = '', name = ''] = /^small-files:([a-z-]+):(.*)$/.exec(key) ?? [];
		const { value = '', expires } = deserialize<string>(entry);
		await backend.files.put(space, name, Buffer.from(value, 'base64'), expires);
		await backend.delete([key]);
	}
}

type Work<Result> = (connection: Connection) => Result;

type PendingWrite = { work: Work<unknown>; resolve(result: unknown): void; reject(error: unknown): void };

class SqliteBackend implements Backend {
	readonly files: FileStore;
	readonly #file: SqliteFile;
	readonly #lockTimeoutMs: number;
	#pending: PendingWrite[] = [];
	#draining: Promise<void> | undefined;
	#dropAt = 0;
	#isClosing = false;

	constructor(file: SqliteFile, lockTimeoutMs: number, files: FileStore) {
		this.#file = file;
		this.#lockTimeoutMs = lockTimeoutMs;
		this.files = files;
	}

	get(keys: readonly string[]): Promise<(string | undefined)[]> {
		return this.#retryWhileLocked((connection) => readEntries(connection, keys));
	}

	commit(change: StoredChange): Promise<CommitResult> {
		return this.#write((connection) => commit(connection, change));
	}

	delete(keys: readonly string[]): Promise<boolean> {
		return this.#write(({ sql }) => keys.filter((key) => removeEntry(sql, key)).length > 0);
	}

	clear(prefix: string): Promise<void> {
		return this.#write(({ sql }) => {
			sql.run`DELETE FROM entries WHERE substr(key, 1, length(${prefix})) = ${prefix} AND key >= ${prefix}`;
			sql.run`DELETE FROM members WHERE substr(name, 1, length(${prefix})) = ${prefix} AND name >= ${prefix}`;
		});
	}

	async *list(prefix: string): AsyncGenerator<[key: string, entry: string]> {
		// Page by page: a statement that stays open between turns of the event loop would keep reading an old state of the file.
		let last = '';
		for (;;) {
			const from = last || prefix;
			const rows = await this.#retryWhileLocked(
				({ sql }) => sql.all`SELECT key, entry FROM entries WHERE key >= ${from}
					AND (expires IS NULL OR expires >= ${Date.now()}) ORDER BY key LIMIT ${ENTRIES_PER_PAGE}`,
			);
			for (const { key, entry } of rows as { key: string; entry: string }[]) {
				if (!key.startsWith(prefix)) return;
				if (key !== last) yield [key, entry];
			}
			if (rows.length < ENTRIES_PER_PAGE) return;
			last = rows.at(-1)?.['key'] as string;
		}
	}

	async members(
		index: string,
		{ after = '', before = AFTER_ALL_MEMBERS, limit, descending }: IndexPage,
	): Promise<string[]> {
		// Reads are synchronous. Other work goes on between two pages.
		if (!this.#file.isMemory) await setImmediate();
		// The order is part of a statement, each of which is prepared once.
		const rows = await this.#retryWhileLocked(({ sql }) =>
			descending
				? sql.all`SELECT member FROM members WHERE name = ${index} AND member > ${after} AND member < ${before}
					AND (expires IS NULL OR expires >= ${Date.now()}) ORDER BY member DESC LIMIT ${limit}`
				: sql.all`SELECT member FROM members WHERE name = ${index} AND member > ${after} AND member < ${before}
					AND (expires IS NULL OR expires >= ${Date.now()}) ORDER BY member LIMIT ${limit}`,
		);
		return rows.map((row) => row['member'] as string);
	}

	/** Reads through a connection of its own, in one transaction, which other connections do not disturb. https://sqlite.org/isolation.html */
	async copyTo(target: CopyTarget): Promise<void> {
		const source = new DatabaseSync(this.#file.path, { readOnly: true, timeout: this.#lockTimeoutMs });
		const pause = createPauses();
		const copy = async <Row>(table: string, add: (row: Row) => void) => {
			for (const row of source.prepare(`SELECT * FROM ${table}`).iterate()) {
				add(row as Row);
				await pause();
			}
		};
		type Entry = { key: string; entry: string; expires: number | null };
		type Member = { name: string; member: string; expires: number | null };
		try {
			source.exec('BEGIN');
			if (source.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] !== 'ok')
				throw new StoreError('The database file is damaged. Run `sqlite3 FILE .recover` on a copy of it.');
			await copy<Entry>('entries', ({ key, entry, expires }) => target.set(key, entry, expires));
			await copy<Member>('members', ({ name, member, expires }) => target.addMember(name, member, expires));
		} catch (error) {
			if (!isSqliteError(error)) throw error;
			throw new StoreError(`The database file ${this.#file.path} cannot be copied: ${error.errstr}.`, { cause: error });
		} finally {
			source.close();
		}
	}

	async warnings(): Promise<string[]> {
		return [];
	}

	async close(): Promise<void> {
		this.#isClosing = true;
		await this.#draining;
		await this.files.close();
		this.#file.close();
	}

	/**
	 * Runs work in a transaction. It may be run again from the start when another process was in the way. It may throw a `StoreError` as
	 * long as it has changed nothing.
	 */
	#write<Result>(work: Work<Result>): Promise<Result> {
		if (this.#isClosing) return Promise.reject(new StoreError('The store is closed.'));
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		this.#pending.push({ work, resolve, reject });
		this.#draining ??= this.#drain();
		return promise as Promise<Result>;
	}

	async #drain(): Promise<void> {
		while (this.#pending.length > 0) {
			// Collects the writes of one turn of the event loop. In memory there is nothing to share.
			if (!this.#file.isMemory) await setImmediate();
			const writes = this.#pending.splice(0, MAX_WRITES_PER_TRANSACTION);
			try {
				const answers = await this.#retryWhileLocked((connection) => this.#runTogether(connection, writes));
				for (const answer of answers) answer();
			} catch (error) {
				for (const { reject } of writes) reject(error);
			}
		}
		this.#draining = undefined;
	}

	/**
	 * Runs writes in one transaction. A write that throws an error of its own has changed nothing, and does not affect the others.
	 * Returns a function for each write, which answers it.
	 */
	#runTogether(connection: Connection, writes: readonly PendingWrite[]): (() => void)[] {
		const { database, sql } = connection;
		sql.run`BEGIN IMMEDIATE`;
		try {
			this.#dropSomeExpired(connection);
			const answers = writes.map(({ work, resolve, reject }) => {
				try {
					const result = work(connection);
					return () => resolve(result);
				} catch (error) {
					if (isSqliteError(error)) throw error;
					return () => reject(error);
				}
			});
			sql.run`COMMIT`;
			return answers;
		} catch (error) {
			// After some errors SQLite has rolled back by itself.
			if (database.isTransaction) database.exec('ROLLBACK');
			throw error;
		}
	}

	#dropSomeExpired({ sql }: Connection): void {
		const now = Date.now();
		if (now < this.#dropAt) return;
		const entries = sql.run`
			DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries WHERE expires < ${now} LIMIT ${DROPPED_AT_ONCE})`;
		const members = sql.run`DELETE FROM members WHERE (name, member) IN
			(SELECT name, member FROM members WHERE expires < ${now} LIMIT ${DROPPED_AT_ONCE})`;
		const dropped = Number(entries.changes) + Number(members.changes);
		this.#dropAt = dropped < DROPPED_AT_ONCE ? now + DROP_EXPIRED_EVERY_MS : now;
	}

	async #retryWhileLocked<Result>(work: Work<Result>): Promise<Result> {
		const deadline = performance.now() + this.#lockTimeoutMs;
		for (;;) {
			try {
				return work(this.#file.connection());
			} catch (error) {
				if (!isSqliteError(error)) throw error;
				const code = error.errcode & 0xff;
				const isLocked = code === BUSY || code === LOCKED;
				if (isLocked && performance.now() < deadline) {
					await setTimeout(1 + Math.random() * MAX_PAUSE_MS);
					continue;
				}
				// After these the connection can still be used, on a full disk to read.
				if (!isLocked && code !== FULL) this.#file.disconnect();
				throw new StoreError(`The database file ${this.#file.path} cannot be used: ${error.errstr}.`, { cause: error });
			}
		}
	}
}

const readEntry = ({ sql }: Connection, key: string): string | undefined =>
	sql.get`SELECT entry FROM entries WHERE key = ${key} AND (expires IS NULL OR expires >= ${Date.now()})`?.['entry'] as
		| string
		| undefined;

/** Reads several entries in one statement, since another process may write between two. https://sqlite.org/isolation.html */
function readEntries(connection: Connection, keys: readonly string[]): (string | undefined)[] {
	if (keys.length < 2) return keys.map((key) => readEntry(connection, key));
	const rows = connection.sql.all`SELECT key, entry FROM entries
		WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)})) AND (expires IS NULL OR expires >= ${Date.now()})`;
	const entries = new Map(rows.map(({ key, entry }) => [key, entry as string]));
	return keys.map((key) => entries.get(key));
}

const removeEntry = (sql: SQLTagStore, key: string): boolean =>
	Number(sql.run`DELETE FROM entries WHERE key = ${key}`.changes) > 0;

function commit(connection: Connection, change: StoredChange): CommitResult {
	const { sql } = connection;
	const writes = evaluateChange(change, (key) => readEntry(connection, key));
	if (!(writes instanceof Map)) return writes;
	for (const [key, { entry, expires = null, keepsExpiry }] of writes)
		if (keepsExpiry) sql.run`UPDATE entries SET entry = ${entry} WHERE key = ${key}`;
		else
			sql.run`INSERT INTO entries VALUES (${key}, ${entry}, ${expires})
				ON CONFLICT DO UPDATE SET entry = excluded.entry, expires = excluded.expires`;
	for (const key of change.remove) removeEntry(sql, key);
	for (const { index, member, expires = null, from } of change.index) {
		if (from !== undefined) sql.run`DELETE FROM members WHERE name = ${index} AND member < ${from}`;
		sql.run`INSERT INTO members VALUES (${index}, ${member}, ${expires}) ON CONFLICT DO UPDATE
			SET expires = excluded.expires WHERE expires IS NOT excluded.expires`;
	}
	for (const { index, member } of change.unindex)
		sql.run`DELETE FROM members WHERE name = ${index} AND member = ${member}`;
	return 'done';
}

/** An SQLite file, and the connection to it while it can be used. Methods throw SQLite's own errors and `StoreError`. */
class SqliteFile {
	readonly path: string;
	readonly isMemory: boolean;
	#connection: Connection | undefined;
	/** The identities of the file that was connected last, and of its log. */
	#database: string | undefined;
	#log: string | undefined;
	#isClosed = false;

	/** @param path created, with its folders, when it does not exist */
	constructor(path: string) {
		this.path = path;
		this.isMemory = path === MEMORY;
	}

	/**
	 * Returns the connection, after checking that the path still leads to the same file: writes to an open file that was moved or
	 * deleted would be lost.
	 */
	connection(): Connection {
		if (this.#isClosed) throw new StoreError('The store is closed.');
		const database = this.isMemory ? MEMORY : identify(this.path);
		if (this.#connection && database === this.#database) return this.#connection;
		this.disconnect();
		const isKnown = this.#database !== undefined;
		if (isKnown) this.#refuseMixture(database);
		else if (!this.isMemory) createPrivately(this.path);
		this.#connection = connect(this.path, isKnown);
		[this.#database, this.#log] = this.isMemory ? [MEMORY] : [this.path, logOf(this.path)].map(identify);
		return this.#connection;
	}

	disconnect(): void {
		try {
			this.#connection?.database.close();
		} catch {
			// A broken connection may fail to close.
		}
		this.#connection = undefined;
	}

	close(): void {
		this.#isClosed = true;
		this.disconnect();
	}

	/**
	 * Refuses a missing file, because an empty one in its place would forget every count, and a new file beside an old log,
	 * which would corrupt it.
	 */
	#refuseMixture(database: string | undefined): void {
		if (database === undefined) throw new StoreError(`The database file ${this.path} is missing.`);
		const log = logOf(this.path);
		if (database !== this.#database && this.#log !== undefined && identify(log) === this.#log)
			throw new StoreError(
				`The database file ${this.path} was replaced, but ${log} still belongs to the previous one.`,
			);
	}
}

/** Identifies a file whatever its name. Inode numbers are reused, but not with the same time of birth. */
export function identify(path: string): string | undefined {
	const file = statSync(path, { throwIfNoEntry: false });
	return file && `${file.dev}:${file.ino}:${file.birthtimeMs}`;
}

/** Returns the path of the write-ahead log of a database file. https://sqlite.org/wal.html */
const logOf = (database: string): string => `${database}-wal`;

/** Creates a file that only its owner can read. SQLite gives the files beside it the same permissions. */
function createPrivately(path: string): void {
	try {
		mkdirSync(dirname(path), { recursive: true });
		closeSync(openSync(path, 'a', 0o600));
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new StoreError(`The database file ${path} cannot be written (${code}).`, { cause: error });
	}
}

type Connection = { database: DatabaseSync; sql: SQLTagStore };

/**
 * Opens an SQLite file, and creates the schema in an empty one.
 *
 * @param mustBeOurs whether an empty file is refused, because there were entries before
 * @throws StoreError when the file is not one of Easel's, and SQLite's own errors
 */
function connect(path: string, mustBeOurs: boolean): Connection {
	// SQLite must not wait for locks itself, because that would block the whole process.
	const database = new DatabaseSync(path, { timeout: 0 });
	try {
		ensureSchema(database, path, mustBeOurs);
		database.exec(SETTINGS);
		const connection = { database, sql: database.createTagStore() };
		// The first read creates the log.
		readEntry(connection, '');
		return connection;
	} catch (error) {
		database.close();
		throw error;
	}
}

function ensureSchema(database: DatabaseSync, path: string, mustBeOurs: boolean): void {
	// One statement, so that all values are of the same moment: another process may be creating the schema.
	const statement = database.prepare(
		`SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema) AS objects
			FROM pragma_user_version, pragma_application_id`,
	);
	const { user_version: version, application_id: application, objects } = statement.get() ?? {};
	if (application !== 0)
		throw new StoreError(`The database file ${path} is not a store. Restore a backup into another file.`);
	if (version === FILE_VERSION) return;
	if (Number(version) > FILE_VERSION)
		throw new StoreVersionError(`The database file ${path} was written by a newer version of Easel.`);
	if (version === 0 && (mustBeOurs || objects !== 0)) throw new StoreError(`The database file ${path} is not Easel's.`);
	database.exec(`BEGIN IMMEDIATE; ${TABLES} PRAGMA user_version = ${FILE_VERSION}; COMMIT;`);
}

/** An error of node:sqlite. https://nodejs.org/api/sqlite.html */
type SqliteError = Error & { errcode: number; errstr: string };

/** The primary result codes of a file that another connection is using, and of a full disk. https://sqlite.org/rescode.html */
const [BUSY, LOCKED, FULL] = [5, 6, 13];

const isSqliteError = (error: unknown): error is SqliteError =>
	error instanceof Error && (error as Partial<SqliteError>).errcode !== undefined;
