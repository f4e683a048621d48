import { DatabaseSync } from 'node:sqlite';
import type { Table } from '../database/database.ts';
import { type IndexPage, NewerStoreError, StoreError } from '../store.ts';
import { LogFile, type SyncFile } from './log-file.ts';

/** Pages that the log may have before it is written back to the file. Most are pages that are written again and again. */
const LOG_PAGES = 4096;
const PAGE_BYTES = 4096;

/**
 * Makes every commit that was answered durable. In WAL mode, that is done by `sync`: `NORMAL` leaves out the wait for the disk with which
 * `FULL` ends each commit, and nothing else, so that commits of the same time share one, beside the event loop. Without the log, `FULL`
 * is needed. https://sqlite.org/pragma.html#pragma_synchronous
 *
 * macOS needs `fullfsync` for that, because its fsync leaves data in the drive's cache; Node's own does not. Elsewhere this changes
 * nothing. `journal_size_limit` truncates the log after much was written at once. https://sqlite.org/pragma.html#pragma_fullfsync
 */
const DURABLE = {
	WAL: `synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${LOG_PAGES}`,
	TRUNCATE: 'synchronous = FULL',
};
const SHARED = `PRAGMA fullfsync = ON; PRAGMA journal_size_limit = ${LOG_PAGES * PAGE_BYTES};`;

/**
 * An ordinary table with an index on its key rather than `WITHOUT ROWID`: counters of a few bytes and long chats are
 * stored side by side, and long rows are slow to store in the tree of the key itself.
 * https://sqlite.org/withoutrowid.html
 */
export const FILE_VERSION = 2;
export const TABLES = `
	CREATE TABLE IF NOT EXISTS entries (key TEXT NOT NULL PRIMARY KEY, entry TEXT NOT NULL, expires INTEGER) STRICT;
	CREATE INDEX IF NOT EXISTS expiring ON entries (expires) WHERE expires IS NOT NULL;
	CREATE TABLE IF NOT EXISTS members (
		name TEXT NOT NULL, member TEXT NOT NULL, expires INTEGER, PRIMARY KEY (name, member)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS expiring_members ON members (expires) WHERE expires IS NOT NULL;
`;
const SCHEMA = `${TABLES} PRAGMA user_version = ${FILE_VERSION};`;

/** Greater than every member, because these are printable ASCII. */
const AFTER_ALL_MEMBERS = '\x7f';

/** An open SQLite file with its prepared statements. */
export type SqliteConnection = {
	table: Table;
	/** Returns keys from this one on, in the order of their bytes. */
	keysFrom(key: string, limit: number): string[];
	members(index: string, page: IndexPage): string[];
	begin(): void;
	commit(): void;
	rollback(): void;
	/** Resolves once every commit before this call is durable. Rejects with `StoreError`. */
	sync(): Promise<void>;
	/** Makes every commit before this call durable soon. */
	syncSoon(): undefined;
	close(): void;
};

/**
 * Opens an SQLite file, and creates the schema in an empty one.
 *
 * @param mustBeOurs whether an empty file is refused, because there were entries before
 * @param syncFile see `LogFile`
 * @throws StoreError when the file is not one of Easel's, and SQLite's own errors
 */
export function connect(path: string, mustBeOurs: boolean, syncFile?: SyncFile): SqliteConnection {
	// SQLite must not wait for locks itself, because that would block the whole process.
	const database = new DatabaseSync(path, { timeout: 0 });
	try {
		ensureSchema(database, path, mustBeOurs);
		const mode = journalMode();
		database.exec(`PRAGMA journal_mode = ${mode}; PRAGMA ${DURABLE[mode]}; ${SHARED}`);
		const statements = prepare(database);
		// The first read creates the log.
		statements.table.get('');
		const log = mode === 'WAL' ? new LogFile(path, syncFile) : undefined;
		return {
			...statements,
			sync: async () => log?.sync(),
			syncSoon: () => log?.syncSoon(),
			close() {
				database.close();
				log?.close();
			},
		};
	} catch (error) {
		database.close();
		throw error;
	}
}

