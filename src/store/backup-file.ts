import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { type CopyTarget, deserialize } from './backend.ts';
import { isFileName } from './files.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { createPauses, isIndexText, StoreError } from './store.ts';

/** Thrown when a backup cannot be made, read or restored. The message is one sentence for the operator. */
export class BackupError extends StoreError {
	override name = 'BackupError';
}

/** Thrown when a newer version of Easel has written a backup: this version could misread it. */
export class NewerBackupError extends BackupError {}

/** Thrown when a command is used in a way that could destroy something, or makes no sense for the store. */
export class BackupRefusedError extends BackupError {}

/** Translates an error of the file system, or of SQLite, about the file of a backup. */
export function toBackupError(error: unknown, path: string): Error {
	const { code, errcode, errstr } = error as NodeJS.ErrnoException & { errcode?: number; errstr?: string };
	if (error instanceof BackupError || code === undefined) return error as Error;
	const known = REASONS[(errcode ?? 0) & 0xff] ?? REASONS[code];
	return new BackupError(`${path} ${known ?? `cannot be read or written (${errstr ?? code})`}.`, { cause: error });
}

const FULL = 'cannot be written, because the disk is full';

/** By the codes of the file system, and the primary codes of SQLite. https://sqlite.org/rescode.html */
const REASONS: Record<string | number, string> = {
	ENOENT: 'does not exist',
	EACCES: 'may not be read or written by this user',
	EPERM: 'may not be read or written by this user',
	EISDIR: 'is a folder; name a file',
	ENOTDIR: 'lies in something that is not a folder',
	ENOSPC: FULL,
	13: FULL,
	EDQUOT: 'cannot be written, because the disk quota is used up',
	EROFS: 'cannot be written, because the file system is read-only',
	EFBIG: 'cannot be written, because it exceeds the largest size of a file',
};

/**
 * Spaces that are not backed up: facts about the service, which are found again; objects of a bucket and small files, which are
 * backed up as files; the store's own health and backups.
 */
const OTHER_SPACES = ['service', 'files', 'small-files', 'health', 'backups', 'restore'];

/** All spaces that may be in a store. */
export const ALL_SPACES: readonly string[] = [
	...['ledger', 'chats', 'recent', 'pause', 'search', 'waiting', 'requests', 'log', 'pictures', 'erasures', 'forms'],
	...['consent', 'tray', 'uploads', 'discord', 'slack', 'sandbox', 'studio', ...OTHER_SPACES],
];

export const isBackedUpSpace = (space: string): boolean => !OTHER_SPACES.includes(space);

/** Tells whether an entry is backed up. A lease belongs to a process, which does not run on another store. */
export const isBackedUp = (space: string, key: string): boolean =>
	isBackedUpSpace(space) && !(space === 'ledger' && /^(lease|renewals):/.test(key));

export const isBackedUpFile = (space: string, name: string): boolean =>
	/^(pictures\/(kept|original|input|brought):|uploads\/|sandbox\/)/.test(`${space}/${name}`);

/** The version of the format. Raise it when a program that reads the present one could misread the new one. */
const FORMAT_VERSION = 2;

/** `EASL`, which tells the file from other SQLite files. https://sqlite.org/pragma.html#pragma_application_id */
const APPLICATION_ID = 0x4541534c;

/** An entry is as keyv serializes it. Expiries and the time of the backup are Unix milliseconds. */
const TABLES = `
	CREATE TABLE about (created INTEGER NOT NULL) STRICT;
	CREATE TABLE entries (
		space TEXT NOT NULL, key TEXT NOT NULL, entry TEXT NOT NULL, expires INTEGER, PRIMARY KEY (space, key)
	) STRICT;
	CREATE TABLE members (
		space TEXT NOT NULL, name TEXT NOT NULL, member TEXT NOT NULL, expires INTEGER, PRIMARY KEY (space, name, member)
	) STRICT, WITHOUT ROWID;
	CREATE TABLE files (
		space TEXT NOT NULL, name TEXT NOT NULL, bytes BLOB NOT NULL, expires INTEGER, PRIMARY KEY (space, name)
	) STRICT;`;

/** The SHA-256 digest of everything before it follows the database. SQLite ignores bytes after its last page. */
const DIGEST_BYTES = 32;

/** The header of an SQLite file, and where its numbers are. https://sqlite.org/fileformat.html#the_database_header */
const HEADER_BYTES = 100;
const SQLITE = Buffer.from('SQLite format 3\0');
const [VERSION_AT, APPLICATION_AT] = [60, 68];

/** Redis allows no larger values. https://redis.io/docs/latest/develop/data-types/strings/ */
const MAX_VALUE_BYTES = 512 * 1024 * 1024;

