import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, link, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
	ALL_SPACES,
	type BackupCounts,
	BackupError,
	type BackupRecord,
	BackupRefusedError,
	checkBackup,
	encodeRecord,
	FORMAT_VERSION,
	isBackedUp,
	isBackedUpSpace,
	MAGIC,
	splitKey,
	toBackupError,
} from './backup-format.ts';
import { type FilesOptions, syncFolder } from './files.ts';
import { addressOf, openStoreWithBackend, type StoreWithBackend } from './open-store.ts';
import type { SnapshotFile } from './snapshot-file.ts';
import type { Store } from './store.ts';

/** How many members of an index one record has at most. */
const MEMBERS_PER_RECORD = 1000;

export type BackupOptions = {
	url: string;
	files: FilesOptions | undefined;
	path: string;
	/** Whether an existing file may be replaced. */
	mayReplace: boolean;
	/** The version of the store that this program works with. */
	schema: number;
	/** Called with a sentence whenever a part is done. */
	onProgress(sentence: string): void;
	signal?: AbortSignal;
};

/**
 * Backs up a store to one file, while processes use it: all entries and indexes as they are at one commit, and then the files that
 * were there before or after that. A file that is deleted meanwhile is left out; the program treats it as expired.
 *
 * The backup is read again and checked before it gets its name. Its time is recorded in the store.
 *
 * @returns what is in the backup, and how many files were left out
 * @throws BackupError and StoreError
 */
export async function createBackup(options: BackupOptions): Promise<BackupCounts & { leftOut: number }> {
	const { url, path, mayReplace, schema, onProgress } = options;
	const address = addressOf(url);
	if (address.kind === 'memory')
		throw new BackupRefusedError(
			'STORE_URL is memory:, which is kept by the running process alone and cannot be backed up.',
		);
	if (address.kind === 'sqlite' && !existsSync(address.path))
		throw new BackupError(`STORE_URL names ${address.path}, which does not exist; nothing was backed up.`);
	await refuseExisting(path, mayReplace);
	await removeAbandoned(path);
	const opened = await openStoreWithBackend(url, options.files);
	const writer = new BackupWriter(path);
	try {
		const leftOut = await writeBackup(opened, writer, options);
		const counts = await writer.finish();
		onProgress('Checking the file');
		await checkBackup(writer.temporaryPath, schema);
		options.signal?.throwIfAborted();
		await writer.publish(mayReplace);
		const { keyv } = opened.store.space('backups');
		await keyv
			.set('last', { at: Date.now() })
			.catch(() => onProgress('The backup is complete, but the store could not record its time'));
		return { ...counts, leftOut };
	} finally {
		await writer.discard();
		await opened.store.close();
	}
}

/** Returns how many files were left out. */
async function writeBackup(
	{ backend, filesOf }: StoreWithBackend,
	writer: BackupWriter,
	{ path, onProgress, signal }: BackupOptions,
): Promise<number> {
	const names = new Map<string, Set<string>>();
	await addNames(filesOf, names);
	const copy = temporaryPath(path, 'snapshot');
	try {
		// The copy contains everything that people wrote.
		await createPrivately(copy, path);
		const createdAt = Date.now();
		await backend.snapshot(copy);
		signal?.throwIfAborted();
		// Every process reads when the last backup was made; only a backup needs SQLite for that.
		const snapshot = new (await import('./snapshot-file.ts')).SnapshotFile(copy);
		try {
			snapshot.checkIntegrity();
			await writer.start(schemaOf(snapshot), createdAt);
			await writeEntries(snapshot, writer);
			await writeMembers(snapshot, writer);
		} finally {
			snapshot.close();
		}
	} finally {
		for (const suffix of ['', '-journal', '-wal', '-shm']) await unlink(copy + suffix).catch(() => {});
	}
	onProgress(`Saved ${writer.counts.entries} entries and ${writer.counts.members} members of indexes`);
	await addNames(filesOf, names);
	return writeFiles(names, filesOf, writer, { onProgress, signal });
}

/** Returns the oldest version of the spaces. In version 1 no space had one. */
function schemaOf(snapshot: SnapshotFile): number {
	const versions = [...snapshot.entries()]
		.filter(({ key }) => key.endsWith(':schema'))
		.map(({ entry }) => Number((JSON.parse(entry) as { value: unknown }).value));
	return Math.max(1, ...versions);
}

