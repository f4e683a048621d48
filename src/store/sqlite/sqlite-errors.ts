import { StoreError } from '../store.ts';

/** An error of node:sqlite. https://nodejs.org/api/sqlite.html */
type SqliteError = Error & { errcode: number; errstr: string };

/** The primary result codes of a file that another connection is using. https://sqlite.org/rescode.html */
const BUSY = 5;
const LOCKED = 6;
/** The disk, or the file by its own limit, is full. */
const FULL = 13;

export function isSqliteError(error: unknown): error is SqliteError {
	return error instanceof Error && (error as Partial<SqliteError>).errcode !== undefined;
}

/** Tells whether a file is used by another connection, so that trying again helps. */
export function isLocked({ errcode }: SqliteError): boolean {
	const primaryCode = errcode & 0xff;
	return primaryCode === BUSY || primaryCode === LOCKED;
}

/** Tells whether there was no space left, so that the connection can still be used to read. */
export const isFull = ({ errcode }: SqliteError): boolean => (errcode & 0xff) === FULL;

/** Returns what is thrown when a file of the database cannot be written. @param error of the file system */
export function cannotBeWritten(path: string, error: unknown): StoreError {
	const { code } = error as NodeJS.ErrnoException;
	return new StoreError(`The database file ${path} cannot be written (${code}).`, { cause: error });
}
