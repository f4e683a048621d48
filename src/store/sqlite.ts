import { setImmediate, setTimeout } from 'node:timers/promises';
import { openFile, type SqliteConnection } from './sqlite-file.ts';
import { StoreError } from './store.ts';
import type { Table, TableDoor } from './table.ts';

/** How long a locked file is waited for. Waiting is done between tries, never in SQLite, so that nothing else stands still. */
const PATIENCE_MS = 5000;
const LONGEST_PAUSE_MS = 8;

/** Changes that are asked for at the same time share one transaction, and so one wait for the disk. */
const MAX_GROUP = 64;

const KEYS_AT_ONCE = 256;

/** The primary result codes of a file that somebody else is using. https://sqlite.org/rescode.html */
const BUSY = 5;
const LOCKED = 6;

type Task = {
	work: (table: Table) => unknown;
	resolve: (result: never) => void;
	reject: (error: unknown) => void;
};

/**
 * A table in an SQLite file that any number of processes may share. When the file can't be used, calls reject with
 * `StoreError`; each tries anew, so the store works again as soon as the file does.
 * @param path is made, folders too, when there is nothing yet
 * @throws StoreError
 */
export async function openSqlite(path: string, patienceMs = PATIENCE_MS): Promise<TableDoor> {
	const file = openFile(path);
	const waiting: Task[] = [];
	let draining: Promise<void> | undefined;
	let closing = false;

	/** Runs what SQLite can do at once, again and again while somebody else has the file. */
	async function patiently<Result>(work: (connection: SqliteConnection) => Result): Promise<Result> {
		const deadline = performance.now() + patienceMs;
		for (;;) {
			try {
				return work(file.connection());
			} catch (error) {
				const code = primaryCode(error);
				const locked = code === BUSY || code === LOCKED;
				if (locked && performance.now() < deadline) {
					await setTimeout(1 + Math.random() * LONGEST_PAUSE_MS);
					continue;
				}
				if (code === undefined) throw error;
				if (!locked) file.disconnect();
				throw new StoreError(`The database file ${path} can't be used: ${(error as SqliteError).errstr}.`, {
					cause: error,
				});
			}
		}
	}

	async function drain() {
		while (waiting.length > 0) {
			// A turn of the event loop, in which others ask as well.
			await setImmediate();
			const tasks = waiting.splice(0, MAX_GROUP);
			try {
				const settlements = await patiently((connection) => runTogether(connection, tasks));
				for (const settle of settlements) settle();
			} catch (error) {
				for (const { reject } of tasks) reject(error);
			}
		}
		draining = undefined;
	}

	function write<Result>(work: (table: Table) => Result): Promise<Result> {
		if (closing) return Promise.reject(new StoreError('The store is closed.'));
		return new Promise<Result>((resolve, reject) => {
			waiting.push({ work, resolve, reject });
			draining ??= drain();
		});
	}

	const read: TableDoor['read'] = (work) => patiently(({ table }) => work(table));
	await patiently(() => undefined);
	return {
		read,
		write,
		async *keys(prefix) {
			// Page by page: a statement left open between turns of the loop would hold on to an old state of the file.
			let last = '';
			for (;;) {
				const from = last || prefix;
				const keys = await patiently(({ keysFrom }) => keysFrom(from, KEYS_AT_ONCE));
				for (const key of keys) {
					if (!key.startsWith(prefix)) return;
					if (key !== last) yield key;
				}
				if (keys.length < KEYS_AT_ONCE) return;
				last = keys.at(-1) ?? '';
			}
		},
		async close() {
			closing = true;
			await draining;
			file.close();
		},
	};
}

/** One transaction for all. What a task throws of its own is its own: it has changed nothing by then. */
function runTogether({ table, begin, commit, rollback }: SqliteConnection, tasks: readonly Task[]): (() => void)[] {
	begin();
	try {
		const settlements = tasks.map(({ work, resolve, reject }) => {
			try {
				const result = work(table) as never;
				return () => resolve(result);
			} catch (error) {
				if (primaryCode(error) !== undefined) throw error;
				return () => reject(error);
			}
		});
		commit();
		return settlements;
	} catch (error) {
		rollback();
		throw error;
	}
}

/** What node:sqlite throws. https://nodejs.org/api/sqlite.html */
type SqliteError = Error & { errcode: number; errstr: string };

/** SQLite's primary result code, if the error is SQLite's. https://sqlite.org/rescode.html */
function primaryCode(error: unknown): number | undefined {
	const code = error instanceof Error ? (error as Partial<SqliteError>).errcode : undefined;
	return code === undefined ? undefined : code & 0xff;
}
