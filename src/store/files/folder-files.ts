import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { closeSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StoreError } from '../store.ts';
import { type FilesDriver, isFileName } from './files.ts';
import { FolderCleaner } from './folder-cleaner.ts';

/** Every file begins with its expiry: Unix milliseconds as a big-endian double, Infinity for never. */
const HEADER_BYTES = 8;

const sync = promisify(fs.fsync);
const writeFile = promisify(fs.writeFile);

/** Longer than any file takes to write. An older unfinished one is left by a crashed process. */
const UNFINISHED_MS = 3600_000;
const UNFINISHED = '.unfinished';

/** A name in hexadecimal digits, and the ending of an unfinished file. Nothing else in the folder is read or deleted. */
const OWN_NAME = /^(?:[0-9a-f]{2})+(?:\.[0-9a-f-]{36}\.unfinished)?$/;

/** Every file is younger than this, 2001-09-09: the beginning of another program's file is hardly ever a later time. */
const EARLIEST_EXPIRY = 1e12;

/**
 * Keeps files in a folder that any number of processes may share. A file appears as a whole or not at all, and once `put` has
 * resolved it survives the end of the process and a power failure. Files lie beside an SQLite file rather than in it: there,
 * megabytes would pass through its log and its pages twice, on the main thread. Create one instance for a folder: it deletes expired
 * files until the process ends.
 *
 * Contents are written and deleted, and waited for, beside the event loop. Opening and renaming takes microseconds, several times less
 * than a promise for it.
 */
export class FolderFiles implements FilesDriver {
	readonly #folder: string;
	readonly #cleaner: FolderCleaner;

	constructor(folder: string) {
		this.#folder = folder;
		this.#cleaner = new FolderCleaner(folder, isOver);
	}

	put(name: string, bytes: Uint8Array, expires = Number.POSITIVE_INFINITY): Promise<void> {
		return translateErrors(async () => {
			const write = () => writeWhole(this.#pathOf(name), bytes, expires);
			await write().catch(async (error: NodeJS.ErrnoException) => {
				if (error.code !== 'ENOENT') throw error;
				await mkdir(this.#folder, { recursive: true, mode: 0o700 });
				await write();
			});
			void this.#cleaner.cleanIfDue();
			await syncFolder(this.#folder);
		});
	}

	get(name: string): Promise<Uint8Array | undefined> {
		return translateErrors(async () => {
			const file = await readFile(this.#pathOf(name));
			return file.readDoubleBE() < Date.now() ? undefined : file.subarray(HEADER_BYTES);
		}, undefined);
	}

	expiryOf(name: string): Promise<number | undefined> {
		return translateErrors<number | undefined>(async () => {
			const expires = expiryOf(this.#pathOf(name));
			return expires === Number.POSITIVE_INFINITY ? undefined : expires;
		}, undefined);
	}

	delete(name: string): Promise<boolean> {
		return translateErrors(async () => {
			const path = this.#pathOf(name);
			const existed = expiryOf(path) >= Date.now();
			await unlink(path);
			return existed;
		}, false);
	}

	names(): Promise<string[]> {
		return translateErrors(async () => {
			const names: string[] = [];
			for (const entry of await readdir(this.#folder, { withFileTypes: true })) {
				const file = entry.name;
				if (!entry.isFile() || !OWN_NAME.test(file) || file.endsWith(UNFINISHED)) continue;
				// Other work goes on in between: there may be many.
				await setImmediate();
				const isListed = await isOver(join(this.#folder, file), Date.now()).then(
					(over) => !over,
					() => false,
				);
				const name = Buffer.from(file, 'hex').toString();
				if (isListed && isFileName(name)) names.push(name);
			}
			return names;
		}, []);
	}

	/** Encodes names as hexadecimal digits, because some file systems ignore case or do not allow a colon. */
	#pathOf(name: string): string {
		return join(this.#folder, Buffer.from(name).toString('hex'));
	}
}

/** Tells whether a file is the store's and has expired, or was not finished by a crashed process. */
async function isOver(path: string, now: number): Promise<boolean> {
	if (!OWN_NAME.test(basename(path))) return false;
	if (path.endsWith(UNFINISHED)) return (await stat(path)).mtimeMs < now - UNFINISHED_MS;
	const expires = expiryOf(path);
	return expires >= EARLIEST_EXPIRY && expires < now;
}

function expiryOf(path: string): number {
	const file = openSync(path, 'r');
	try {
		const header = Buffer.alloc(HEADER_BYTES);
		readSync(file, header, 0, HEADER_BYTES, 0);
		return header.readDoubleBE();
	} finally {
		closeSync(file);
	}
}

/** Writes under a temporary name first, so that the file is never seen in part. */
async function writeWhole(path: string, bytes: Uint8Array, expires: number): Promise<void> {
	const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
	const header = Buffer.alloc(HEADER_BYTES);
	header.writeDoubleBE(expires);
	try {
		const file = openSync(unfinished, 'wx', 0o600);
		try {
			writeSync(file, header);
			await writeFile(file, bytes, { flush: true });
		} finally {
			closeSync(file);
		}
		renameSync(unfinished, path);
	} catch (error) {
		// On a full disk it would take up the space that is left.
		rmSync(unfinished, { force: true });
		throw error;
	}
}

/** Systems that do not support this do it by themselves. */
async function syncFolder(folder: string): Promise<void> {
	try {
		const handle = openSync(folder, 'r');
		await sync(handle).finally(() => closeSync(handle));
	} catch {}
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
