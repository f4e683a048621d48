import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from './store.ts';
import type { Table } from './table.ts';

/**
 * A commit that was answered is on the disk: in WAL mode `FULL` waits for it at every commit, so it survives the end of
 * the process and of the power. macOS needs `fullfsync` for that (its fsync leaves data in the drive's cache); elsewhere
 * that changes nothing. https://sqlite.org/pragma.html#pragma_synchronous https://sqlite.org/pragma.html#pragma_fullfsync
 *
 * `journal_size_limit`: after much was written at once the log gives its room back.
 */
const DURABLE = 'PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA journal_size_limit = 16777216;';

/**
 * An ordinary table with an index on its key, not `WITHOUT ROWID`: a few bytes of a counter and many of a chat
 * live here side by side, and the latter are slow to keep within the key's own tree. https://sqlite.org/withoutrowid.html
 */
const SCHEMA_VERSION = 1;
const SCHEMA = `
	CREATE TABLE IF NOT EXISTS entries (key TEXT NOT NULL PRIMARY KEY, entry TEXT NOT NULL, expires INTEGER) STRICT;
	CREATE INDEX IF NOT EXISTS expiring ON entries (expires) WHERE expires IS NOT NULL;
	PRAGMA user_version = ${SCHEMA_VERSION};
`;

export type SqliteConnection = {
	table: Table;
	/** Keys from one on, in the order of their bytes. */
	keysFrom(key: string, limit: number): string[];
	begin(): void;
	commit(): void;
	rollback(): void;
	close(): void;
};

/** An SQLite file and, while it can be had, the connection to it. Everything throws SQLite's own errors and `StoreError`. */
export function openFile(path: string) {
	let connection: SqliteConnection | undefined;
	let known: Identity | undefined;
	let closed = false;

	function disconnect() {
		try {
			connection?.close();
		} catch {
			// What is broken may fail to close, too.
		}
		connection = undefined;
	}

	return {
		/** Looks after the file each time: an open file that was moved away or deleted could be written to without a trace. */
		connection(): SqliteConnection {
			if (closed) throw new StoreError('The store is closed.');
			const database = identify(path);
			if (connection && database === known?.database) return connection;
			disconnect();
			if (known) refuseMixture(path, database, known);
			else createPrivately(path);
			connection = connect(path, known !== undefined);
			// The log is there from the first look into the file on.
			connection.table.get('');
			known = { database: identify(path), log: identify(`${path}-wal`) };
			return connection;
		},
		disconnect,
		close() {
			closed = true;
			disconnect();
		},
	};
}

type Identity = { database: string | undefined; log: string | undefined };

/** Which file it is, whatever its name: a number is used again, but not with the same birth. */
function identify(path: string): string | undefined {
	const file = statSync(path, { throwIfNoEntry: false });
	return file && `${file.dev}:${file.ino}:${file.birthtimeMs}`;
}

/** An empty file in place of the one that was there would forget every count, an old log beside a new file would spoil it. */
function refuseMixture(path: string, database: string | undefined, known: Identity) {
	if (database === undefined) throw new StoreError(`The database file ${path} is gone.`);
	if (database !== known.database && known.log !== undefined && identify(`${path}-wal`) === known.log) {
		throw new StoreError(`The database file ${path} was replaced, but ${path}-wal is still the old one's.`);
	}
}

/** For the owner's eyes alone; SQLite gives the files beside it the same permissions. */
function createPrivately(path: string) {
	try {
		mkdirSync(dirname(path), { recursive: true });
		closeSync(openSync(path, 'a', 0o600));
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new StoreError(`The database file ${path} can't be written (${code}).`, { cause: error });
	}
}

function connect(path: string, mustBeOurs: boolean): SqliteConnection {
	// No waiting within SQLite, which would keep the whole process waiting.
	const database = new DatabaseSync(path, { timeout: 0 });
	try {
		ensureSchema(database, path, mustBeOurs);
		database.exec(`PRAGMA journal_mode = ${journalMode()}; ${DURABLE}`);
		return prepare(database);
	} catch (error) {
		database.close();
		throw error;
	}
}

/**
 * Up to 3.51.2, several connections in WAL mode can, very rarely, lose commits when the log is begun anew.
 * https://sqlite.org/wal.html#walresetbug
 */
function journalMode(version = process.versions['sqlite'] ?? '0'): 'WAL' | 'TRUNCATE' {
	const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
	return major * 1e6 + minor * 1e3 + patch >= 3_051_003 ? 'WAL' : 'TRUNCATE';
}

function ensureSchema(database: DatabaseSync, path: string, mustBeOurs: boolean) {
	// One statement, so that both are of the same moment: another process may be making the schema.
	const look = database.prepare(
		'SELECT user_version, (SELECT count(*) FROM sqlite_schema) AS objects FROM pragma_user_version',
	);
	const { user_version: version, objects } = look.get() ?? {};
	if (version === SCHEMA_VERSION) return;
	if (version !== 0) throw new StoreError(`The database file ${path} is of a newer version of Easel.`);
	if (mustBeOurs || objects !== 0) throw new StoreError(`The database file ${path} is not Easel's.`);
	database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
}

function prepare(database: DatabaseSync): SqliteConnection {
	const get = database.prepare('SELECT entry FROM entries WHERE key = ? AND (expires IS NULL OR expires >= ?)');
	const set = database.prepare(
		'INSERT INTO entries VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET entry = excluded.entry, expires = excluded.expires',
	);
	const remove = database.prepare('DELETE FROM entries WHERE key = ?');
	const clear = database.prepare(
		'DELETE FROM entries WHERE substr(key, 1, length(:prefix)) = :prefix AND key >= :prefix',
	);
	const dropExpired = database.prepare('DELETE FROM entries WHERE expires < ?');
	const keysFrom = database.prepare('SELECT key FROM entries WHERE key >= ? ORDER BY key LIMIT ?');
	const begin = database.prepare('BEGIN IMMEDIATE');
	const commit = database.prepare('COMMIT');

	return {
		table: {
			get: (key) => get.get(key, Date.now())?.['entry'] as string | undefined,
			set: (key, entry, expires) => void set.run(key, entry, expires ?? null),
			delete: (key) => Number(remove.run(key).changes) > 0,
			clear: (prefix = '') => void clear.run({ prefix }),
			dropExpired: () => void dropExpired.run(Date.now()),
		},
		keysFrom: (key, limit) => keysFrom.all(key, limit).map((row) => row['key'] as string),
		begin: () => void begin.run(),
		commit: () => void commit.run(),
		rollback() {
			// Where SQLite has given up a transaction of itself, there is none to take back.
			if (database.isTransaction) database.exec('ROLLBACK');
		},
		close: () => database.close(),
	};
}
