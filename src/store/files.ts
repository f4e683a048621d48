import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { mkdir, open, opendir, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { MAX_NAME, StoreError } from './store.ts';

export const isFileName = (name: string): boolean => /^[\x21-\x7e]+$/.test(name) && name.length <= MAX_NAME;

/** `expires` is in Unix milliseconds; never when undefined. */
type StoredFile = { bytes: Uint8Array; expires?: number };

/** Where the files of all spaces are kept. Every call rejects with `StoreError` when it cannot be done. */
export type FileStore = {
	/** Resolves once the file would survive the end of this process. */
	put(space: string, name: string, bytes: Uint8Array, expires?: number): Promise<void>;
	get(space: string, name: string): Promise<StoredFile | undefined>;
	/** Returns whether the file existed. */
	delete(space: string, name: string): Promise<boolean>;
	names(space: string): Promise<string[]>;
	/** Rejects when files cannot be written, read or deleted. */
	check(): Promise<void>;
	/** Waits for what was begun. */
	close(): Promise<void>;
};

export class MemoryFiles implements FileStore {
	readonly #files = new Map<string, StoredFile>();

	async put(space: string, name: string, bytes: Uint8Array, expires?: number): Promise<void> {
		// A copy, because the caller may write into its own array.
		this.#living().set(`${space}/${name}`, { bytes: Uint8Array.from(bytes), expires });
	}

	async get(space: string, name: string): Promise<StoredFile | undefined> {
		return this.#living().get(`${space}/${name}`);
	}

	async delete(space: string, name: string): Promise<boolean> {
		return this.#living().delete(`${space}/${name}`);
	}

	async names(space: string): Promise<string[]> {
		const paths = [...this.#living().keys()].filter((path) => path.startsWith(`${space}/`));
		return paths.map((path) => path.slice(space.length + 1));
	}

	async check(): Promise<void> {}

	async close(): Promise<void> {}

	/** Returns the files that have not expired, and drops the others. */
	#living(): Map<string, StoredFile> {
		const now = Date.now();
		for (const [path, { expires = now }] of this.#files) if (expires < now) this.#files.delete(path);
		return this.#files;
	}
}

/** Every file begins with its expiry: Unix milliseconds as a big-endian double, Infinity for never. */
const HEADER_BYTES = 8;

/** Longer than any file takes to write. An older unfinished one is left by a crashed process. */
const UNFINISHED_MS = 3600_000;
const UNFINISHED = '.unfinished';

/** A name in hexadecimal digits, and the ending of an unfinished file. Nothing else in the folder is read or deleted. */
const OWN_NAME = /^(?:[0-9a-f]{2})+(?:\.[0-9a-f-]{36}\.unfinished)?$/;

/** Every file is younger than this, 2001-09-09: the beginning of another program's file is hardly ever a later time. */
const EARLIEST_EXPIRY = 1e12;

/** The minimum time between two cleanings of a folder by a process. */
const CLEAN_EVERY_MS = 3600_000;

/** Few files at a time, with pauses in between, so that a large folder takes a minute rather than the whole process. */
const FILES_PER_PAGE = 50;
const PAUSE_MS = 20;

/**
 * Keeps files in a folder that any number of processes may share, the files of each space in a folder of their own. A file appears as a
 * whole or not at all, and once `put` has resolved it survives the end of the process and a power failure. Files lie beside an SQLite file
 * rather than in it: there, megabytes would pass through its log and its pages twice, on the main thread.
 */
export class FolderFiles implements FileStore {
	readonly #folder: string;
	readonly #timer: NodeJS.Timeout;
	#cleanAt = 0;

	constructor(folder: string) {
		this.#folder = folder;
		// A process in which nothing happens cleans as well.
		this.#timer = setInterval(() => void this.#cleanIfDue(), CLEAN_EVERY_MS).unref();
	}

	put(space: string, name: string, bytes: Uint8Array, expires = Number.POSITIVE_INFINITY): Promise<void> {
		return translateErrors(async () => {
			const path = this.#pathOf(space, name);
			await write(path, bytes, expires).catch(async (error: NodeJS.ErrnoException) => {
				if (error.code !== 'ENOENT') throw error;
				await mkdir(dirname(path), { recursive: true, mode: 0o700 });
				await write(path, bytes, expires);
			});
			void this.#cleanIfDue();
		});
	}

	get(space: string, name: string): Promise<StoredFile | undefined> {
		return translateErrors<StoredFile | undefined>(async () => {
			const file = await readFile(this.#pathOf(space, name));
			const expires = file.readDoubleBE();
			if (expires < Date.now()) return undefined;
			return { bytes: file.subarray(HEADER_BYTES), expires: Number.isFinite(expires) ? expires : undefined };
		}, undefined);
	}

	delete(space: string, name: string): Promise<boolean> {
		return translateErrors(async () => {
			const path = this.#pathOf(space, name);
			const existed = readExpiry(path) >= Date.now();
			await unlink(path);
			return existed;
		}, false);
	}

	names(space: string): Promise<string[]> {
		return translateErrors(async () => {
			const names: string[] = [];
			const folder = join(this.#folder, space);
			for (const entry of await readdir(folder, { withFileTypes: true })) {
				if (!entry.isFile() || !OWN_NAME.test(entry.name) || entry.name.endsWith(UNFINISHED)) continue;
				// Other work goes on in between: there may be many.
				await setImmediate();
				const name = Buffer.from(entry.name, 'hex').toString();
				if (isFileName(name) && !isOver(join(folder, entry.name), true)) names.push(name);
			}
			return names;
		}, []);
	}

	/** Writes a file and deletes it, because files need more space than entries. */
	async check(): Promise<void> {
		const name = randomUUID();
		await this.put('health', name, new Uint8Array(1));
		await this.delete('health', name);
	}

	async close(): Promise<void> {
		clearInterval(this.#timer);
	}

	/** Encodes names as hexadecimal digits, because some file systems ignore case or do not allow a colon. */
	#pathOf(space: string, name: string): string {
		return join(this.#folder, space, Buffer.from(name).toString('hex'));
	}

	/** Deletes what is over, in the background. Never rejects: what fails is made up for by the next cleaning. */
	async #cleanIfDue(): Promise<void> {
		if (Date.now() < this.#cleanAt) return;
		this.#cleanAt = Date.now() + CLEAN_EVERY_MS;
		try {
			let files = 0;
			for (const space of await readdir(this.#folder, { withFileTypes: true })) {
				if (!space.isDirectory()) continue;
				for await (const entry of await opendir(join(this.#folder, space.name))) {
					const path = join(entry.parentPath, entry.name);
					if (entry.isFile() && OWN_NAME.test(entry.name) && isOver(path, false)) await unlink(path).catch(() => {});
					files += 1;
					if (files % FILES_PER_PAGE === 0) await sleep(PAUSE_MS, undefined, { ref: false });
				}
			}
		} catch {}
	}
}

/** Writes under a temporary name first, so that the file is never seen in part. */
async function write(path: string, bytes: Uint8Array, expires: number): Promise<void> {
	const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
	const header = Buffer.alloc(HEADER_BYTES);
	header.writeDoubleBE(expires);
	try {
		await writeFile(unfinished, [header, bytes], { flag: 'wx', mode: 0o600, flush: true });
		await rename(unfinished, path);
	} catch (error) {
		// On a full disk it would take up the space that is left.
		await rm(unfinished, { force: true });
		throw error;
	}
	await syncFolder(dirname(path));
}

/**
 * Tells whether a file of a store has expired, or was not finished by a crashed process.
 *
 * @param absent the result when another process has deleted the file
 */
function isOver(path: string, absent: boolean): boolean {
	try {
		if (path.endsWith(UNFINISHED)) return statSync(path).mtimeMs < Date.now() - UNFINISHED_MS;
		const expires = readExpiry(path);
		return expires >= EARLIEST_EXPIRY && expires < Date.now();
	} catch {
		return absent;
	}
}

/** Reads a file's expiry. That takes microseconds, several times less than a promise for it. */
function readExpiry(path: string): number {
	const file = openSync(path, 'r');
	try {
		const header = Buffer.alloc(HEADER_BYTES);
		readSync(file, header, 0, HEADER_BYTES, 0);
		return header.readDoubleBE();
	} finally {
		closeSync(file);
	}
}

/** Waits until the names in a folder are on the disk. Systems that do not support this do it by themselves. */
export async function syncFolder(folder: string): Promise<void> {
	const handle = await open(folder).catch(() => undefined);
	await handle?.sync().catch(() => {});
	await handle?.close();
}

/**
 * Translates errors of the file system to `StoreError`.
 *
 * @param absent the result when the file does not exist; without it, that is an error like any other
 */
async function translateErrors<T>(work: () => Promise<T>, ...absent: [T?]): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT' && absent.length > 0) return absent[0] as T;
		if (code === undefined) throw error;
		throw new StoreError(`A file of the store cannot be read or written (${code}).`, { cause: error });
	}
}