export type BackupCounts = { entries: number; members: number; files: number };

const countsOf = (database: DatabaseSync) =>
	database
		.prepare(
			'SELECT (SELECT count(*) FROM entries) AS entries, (SELECT count(*) FROM members) AS members, (SELECT count(*) FROM files) AS files',
		)
		.get() as BackupCounts;

/** Splits a key that begins with its space and a colon. */
function splitKey(stored: string): [space: string, key: string] {
	const colon = stored.indexOf(':');
	return [stored.slice(0, colon), stored.slice(colon + 1)];
}

/** Writes the file of a backup. What is not backed up, and what has expired, is left out. Calls throw `BackupError`. */
export class BackupWriter implements CopyTarget {
	readonly #path: string;
	readonly #database: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();
	readonly #createdAt = Date.now();

	/** @param path an empty file */
	constructor(path: string) {
		this.#path = path;
		this.#database = new DatabaseSync(path);
		// A file that was not finished is thrown away, so it needs no journal.
		this.#database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
			PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT_VERSION}; BEGIN; ${TABLES}`);
	}

	/** Reads the tables, so only rarely. */
	get counts(): BackupCounts {
		return countsOf(this.#database);
	}

	set(stored: string, entry: string | undefined, expires: number | null): void {
		const [space, key] = splitKey(stored);
		if (entry === undefined || !isBackedUp(space, key) || this.#isOver(expires))
			this.#run('DELETE FROM entries WHERE space = ? AND key = ?', space, key);
		else this.#run('INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)', space, key, entry, expires);
	}

	clearIndex(stored: string): void {
		this.#run('DELETE FROM members WHERE space = ? AND name = ?', ...splitKey(stored));
	}

	addMember(stored: string, member: string, expires: number | null): void {
		const [space, name] = splitKey(stored);
		if (!isBackedUpSpace(space) || this.#isOver(expires)) return;
		this.#run('INSERT OR REPLACE INTO members VALUES (?, ?, ?, ?)', space, name, member, expires);
	}

	addFile(space: string, name: string, bytes: Uint8Array, expires: number | undefined): void {
		this.#run('INSERT INTO files VALUES (?, ?, ?, ?)', space, name, bytes, expires ?? null);
	}

	/** Completes the file, and waits until it is on the disk. */
	async finish(): Promise<void> {
		this.#run('INSERT INTO about VALUES (?)', this.#createdAt);
		this.#run('COMMIT');
		this.close();
		await seal(this.#path);
	}

	close(): void {
		if (this.#database.isOpen) this.#database.close();
	}

	#isOver(expires: number | null): boolean {
		return expires !== null && expires < this.#createdAt;
	}

	#run(sql: string, ...values: SQLInputValue[]): void {
		try {
			const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
			this.#statements.set(sql, statement);
			statement.run(...values);
		} catch (error) {
			throw toBackupError(error, this.#path);
		}
	}
}

/** Adds the digest to a database, and waits until all is on the disk. */
export async function seal(path: string): Promise<void> {
	const file = await open(path, 'r+');
	try {
		const { size } = await file.stat();
		await file.write(await digestOf(file, size), 0, DIGEST_BYTES, size);
		await file.sync();
	} finally {
		await file.close();
	}
}

async function digestOf(file: FileHandle, size: number): Promise<Buffer> {
	const hash = createHash('sha256');
	const bytes = file.createReadStream({ start: 0, end: size - 1, autoClose: false, highWaterMark: 1024 * 1024 });
	for await (const chunk of bytes) hash.update(chunk);
	return hash.digest();
}

type Expiring = { space: string; expires: number | null };
export type BackupContent =
	| ({ kind: 'entry'; key: string; entry: string } & Expiring)
	/** `latest` is the latest expiry in the index: on Redis all members of an index expire together. */
	| ({ kind: 'member'; name: string; member: string; latest: number | null } & Expiring)
	| ({ kind: 'file'; name: string; bytes: Uint8Array } & Expiring);

/** A backup that was checked, every byte and every row of it. Anybody can write such a file: the digest is no signature. */
export class Backup {
	/** Unix milliseconds. */
	readonly createdAt: number;
	readonly counts: BackupCounts;
	readonly #database: DatabaseSync;

	private constructor(database: DatabaseSync) {
		this.#database = database;
		const [about, ...more] = database.prepare('SELECT created FROM about').all() as { created: number }[];
		if (!about || more.length > 0 || !isTime(about.created)) throw new TypeError('Invalid time of the backup.');
		this.createdAt = about.created;
		this.counts = countsOf(database);
	}

	/**
	 * Opens a backup and checks it. Nothing of it is kept in memory.
	 *
	 * @throws BackupError when it is no backup, is cut off or damaged; NewerBackupError when a newer version has written it
	 */
	static async open(path: string): Promise<Backup> {
		await checkBytes(path);
		let database: DatabaseSync | undefined;
		try {
			database = openUntrusted(path);
			const backup = new Backup(database);
			const pause = createPauses();
			for (const _ of backup.content()) await pause();
			return backup;
		} catch (error) {
			database?.close();
			if (error instanceof NewerBackupError) throw newer(path);
			throw new BackupError(`${path} has content that no backup has, so nothing of it can be used.`, { cause: error });
		}
	}

	/** Yields all content, and checks it on the way. */
	*content(): Generator<BackupContent> {
		for (const sql of [
			"SELECT 'entry' AS kind, * FROM entries",
			"SELECT 'member' AS kind, *, max(expires) OVER (PARTITION BY space, name) AS latest FROM members",
			"SELECT 'file' AS kind, * FROM files",
		])
			for (const row of this.#database.prepare(sql).iterate()) yield this.#checked(row as object as BackupContent);
	}

	close(): void {
		this.#database.close();
	}

	/** Refuses what has no place in a store. Nothing else of a file becomes the name of a folder, a file, an object or a key. */
	#checked(row: BackupContent): BackupContent {
		if (!isKnown(row) || !isTime(row.expires ?? 0)) throw new TypeError('A row that no backup has.');
		if (row.kind !== 'entry') return row;
		const { value } = Entry.parse(deserialize(row.entry));
		if (row.key === 'schema' && Number(value) > SCHEMA_VERSION) throw new NewerBackupError();
		return row;
	}
}

/** Unix milliseconds that are a date. https://tc39.es/ecma262/#sec-time-values-and-time-range */
const isTime = (time: number): boolean => time >= 0 && time <= 8.64e15;
const Entry = z.object({ value: z.unknown(), expires: z.number().refine(isTime).optional() });

function isKnown(row: BackupContent): boolean {
	if (!ALL_SPACES.includes(row.space)) return false;
	if (row.kind === 'entry') return true;
	if (row.kind === 'member') return isIndexText(row.name) && isIndexText(row.member);
	return isBackedUpFile(row.space, row.name) && isFileName(row.name);
}

const newer = (path: string) =>
	new NewerBackupError(`${path} was written by a newer version of Easel. Restore it with that version.`);

/** Checks that a file is a backup of this format, and as it was written. SQLite has not read anything of it then. */
async function checkBytes(path: string): Promise<void> {
	let file: FileHandle | undefined;
	try {
		file = await open(path);
		const header = Buffer.alloc(HEADER_BYTES);
		await file.read(header, 0, HEADER_BYTES, 0);
		if (header.toString('latin1').startsWith('EASEL BACKUP\r\n'))
			throw new BackupError(`${path} has the format of an earlier version of Easel. Restore it with that version.`);
		if (!header.subarray(0, SQLITE.length).equals(SQLITE) || header.readUInt32BE(APPLICATION_AT) !== APPLICATION_ID)
			throw new BackupError(`${path} is not a backup of Easel.`);
		if (header.readUInt32BE(VERSION_AT) > FORMAT_VERSION) throw newer(path);
		const size = (await file.stat()).size - DIGEST_BYTES;
		const stored = Buffer.alloc(DIGEST_BYTES);
		await file.read(stored, 0, DIGEST_BYTES, Math.max(0, size));
		if (size < HEADER_BYTES || !stored.equals(await digestOf(file, size)))
			throw new BackupError(`${path} is cut off or damaged, so nothing of it can be used.`);
	} catch (error) {
		throw toBackupError(error, path);
	} finally {
		await file?.close();
	}
}

/**
 * Opens a file that anybody may have written, and checks its pages and its schema: nothing in it runs, and no other file is read.
 * https://sqlite.org/security.html#untrusted_sqlite_database_files
 */
function openUntrusted(path: string): DatabaseSync {
	const url = pathToFileURL(path);
	// Journals beside the file are ignored. https://sqlite.org/c3ref/open.html#coreuriqueryparameters
	url.searchParams.set('immutable', '1');
	const database = new DatabaseSync(url, { readOnly: true, defensive: true, limits: { length: MAX_VALUE_BYTES } });
	try {
		database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;');
		const empty = new DatabaseSync(':memory:');
		empty.exec(TABLES);
		const [schema, own] = [database, empty].map((each) =>
			JSON.stringify(each.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all()),
		);
		empty.close();
		if (schema !== own) throw new TypeError('Another schema.');
		// Checks the types of the columns, too. https://sqlite.org/pragma.html#pragma_integrity_check
		if (database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] !== 'ok')
			throw new TypeError('Damaged pages.');
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}
