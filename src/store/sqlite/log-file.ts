import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { SharedSync } from '../shared-sync.ts';
import { cannotBeWritten } from './sqlite-errors.ts';

/** Waits until the data of an open file are on the disk. */
export type SyncFile = (file: number) => Promise<void>;

const fdatasync: SyncFile = promisify(fs.fdatasync);

/** How long what is written lazily may wait for the disk, in milliseconds. Most of it shares the sync of a write that does not wait. */
const LAZY_MS = 20;

/** Returns the path of the write-ahead log of a database file. https://sqlite.org/wal.html */
export const logOf = (database: string): string => `${database}-wal`;

/**
 * The write-ahead log that SQLite has open, to make it durable. SQLite deletes it only after the last connection to its database, and has no
 * lock on it that closing this file would end.
 */
export class LogFile {
	readonly #file: number;
	readonly #shared: SharedSync;
	#timer: NodeJS.Timeout | undefined;

	/**
	 * @param database the path of the database file
	 * @throws StoreError
	 */
	constructor(database: string, syncFile = fdatasync) {
		const path = logOf(database);
		try {
			this.#file = fs.openSync(path, 'r+');
		} catch (error) {
			throw cannotBeWritten(path, error);
		}
		this.#shared = new SharedSync(() =>
			syncFile(this.#file).catch((error) => Promise.reject(cannotBeWritten(path, error))),
		);
	}

	/** Makes durable what was written before this call. Rejects with `StoreError`. */
	sync(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		return this.#shared.sync();
	}

	/** Makes durable what was written before this call, within `LAZY_MS`. A failure shows at the next sync. */
	syncSoon(): undefined {
		this.#timer ??= setTimeout(() => void this.sync().catch(() => {}), LAZY_MS).unref();
	}

	/** Closes the file after a last sync. */
	close(): void {
		const done = () => fs.closeSync(this.#file);
		void this.sync().then(done, done);
	}
}
