import { backup, DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Database, ExpiredEntries, type Table } from '../database/database.ts';
import { type IndexPage, StoreError } from '../store.ts';
import type { SyncFile } from './log-file.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { isFull, isLocked, isSqliteError } from './sqlite-errors.ts';
import { SqliteFile } from './sqlite-file.ts';

/** How long to wait for a locked file. The wait is between tries, never in SQLite, so that it does not block the process. */
const LOCK_TIMEOUT_MS = 5000;
const MAX_PAUSE_MS = 8;

/** Writes that are requested at the same time share one transaction, and so one wait for the disk. */
const MAX_WRITES_PER_TRANSACTION = 64;

/** A check of the file takes as long as a read, and a request makes a dozen of them. */
const READ_CHECK_MS = 10;

const KEYS_PER_PAGE = 256;

/** More pages than a file of SQLite has. */
const ALL_PAGES = 2 ** 31 - 1;

type PendingWrite = {
	work: (table: Table) => unknown;
	lazy: boolean;
	resolve: (result: never) => void;
	reject: (error: unknown) => void;
};

/**
 * Opens a database in an SQLite file.
 *
 * @param path created, with its folders, when it does not exist
 * @param syncFile see `LogFile`
 * @throws StoreError
 */
export async function openSqlite(
	path: string,
	lockTimeoutMs = LOCK_TIMEOUT_MS,
	syncFile?: SyncFile,
): Promise<Database> {
	const database = new SqliteDatabase(path, lockTimeoutMs, syncFile);
	await database.read(() => undefined);
	return database;
}

/**
 * A database in an SQLite file that any number of processes may share. When the file cannot be used, calls reject with
 * `StoreError`. Each call tries again, so the store works as soon as the file does.
 */
class SqliteDatabase implements Database {
	readonly #path: string;
	readonly #file: SqliteFile;
	readonly #lockTimeoutMs: number;
	readonly #pending: PendingWrite[] = [];
	readonly #expired = new ExpiredEntries();
	#draining: Promise<void> | undefined;
	/** Resolves once all writes that were made are answered. */
	#answered: Promise<void> = Promise.resolve();
	#isClosing = false;

	constructor(path: string, lockTimeoutMs: number, syncFile: SyncFile | undefined) {
		this.#path = path;
		this.#file = new SqliteFile(path, syncFile);
		this.#lockTimeoutMs = lockTimeoutMs;
	}

	read<Result>(work: (table: Table) => Result): Promise<Result> {
		return this.#retryWhileLocked(({ table }) => work(table), READ_CHECK_MS);
	}

	write<Result>(work: (table: Table) => Result, lazy = false): Promise<Result> {
		if (this.#isClosing) return Promise.reject(new StoreError('The store is closed.'));
		return new Promise<Result>((resolve, reject) => {
			this.#pending.push({ work, lazy, resolve, reject });
			this.#draining ??= this.#drain();
		});
	}

	async *keys(prefix: string): AsyncGenerator<string> {
		// Page by page: a statement that stays open between turns of the event loop would keep reading an old state of the file.
		let last = '';
		for (;;) {
			const from = last || prefix;
			const keys = await this.#retryWhileLocked(({ keysFrom }) => keysFrom(from, KEYS_PER_PAGE));
			for (const key of keys) {
				if (!key.startsWith(prefix)) return;
				if (key !== last) yield key;
			}
			if (keys.length < KEYS_PER_PAGE) return;
			last = keys.at(-1) ?? '';
		}
	}

	async members(index: string, page: IndexPage): Promise<string[]> {
		// Reads are synchronous. Whoever reads page after page lets other work go on in between.
		await setImmediate();
		return this.#retryWhileLocked((connection) => connection.members(index, page));
	}

	/**
	 * Copies the file through a connection of its own, in one step beside the event loop: in several steps, each write of another
	 * connection would make the copy begin again. https://sqlite.org/backup.html
	 */
	async snapshot(path: string): Promise<void> {
		const source = new DatabaseSync(this.#path, { readOnly: true, timeout: this.#lockTimeoutMs });
		try {
			await backup(source, path, { rate: ALL_PAGES });
		} catch (error) {
			if (!isSqliteError(error)) throw error;
			throw new StoreError(`The database file ${this.#path} cannot be copied: ${error.errstr}.`, { cause: error });
		} finally {
			source.close();
		}
	}

	async close(): Promise<void> {
		this.#isClosing = true;
		await this.#draining;
		await this.#answered;
		this.#file.close();
	}

	async #drain(): Promise<void> {
		while (this.#pending.length > 0) {
			// Collects the writes of one turn of the event loop.
			await setImmediate();
			const writes = this.#pending.splice(0, MAX_WRITES_PER_TRANSACTION);
			try {
				const [answers, durable] = await this.#retryWhileLocked((connection) => [
					runTogether(connection, writes, this.#expired),
					writes.every(({ lazy }) => lazy) ? connection.syncSoon() : connection.sync(),
				]);
				for (const [index, { lazy }] of writes.entries()) if (lazy) answers[index]?.();
				// The next writes do not wait for this, and share the wait for the disk that follows.
				if (durable) this.#answered = answerOnce(durable, writes, answers);
			} catch (error) {
				for (const { reject } of writes) reject(error);
			}
		}
		this.#draining = undefined;
	}

	/** @param checkedMs see `SqliteFile.connection` */
	async #retryWhileLocked<Result>(work: (connection: SqliteConnection) => Result, checkedMs = 0): Promise<Result> {
		const deadline = performance.now() + this.#lockTimeoutMs;
		for (;;) {
			try {
				return work(this.#file.connection(checkedMs));
			} catch (error) {
				if (!isSqliteError(error)) throw error;
				if (isLocked(error)) {
					if (performance.now() < deadline) {
						await setTimeout(1 + Math.random() * MAX_PAUSE_MS);
						continue;
					}
				} else if (!isFull(error)) this.#file.disconnect();
				throw new StoreError(`The database file ${this.#path} cannot be used: ${error.errstr}.`, { cause: error });
			}
		}
	}
}

/** Answers writes once they are durable; those that are answered already stay as they are. Never rejects. */
async function answerOnce(
	durable: Promise<void>,
	writes: readonly PendingWrite[],
	answers: readonly (() => void)[],
): Promise<void> {
	try {
		await durable;
		for (const answer of answers) answer();
	} catch (error) {
		for (const { reject } of writes) reject(error);
	}
}

/**
 * Runs writes in one transaction. A write that throws an error of its own has changed nothing, and does not affect the
 * others. Returns what answers each write.
 */
function runTogether(
	{ table, begin, commit, rollback }: SqliteConnection,
	writes: readonly PendingWrite[],
	expired: ExpiredEntries,
): (() => void)[] {
	begin();
	try {
		expired.dropSome(table);
		const answers = writes.map(({ work, resolve, reject }) => {
			try {
				const result = work(table) as never;
				return () => resolve(result);
			} catch (error) {
				if (isSqliteError(error)) throw error;
				return () => reject(error);
			}
		});
		commit();
		return answers;
	} catch (error) {
		rollback();
		throw error;
	}
}
