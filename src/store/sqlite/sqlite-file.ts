import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../store.ts';
import { logOf, type SyncFile } from './log-file.ts';
import { connect, type SqliteConnection } from './sqlite-connection.ts';
import { cannotBeWritten } from './sqlite-errors.ts';

/** The files that a path led to when it was last connected. */
type FileIdentities = { database: string | undefined; log: string | undefined };

/** An SQLite file, and the connection to it while it can be used. Methods throw SQLite's own errors and `StoreError`. */
export class SqliteFile {
	readonly #path: string;
	readonly #syncFile: SyncFile | undefined;
	#connection: SqliteConnection | undefined;
	#known: FileIdentities | undefined;
	/** The `performance.now()` of the last check. */
	#checkedAt = 0;
	#isClosed = false;

	/**
	 * @param path created, with its folders, when it does not exist
	 * @param syncFile see `LogFile`
	 */
	constructor(path: string, syncFile?: SyncFile) {
		this.#path = path;
		this.#syncFile = syncFile;
	}

	/**
	 * Returns the connection, after checking that the path still leads to the same file: writes to an open file that was moved or
	 * deleted would be lost.
	 *
	 * @param checkedMs how many milliseconds ago that may have been checked at most
	 */
	connection(checkedMs = 0): SqliteConnection {
		if (this.#isClosed) throw new StoreError('The store is closed.');
		const now = performance.now();
		if (this.#connection && now - this.#checkedAt < checkedMs) return this.#connection;
		this.#checkedAt = now;
		const database = identify(this.#path);
		if (this.#connection && database === this.#known?.database) return this.#connection;
		this.disconnect();
		if (this.#known) refuseMixture(this.#path, database, this.#known);
		else createPrivately(this.#path);
		this.#connection = connect(this.#path, this.#known !== undefined, this.#syncFile);
		this.#known = { database: identify(this.#path), log: identify(logOf(this.#path)) };
		return this.#connection;
	}

	disconnect(): void {
		try {
			this.#connection?.close();
		} catch {
			// A broken connection may fail to close.
		}
		this.#connection = undefined;
	}

	close(): void {
		this.#isClosed = true;
		this.disconnect();
	}
}

/** Identifies a file whatever its name. Inode numbers are reused, but not with the same time of birth. */
function identify(path: string): string | undefined {
	const file = statSync(path, { throwIfNoEntry: false });
	return file && `${file.dev}:${file.ino}:${file.birthtimeMs}`;
}

/**
 * Refuses a missing file, because an empty one in its place would forget every count, and a new file beside an old log,
 * which would corrupt it.
 */
function refuseMixture(path: string, database: string | undefined, known: FileIdentities): void {
	if (database === undefined) throw new StoreError(`The database file ${path} is missing.`);
	if (database !== known.database && known.log !== undefined && identify(logOf(path)) === known.log)
		throw new StoreError(
			`The database file ${path} was replaced, but ${logOf(path)} still belongs to the previous one.`,
		);
}

/** Creates a file that only its owner can read. SQLite gives the files beside it the same permissions. */
function createPrivately(path: string): void {
	try {
		mkdirSync(dirname(path), { recursive: true });
		closeSync(openSync(path, 'a', 0o600));
	} catch (error) {
		throw cannotBeWritten(path, error);
	}
}
