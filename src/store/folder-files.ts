import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilesDriver } from './files.ts';
import { StoreError } from './store.ts';

/** Each begins with when it expires: Unix milliseconds as a big-endian double, Infinity for never. */
const HEADER_BYTES = 8;

/** How often, at most, room is taken back from files that have expired, and from those that a process did not live to finish. */
const CLEAR_EVERY_MS = 3600_000;
const UNFINISHED = '.unfinished';

/**
 * Files in a folder that any number of processes may share. A file is there as a whole or not at all, and once it was put it
 * survives the end of the process and of the power. Beside an SQLite file rather than in it: megabytes pass through its log
 * and its pages twice, on the thread that everything else runs on.
 */
export function createFolderFiles(folder: string): FilesDriver {
	let clearAt = 0;
	// In hexadecimal digits, since not every file system tells case apart or takes a colon.
	const pathOf = (name: string) => join(folder, Buffer.from(name).toString('hex'));

	async function expiry(path: string): Promise<number> {
		const file = await open(path);
		try {
			const header = Buffer.alloc(HEADER_BYTES);
			await file.read(header, 0, HEADER_BYTES, 0);
			return header.readDoubleBE();
		} finally {
			await file.close();
		}
	}

	async function write(path: string, bytes: Uint8Array, expires: number): Promise<void> {
		const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
		const header = Buffer.alloc(HEADER_BYTES);
		header.writeDoubleBE(expires);
		const file = await open(unfinished, 'wx', 0o600);
		try {
			await file.writev([header, bytes]);
			await file.datasync();
		} finally {
			await file.close();
		}
		await rename(unfinished, path);
		await settle(folder);
	}

	async function clear(): Promise<void> {
		const now = Date.now();
		if (now < clearAt) return;
		clearAt = now + CLEAR_EVERY_MS;
		for (const file of await readdir(folder)) {
			const path = join(folder, file);
			const over = file.endsWith(UNFINISHED)
				? async () => (await stat(path)).mtimeMs < now - CLEAR_EVERY_MS
				: async () => (await expiry(path)) < now;
			// Another process may be at it, too.
			if (await over().catch(() => false)) await unlink(path).catch(() => {});
		}
	}

	return {
		put: (name, bytes, expires = Number.POSITIVE_INFINITY) =>
			carefully(async () => {
				await mkdir(folder, { recursive: true, mode: 0o700 });
				await clear();
				await write(pathOf(name), bytes, expires);
			}),
		get: (name) =>
			carefully(async () => {
				const whole = await readFile(pathOf(name));
				return whole.readDoubleBE() < Date.now() ? undefined : whole.subarray(HEADER_BYTES);
			}, undefined),
		delete: (name) =>
			carefully(async () => {
				const path = pathOf(name);
				const isThere = (await expiry(path)) >= Date.now();
				await unlink(path);
				return isThere;
			}, false),
		names: () =>
			carefully(async () => {
				const names: string[] = [];
				for (const file of await readdir(folder)) {
					const isThere = !file.endsWith(UNFINISHED) && (await expiry(join(folder, file)).catch(() => 0)) >= Date.now();
					if (isThere) names.push(Buffer.from(file, 'hex').toString());
				}
				return names;
			}, []),
	};
}

/** Writes down that the folder has a new entry. Not every system can; those that can't do it by themselves. */
async function settle(folder: string): Promise<void> {
	const entry = await open(folder).catch(() => undefined);
	await entry?.sync().catch(() => {});
	await entry?.close();
}

/** @param absent what it comes to when there is no such file; without it, that is a failure like any other */
async function carefully<T>(work: () => Promise<T>, ...absent: [T?]): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT' && absent.length > 0) return absent[0] as T;
		if (code === undefined) throw error;
		throw new StoreError(`The store's pictures can't be read or written (${code}).`, { cause: error });
	}
}
