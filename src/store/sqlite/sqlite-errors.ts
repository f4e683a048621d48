/** An error of node:sqlite. https://nodejs.org/api/sqlite.html */
type SqliteError = Error & { errcode: number; errstr: string };

/** The primary result codes of a file that another connection is using. https://sqlite.org/rescode.html */
const BUSY = 5;
const LOCKED = 6;

export function isSqliteError(error: unknown): error is SqliteError {
	return error instanceof Error && (error as Partial<SqliteError>).errcode !== undefined;
}

/** Tells whether a file is used by another connection, so that trying again helps. */
export function isLocked({ errcode }: SqliteError): boolean {
	const primaryCode = errcode & 0xff;
	return primaryCode === BUSY || primaryCode === LOCKED;
}
