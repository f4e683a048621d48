import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { checkedSpace, type Files, MAX_NAME, StoreError } from './store.ts';

/** Tells whether a text can be the name of a file. */
export const isFileName = (name: string): boolean => /^[\x21-\x7e]+$/.test(name) && name.length <= MAX_NAME;

/** The part that each kind of store implements for files. Every call rejects with `StoreError` when it cannot be done. */
export type FilesDriver = {
	/** @param expires Unix milliseconds; never when undefined */
	put(name: string, bytes: Uint8Array, expires?: number): Promise<void>;
	get(name: string): Promise<Uint8Array | undefined>;
	/** Returns when a file expires, in Unix milliseconds; undefined when it never does or is absent. */
	expiryOf(name: string): Promise<number | undefined>;
	delete(name: string): Promise<boolean>;
	names(): Promise<string[]>;
};

/** Files that are not kept beside the entries of the store. */
export type ExternalFiles = {
	/** Returns the files of one space. */
	files(space: string): FilesDriver;
	/** Rejects with `StoreError` when files cannot be written, read or deleted. */
	check(): Promise<void>;
	/** Waits for what was begun. */
	close(): Promise<void>;
};

/** Creates the files of a space. Checks names, and refuses every call once the store is closed. */
export function createFiles(driver: FilesDriver, isOpen: () => boolean): Files {
	function check(name: string): void {
		if (!isFileName(name))
			throw new TypeError(`A file name consists of 1 to ${MAX_NAME} ASCII characters without spaces.`);
		if (!isOpen()) throw new StoreError('The store is closed.');
	}
	return {
		async put(name, bytes, ttlMs) {
			check(name);
			await driver.put(name, bytes, ttlMs === undefined ? undefined : Date.now() + ttlMs);
		},
		async get(name) {
			check(name);
			return driver.get(name);
		},
		async delete(name) {
			check(name);
			return driver.delete(name);
		},
		async names(prefix) {
			if (!isOpen()) throw new StoreError('The store is closed.');
			return (await driver.names()).filter((name) => name.startsWith(prefix));
		},
	};
}

/** Where files are kept outside the store: in a folder, or in a bucket of an object store. */
export type FilesAddress = { kind: 'folder'; path: string } | BucketAddress;

export type BucketAddress = {
	kind: 's3';
	/** Scheme, host and port. */
	endpoint: string;
	bucket: string;
	/** Comes before every key: empty, or ending in a slash. */
	prefix: string;
	/** Derived from the endpoint when undefined. */
	region?: string;
};

const EXPECTED = 'write a folder, or s3://BUCKET?endpoint=https://HOST';

/**
 * Parses a folder's path, or `s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION`, of which prefix and region may be missing.
 *
 * @throws TypeError with a predicate, such as "has no endpoint", that contains no part of the address
 */
export function parseFilesAddress(text: string): FilesAddress {
	const [, scheme] = /^([a-z][a-z0-9+.-]+):/i.exec(text) ?? [];
	if (scheme === undefined) return { kind: 'folder', path: text };
	const url = scheme.toLowerCase() === 's3' ? URL.parse(text) : null;
	if (!url?.host || url.hash) throw new TypeError(`is not an address of files; ${EXPECTED}`);
	if (url.username || url.password)
		throw new TypeError('contains a key; write it to FILES_ACCESS_KEY and FILES_SECRET_KEY');
	// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
	if (url.port || !/^[\w.-]{3,63}$/.test(url.host)) throw new TypeError('has an invalid name of a bucket');
	const path = url.pathname.replace(/^\/|\/$/g, '');
	// Other characters are signed in different ways by different services.
	if (path && !/^[\w.-]+(\/[\w.-]+)*$/.test(path))
		throw new TypeError('has a prefix with other characters than A-Z a-z 0-9 _ . - /');
	const { endpoint, region, ...others } = Object.fromEntries(url.searchParams);
	if (Object.keys(others).length > 0) throw new TypeError('has a parameter besides endpoint and region');
	if (!endpoint) throw new TypeError(`has no endpoint; ${EXPECTED}`);
	if (region !== undefined && !/^[\w-]+$/.test(region)) throw new TypeError('has an invalid region');
	return {
		kind: 's3',
		endpoint: originOf(endpoint),
		bucket: url.host,
		prefix: path && `${path}/`,
		region,
	};
}

function originOf(endpoint: string): string {
	const url = URL.parse(endpoint);
	const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
	if (!isOrigin || url.username || url.password)
		throw new TypeError('has an endpoint that is not scheme, host and port, such as https://s3.example.com');
	return url.origin;
}

/** Where files are kept, and the keys that a bucket needs. */
export type FilesOptions =
	| Exclude<FilesAddress, BucketAddress>
	| (BucketAddress & { accessKey: string; secretKey: string });

/** Returns the files of a store in a folder. */
export const openFolder = (path: string): ExternalFiles => openFiles((space) => new FolderFiles(join(path, space)));

/** Returns the files of a store in the memory of this process. */
export const openMemoryFiles = (): ExternalFiles => openFiles(() => new MemoryFiles());