async function writeEntries(snapshot: SnapshotFile, writer: BackupWriter): Promise<void> {
	const now = Date.now();
	for (const { key: stored, entry, expires } of snapshot.entries()) {
		const { space, key } = splitKey(stored);
		if (!isBackedUp(space, key) || (expires !== null && expires < now)) continue;
		await writer.write({ kind: 'entry', space, key, expires: expires ?? undefined, entry });
	}
}

async function writeMembers(snapshot: SnapshotFile, writer: BackupWriter): Promise<void> {
	const now = Date.now();
	let name = '';
	let members: [string, number | null][] = [];
	const flush = async () => {
		const { space, key: index } = splitKey(name);
		if (members.length > 0 && isBackedUpSpace(space)) await writer.write({ kind: 'members', space, index, members });
		members = [];
	};
	for (const row of snapshot.members()) {
		if (row.expires !== null && row.expires < now) continue;
		if (row.name !== name || members.length === MEMBERS_PER_RECORD) await flush();
		name = row.name;
		members.push([row.member, row.expires]);
	}
	await flush();
}

/** Returns how many files were left out. */
async function writeFiles(
	names: ReadonlyMap<string, ReadonlySet<string>>,
	filesOf: StoreWithBackend['filesOf'],
	writer: BackupWriter,
	{ onProgress, signal }: Pick<BackupOptions, 'onProgress' | 'signal'>,
): Promise<number> {
	let leftOut = 0;
	const isTime = every(PROGRESS_MS);
	const all = [...names].flatMap(([space, each]) => [...each].map((name) => ({ space, name })));
	for (const { space, name } of all) {
		signal?.throwIfAborted();
		const files = filesOf(space);
		const expires = await files.expiryOf(name);
		const bytes = await files.get(name);
		if (bytes) await writer.write({ kind: 'file', space, name, expires, bytes });
		else leftOut += 1;
		if (isTime()) onProgress(`Saved ${writer.counts.files} of ${all.length} pictures`);
	}
	return leftOut;
}

/** Adds the files that there are now to their names by space. A file that is listed twice counts once. */
async function addNames(filesOf: StoreWithBackend['filesOf'], names: Map<string, Set<string>>): Promise<void> {
	for (const space of ALL_SPACES.filter(isBackedUpSpace))
		names.set(space, new Set([...(names.get(space) ?? []), ...(await filesOf(space).names())]));
}

/** How often progress is reported within one part. */
export const PROGRESS_MS = 5000;

/** Returns a function that returns true once in so many milliseconds. */
export function every(ms: number): () => boolean {
	let last = performance.now();
	return () => {
		const now = performance.now();
		if (now < last + ms) return false;
		last = now;
		return true;
	};
}

/**
 * Returns when the last backup was finished: its file was complete and checked. The metric
 * `easel_backup_last_success_timestamp_seconds` of every process on the store shows it.
 *
 * @returns Unix milliseconds; undefined when there is none yet
 */
export async function lastBackupAt(store: Store): Promise<number | undefined> {
	return (await store.space('backups').keyv.get<{ at: number }>('last'))?.at;
}

/** Small records are written together. */
const WRITE_BYTES = 1024 * 1024;

/** The file that a backup is written to until it is complete, and the copy of the store that it is made from. */
const TEMPORARY = /\.(unfinished|snapshot(-journal|-wal|-shm)?)$/;

/** A backup writes all the time, so an unfinished file that was not written for so long is left by a crashed process. */
const ABANDONED_MS = 3600_000;

/** Returns a name beside a file, which `removeAbandoned` recognizes. */
const temporaryPath = (path: string, kind: 'unfinished' | 'snapshot') =>
	join(dirname(path), `.${basename(path)}.${randomUUID()}.${kind}`);

/** Deletes what a crashed process has left beside the file of a backup. */
async function removeAbandoned(path: string): Promise<void> {
	const folder = dirname(path);
	for (const name of await readdir(folder).catch(() => [])) {
		if (!name.startsWith(`.${basename(path)}.`) || !TEMPORARY.test(name)) continue;
		const abandoned = join(folder, name);
		const { mtimeMs } = await stat(abandoned).catch(() => ({ mtimeMs: Date.now() }));
		if (mtimeMs < Date.now() - ABANDONED_MS) await unlink(abandoned).catch(() => {});
	}
}

