import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BackupRefusedError, toBackupError } from './backup-errors.ts';
import { type BackupCounts, type BackupRecord, encodeRecord, FORMAT_VERSION, MAGIC } from './backup-format.ts';

/** Small records are written together. */
const WRITE_BYTES = 1024 * 1024;

/** The file that a backup is written to until it is complete, and the copy of the store that it is made from. */
const TEMPORARY = /\.(unfinished|snapshot(-journal|-wal|-shm)?)$/;

/** A backup writes all the time, so an unfinished file that was not written for so long is left by a crashed process. */
const ABANDONED_MS = 3600_000;

/** Returns a name beside a file, which `removeAbandoned` recognizes. */
export const temporaryPath = (path: string, kind: 'unfinished' | 'snapshot') =>
	join(dirname(path), `.${basename(path)}.${randomUUID()}.${kind}`);

/** Deletes what a crashed process has left beside the file of a backup. */
export async function removeAbandoned(path: string): Promise<void> {
	const folder = dirname(path);
	for (const name of await readdir(folder).catch(() => [])) {
		if (!name.startsWith(`.${basename(path)}.`) || !TEMPORARY.test(name)) continue;
		const abandoned = join(folder, name);
		const { mtimeMs } = await stat(abandoned).catch(() => ({ mtimeMs: Date.now() }));
		if (mtimeMs < Date.now() - ABANDONED_MS) await unlink(abandoned).catch(() => {});
	}
}

/** @throws BackupRefusedError when the file exists and may not be replaced */
export async function refuseExisting(path: string, mayReplace: boolean): Promise<void> {
	const exists = await stat(path).then(
		() => true,
		() => false,
	);
	if (exists && !mayReplace) throw existing(path);
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
			const folder = await open(dirname(this.#path)).catch(() => undefined);
			await folder?.sync().catch(() => {});
			await folder?.close();
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
export async function createPrivately(temporary: string, path: string): Promise<void> {
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