function openFiles(open: (space: string) => FilesDriver): ExternalFiles {
	const spaces = new Map<string, FilesDriver>();
	const files = (space: string) => {
		const driver = spaces.get(space) ?? open(checkedSpace(space));
		spaces.set(space, driver);
		return driver;
	};
	return { files, check: () => writeAndDelete(files('health')), close: async () => {} };
}

/** Writes a file and deletes it, because files need more space than entries. */
async function writeAndDelete(files: FilesDriver): Promise<void> {
	const name = randomUUID();
	await files.put(name, new Uint8Array(1));
	await files.delete(name);
}

/** Keeps files in the memory of this process. */
class MemoryFiles implements FilesDriver {
	readonly #files = new Map<string, { bytes: Uint8Array; expires: number | undefined }>();

	async put(name: string, bytes: Uint8Array, expires?: number): Promise<void> {
		for (const other of this.#files.keys()) this.#read(other);
		// A copy, because the caller may write into its own array.
		this.#files.set(name, { bytes: Uint8Array.from(bytes), expires });
	}

	async get(name: string): Promise<Uint8Array | undefined> {
		return this.#read(name);
	}

	async expiryOf(name: string): Promise<number | undefined> {
		return this.#files.get(name)?.expires;
	}

	async delete(name: string): Promise<boolean> {
		return this.#read(name) !== undefined && this.#files.delete(name);
	}

	async names(): Promise<string[]> {
		return [...this.#files.keys()].filter((name) => this.#read(name) !== undefined);
	}

	/** Returns the bytes of a file, and removes it if it has expired. */
	#read(name: string): Uint8Array | undefined {
		const { expires = Number.POSITIVE_INFINITY } = this.#files.get(name) ?? {};
		if (expires < Date.now()) this.#files.delete(name);
		return this.#files.get(name)?.bytes;
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
 * Keeps files in a folder that any number of processes may share. A file appears as a whole or not at all, and once `put` has
 * resolved it survives the end of the process and a power failure. Files lie beside an SQLite file rather than in it: there,
 * megabytes would pass through its log and its pages twice, on the main thread. Create one instance for a folder: it deletes expired
 * files every hour until the process ends.
 */
export class FolderFiles implements FilesDriver {
	readonly #folder: string;
	#cleanAt = 0;

	constructor(folder: string) {
		this.#folder = folder;
		// A process in which nothing happens cleans as well.
		setInterval(() => void this.#cleanIfDue(), CLEAN_EVERY_MS).unref();
	}

	put(name: string, bytes: Uint8Array, expires = Number.POSITIVE_INFINITY): Promise<void> {
		return translateErrors(async () => {
			await mkdir(this.#folder, { recursive: true, mode: 0o700 });
			await this.#write(this.#pathOf(name), bytes, expires);
			void this.#cleanIfDue();
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
			const expires = readExpiry(this.#pathOf(name));
			return expires === Number.POSITIVE_INFINITY ? undefined : expires;
		}, undefined);
	}

	delete(name: string): Promise<boolean> {
		return translateErrors(async () => {
			const path = this.#pathOf(name);
			const existed = readExpiry(path) >= Date.now();
			await unlink(path);
			return existed;
		}, false);
	}

	names(): Promise<string[]> {
		return translateErrors(async () => {
			const names: string[] = [];
			for (const entry of await readdir(this.#folder, { withFileTypes: true })) {
				if (!entry.isFile() || entry.name.endsWith(UNFINISHED)) continue;
				// Other work goes on in between: there may be many.
				await setImmediate();
				const name = Buffer.from(entry.name, 'hex').toString();
				// Another process may be deleting it.
				const isOver = await this.#isOver(entry.name).catch(() => true);
				if (OWN_NAME.test(entry.name) && !isOver && isFileName(name)) names.push(name);
			}
			return names;
		}, []);
	}

	/** Encodes names as hexadecimal digits, because some file systems ignore case or do not allow a colon. */
	#pathOf(name: string): string {
		return join(this.#folder, Buffer.from(name).toString('hex'));
	}

	/** Writes under a temporary name first, so that the file is never seen in part. */
	async #write(path: string, bytes: Uint8Array, expires: number): Promise<void> {
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
		await syncFolder(this.#folder);
	}

	/** Deletes what is over, in the background. Never rejects: what fails is made up for by the next cleaning. */
	async #cleanIfDue(): Promise<void> {
		if (Date.now() < this.#cleanAt) return;
		this.#cleanAt = Date.now() + CLEAN_EVERY_MS;
		try {
			let files = 0;
			for await (const entry of await opendir(this.#folder)) {
				if (!entry.isFile()) continue;
				// Another process may be deleting the same file.
				if (await this.#isOver(entry.name).catch(() => false))
					await unlink(join(this.#folder, entry.name)).catch(() => {});
				files += 1;
				if (files % FILES_PER_PAGE === 0) await sleep(PAUSE_MS, undefined, { ref: false });
			}
		} catch {}
	}

	/** Tells whether a file is the store's and has expired, or was not finished by a crashed process. */
	async #isOver(file: string): Promise<boolean> {
		const path = join(this.#folder, file);
		if (!OWN_NAME.test(file)) return false;
		if (file.endsWith(UNFINISHED)) return (await stat(path)).mtimeMs < Date.now() - UNFINISHED_MS;
		const expires = readExpiry(path);
		return expires >= EARLIEST_EXPIRY && expires < Date.now();
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