/** @throws BackupRefusedError when the file exists and may not be replaced */
async function refuseExisting(path: string, mayReplace: boolean): Promise<void> {
	if (!mayReplace && (await stat(path).catch(() => undefined))) throw existing(path);
}

const existing = (path: string) =>
	new BackupRefusedError(`${path} exists. Name another file, or replace it with --force.`);

/**
 * Writes a backup under a temporary name, readable by its owner only. The file has its own name only once all of it is on the disk.
 * Every call rejects with `BackupError` when the file cannot be written.
 */
export class BackupWriter {
	/** Where it is written to until `publish`. */
	readonly temporaryPath: string;
	readonly #path: string;
	readonly #hash = createHash('sha256');
	readonly #counts: BackupCounts = { entries: 0, members: 0, files: 0 };
	#file: FileHandle | undefined;
	#pending: Uint8Array[] = [];
	#pendingBytes = 0;

	constructor(path: string) {
		this.#path = path;
		this.temporaryPath = temporaryPath(path, 'unfinished');
	}

	get counts(): Readonly<BackupCounts> {
		return this.#counts;
	}

	/** @param schema the oldest version of the store's spaces; createdAt in Unix milliseconds */
	async start(schema: number, createdAt: number): Promise<void> {
		await this.#translate(async () => {
			this.#file = await open(this.temporaryPath, 'wx', 0o600);
		});
		this.#push(MAGIC);
		await this.#append({ kind: 'header', format: FORMAT_VERSION, schema, createdAt });
	}

	async write(record: Exclude<BackupRecord, { kind: 'header' | 'end' }>): Promise<void> {
		if (record.kind === 'entry') this.#counts.entries += 1;
		if (record.kind === 'members') this.#counts.members += record.members.length;
		if (record.kind === 'file') this.#counts.files += 1;
		await this.#append(record);
	}

	/** Writes the end, and waits until everything is on the disk. */
	async finish(): Promise<BackupCounts> {
		await this.#append({ kind: 'end', ...this.#counts, sha256: this.#hash.copy().digest('hex') });
		await this.#translate(async () => {
			await this.#flush();
			await this.#file?.sync();
			await this.#close();
		});
		return { ...this.#counts };
	}

	/** Gives the finished file its name. */
	async publish(mayReplace: boolean): Promise<void> {
		await this.#translate(async () => {
			// Unlike `rename`, `link` never replaces a file that has appeared meanwhile. Some file systems do not have it.
			const isLinked = !mayReplace && (await linkIfPossible(this.temporaryPath, this.#path));
			if (isLinked) await unlink(this.temporaryPath);
			else {
				await refuseExisting(this.#path, mayReplace);
				await rename(this.temporaryPath, this.#path);
			}
			await syncFolder(dirname(this.#path));
		});
	}

	/** Deletes the temporary file, if it is still there. */
	async discard(): Promise<void> {
		await this.#close().catch(() => {});
		await unlink(this.temporaryPath).catch(() => {});
	}

	async #append(record: BackupRecord): Promise<void> {
		for (const bytes of encodeRecord(record)) this.#push(bytes);
		if (this.#pendingBytes >= WRITE_BYTES) await this.#translate(() => this.#flush());
	}

	#push(bytes: Uint8Array): void {
		this.#hash.update(bytes);
		this.#pending.push(bytes);
		this.#pendingBytes += bytes.byteLength;
	}

	async #flush(): Promise<void> {
		const bytes = Buffer.concat(this.#pending);
		this.#pending = [];
		this.#pendingBytes = 0;
		// `writeFile` repeats a write that the system has made in part, and continues at the present position.
		await this.#file?.writeFile(bytes);
	}

	async #close(): Promise<void> {
		const file = this.#file;
		this.#file = undefined;
		await file?.close();
	}

	async #translate(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			throw explain(error, this.#path);
		}
	}
}

/** Creates a file beside the file of a backup, which only its owner can read. @throws BackupError */
async function createPrivately(temporary: string, path: string): Promise<void> {
	try {
		await (await open(temporary, 'wx', 0o600)).close();
	} catch (error) {
		throw explain(error, path);
	}
}

function explain(error: unknown, path: string): Error {
	const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
	return toBackupError(error, isMissing ? `The folder ${dirname(path)}` : path);
}

/** @throws BackupRefusedError when the new name is taken */
async function linkIfPossible(from: string, to: string): Promise<boolean> {
	try {
		await link(from, to);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw existing(to);
		return false;
	}
}