/**
 * Returns WAL where it is safe. Up to SQLite 3.51.2, several connections in WAL mode can, very rarely, lose commits
 * when the log is reset. https://sqlite.org/wal.html#walresetbug
 */
function journalMode(version = process.versions['sqlite'] ?? '0'): 'WAL' | 'TRUNCATE' {
	const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
	return major * 1e6 + minor * 1e3 + patch >= 3_051_003 ? 'WAL' : 'TRUNCATE';
}

function ensureSchema(database: DatabaseSync, path: string, mustBeOurs: boolean): void {
	// One statement, so that both values are of the same moment: another process may be creating the schema.
	const statement = database.prepare(
		'SELECT user_version, (SELECT count(*) FROM sqlite_schema) AS objects FROM pragma_user_version',
	);
	const { user_version: version, objects } = statement.get() ?? {};
	if (version === FILE_VERSION) return;
	if (Number(version) > FILE_VERSION)
		throw new NewerStoreError(`The database file ${path} was written by a newer version of Easel.`);
	if (version === 0 && (mustBeOurs || objects !== 0)) throw new StoreError(`The database file ${path} is not Easel's.`);
	database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
}

function prepare(database: DatabaseSync): Omit<SqliteConnection, 'sync' | 'syncSoon' | 'close'> {
	const get = database.prepare('SELECT entry FROM entries WHERE key = ? AND (expires IS NULL OR expires >= ?)');
	const set = database.prepare(
		'INSERT INTO entries VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET entry = excluded.entry, expires = excluded.expires',
	);
	const remove = database.prepare('DELETE FROM entries WHERE key = ?');
	const clear = database.prepare(
		'DELETE FROM entries WHERE substr(key, 1, length(:prefix)) = :prefix AND key >= :prefix',
	);
	const clearIndexes = database.prepare(
		'DELETE FROM members WHERE substr(name, 1, length(:prefix)) = :prefix AND name >= :prefix',
	);
	const dropExpired = database.prepare(
		'DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries WHERE expires < ? LIMIT ?)',
	);
	const dropMembers = database.prepare(
		`DELETE FROM members WHERE (name, member) IN (SELECT name, member FROM members WHERE expires < ? LIMIT ?)`,
	);
	const addMember = database.prepare(
		'INSERT INTO members VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET expires = excluded.expires',
	);
	const removeMember = database.prepare('DELETE FROM members WHERE name = ? AND member = ?');
	const members = (order: string) =>
		database.prepare(
			`SELECT member FROM members WHERE name = ? AND member > ? AND member < ? AND (expires IS NULL OR expires >= ?)
			 ORDER BY member ${order} LIMIT ?`,
		);
	const ascending = members('ASC');
	const descending = members('DESC');
	const keysFrom = database.prepare('SELECT key FROM entries WHERE key >= ? ORDER BY key LIMIT ?');
	const begin = database.prepare('BEGIN IMMEDIATE');
	const commit = database.prepare('COMMIT');

	return {
		table: {
			get: (key) => get.get(key, Date.now())?.['entry'] as string | undefined,
			set: (key, entry, expires) => void set.run(key, entry, expires ?? null),
			delete: (key) => Number(remove.run(key).changes) > 0,
			clear: (prefix = '') => void clear.run({ prefix }),
			clearIndexes: (prefix) => void clearIndexes.run({ prefix }),
			addMember: ({ index, member }, expires) => void addMember.run(index, member, expires ?? null),
			removeMember: ({ index, member }) => void removeMember.run(index, member),
			dropExpired(limit) {
				const now = Date.now();
				return Number(dropExpired.run(now, limit).changes) + Number(dropMembers.run(now, limit).changes);
			},
		},
		keysFrom: (key, limit) => keysFrom.all(key, limit).map((row) => row['key'] as string),
		members: (index, { after = '', before = AFTER_ALL_MEMBERS, limit, descending: isDescending }) =>
			(isDescending ? descending : ascending)
				.all(index, after, before, Date.now(), limit)
				.map((row) => row['member'] as string),
		begin: () => void begin.run(),
		commit: () => void commit.run(),
		rollback() {
			// After some errors SQLite has rolled back by itself.
			if (database.isTransaction) database.exec('ROLLBACK');
		},
	};
}
