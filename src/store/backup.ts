import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addressOf, type FilesOptions } from './addresses.ts';
import { NO_CHANGE, type StoredChange } from './backend.ts';
import {
	ALL_SPACES,
	Backup,
	type BackupCounts,
	BackupError,
	BackupRefusedError,
	BackupWriter,
	isBackedUp,
	isBackedUpSpace,
	toBackupError,
} from './backup-file.ts';
import { type FileStore, syncFolder } from './files.ts';
import { openStore, type StoreWithBackend } from './open-store.ts';
import { identify } from './sqlite.ts';
import { type Store, StoreError } from './store.ts';

export type BackupOptions = {
	url: string;
	files: FilesOptions | undefined;
	path: string;
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
 * @param options.mayReplace whether an existing file may be replaced
 * @returns what is in the backup, and how many files were left out
 * @throws BackupError and StoreError
 */
export async function createBackup(
	options: BackupOptions & { mayReplace: boolean },
): Promise<BackupCounts & { leftOut: number }> {
	const { url, path, mayReplace, onProgress, signal } = options;
	const address = addressOf(url);
	if (address.kind === 'memory')
		throw new BackupRefusedError(
			'STORE_URL is memory:, which is kept by the running process alone and cannot be backed up.',
		);
	if (address.kind === 'sqlite' && !existsSync(address.path))
		throw new BackupError(`STORE_URL names ${address.path}, which does not exist; nothing was backed up.`);
	if (existsSync(path)) {
		if (!mayReplace) throw existing(path);
		const same = (end: string) => address.kind === 'sqlite' && identify(`${address.path}${end}`) === identify(path);
		if (['', '-wal', '-shm'].some(same))
			throw new BackupRefusedError(`${path} is a file of the store. Name another one.`);
	}
	const opened = await openStore(url, options.files);
	const unfinished = join(dirname(path), `.${basename(path)}.unfinished`);
	try {
		await createPrivately(unfinished, path);
		const leftOut = await writeBackup(opened, unfinished, options);
		onProgress('Checking the file');
		const backup = await Backup.open(unfinished);
		backup.close();
		signal?.throwIfAborted();
		await publish(unfinished, path, mayReplace);
		const { keyv } = opened.space('backups');
		await keyv
			.set('last', { at: Date.now() })
			.catch(() => onProgress('The backup is complete, but the store could not record its time'));
		return { ...backup.counts, leftOut };
	} finally {
		await rm(unfinished, { force: true });
		await opened.close();
	}
}

/** Returns how many files were left out. */
async function writeBackup(
	{ backend, files }: StoreWithBackend,
	path: string,
	{ onProgress, signal }: BackupOptions,
): Promise<number> {
	const writer = new BackupWriter(path);
	try {
		const before = await namesOf(files);
		await backend.copyTo(writer);
		signal?.throwIfAborted();
		const { entries, members } = writer.counts;
		onProgress(`Saved ${entries} entries and ${members} members of indexes`);
		const all = new Map([...before, ...(await namesOf(files))]);
		let saved = 0;
		for (const [space, name] of all.values()) {
			signal?.throwIfAborted();
			const file = await files.get(space, name);
			if (!file) continue;
			writer.addFile(space, name, file.bytes, file.expires);
			saved += 1;
			if (saved % FILES_PER_REPORT === 0) onProgress(`Saved ${saved} of ${all.size} pictures`);
		}
		await writer.finish();
		return all.size - saved;
	} finally {
		writer.close();
	}
}

/** Returns all files by their paths, so that one that is listed twice counts once. */
async function namesOf(files: FileStore): Promise<[path: string, file: [space: string, name: string]][]> {
	const all: Awaited<ReturnType<typeof namesOf>> = [];
	for (const space of ALL_SPACES.filter(isBackedUpSpace))
		for (const name of await files.names(space)) all.push([`${space}/${name}`, [space, name]]);
	return all;
}

/** How often progress is reported within one part. */
const FILES_PER_REPORT = 1000;

/**
 * Returns when the last backup was finished: its file was complete and checked. The metric
 * `easel_backup_last_success_timestamp_seconds` of every process on the store shows it.
 *
 * @returns Unix milliseconds; undefined when there is none yet
 */
export async function lastBackupAt(store: Store): Promise<number | undefined> {
	return (await store.space('backups').keyv.get<{ at: number }>('last'))?.at;
}

/** Creates the file that a backup is written to, which only its owner can read, in place of what a crashed process has left. */
async function createPrivately(unfinished: string, path: string): Promise<void> {
	try {
		await rm(unfinished, { force: true });
		await (await open(unfinished, 'wx', 0o600)).close();
	} catch (error) {
		const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
		throw toBackupError(error, isMissing ? `The folder ${dirname(path)}` : path);
	}
}

const existing = (path: string) =>
	new BackupRefusedError(`${path} exists. Name another file, or replace it with --force.`);

async function publish(unfinished: string, path: string, mayReplace: boolean): Promise<void> {
	try {
		if (!mayReplace && existsSync(path)) throw existing(path);
		await rename(unfinished, path);
		await syncFolder(dirname(path));
	} catch (error) {
		throw toBackupError(error, path);
	}
}

/** How much one commit writes. On Redis the server does nothing else meanwhile. */
const CHANGES_PER_COMMIT = 100;
const BYTES_PER_COMMIT = 1024 * 1024;

/**
 * Restores a backup into an empty store of any kind. The whole file is checked first. An interrupted restore leaves a store that
 * no process starts with; another restore clears it and begins from the start.
 *
 * @param options.adapt adapts the store to the time that has passed since the backup. Until it has ended, the store counts as unfinished. It
 * must give the same result when it is called again.
 * @throws BackupError and StoreError
 */
export async function restoreBackup(
	options: BackupOptions & { adapt(store: Store): Promise<void> },
): Promise<BackupCounts & { createdAt: number }> {
	const { url, files, path, onProgress, adapt, signal } = options;
	if (addressOf(url).kind === 'memory')
		throw new BackupRefusedError('STORE_URL is memory:, which ends with this command; set it to another store.');
	onProgress('Checking the file');
	const backup = await Backup.open(path);
	const opened = await openStore(url, files);
	const marker = opened.space('restore').keyv;
	try {
		if (await marker.has(MARKER)) {
			onProgress('Clearing what an unfinished restore has left');
			await clear(opened);
		} else await refuseUsed(opened);
		await marker.set(MARKER, true);
		try {
			await write(opened, backup, options);
			onProgress('Checking the store');
			await adapt(opened);
		} catch (error) {
			// A store that does not answer remains marked, and the next restore clears it.
			if (!signal?.aborted)
				await clear(opened)
					.then(() => marker.delete(MARKER))
					.catch(() => {});
			if (error instanceof StoreError) throw error;
			const sentence = `${path} has content that this version cannot read, so nothing of it was restored.`;
			throw new BackupError(sentence, { cause: error });
		}
		signal?.throwIfAborted();
		await marker.delete(MARKER);
		return { ...backup.counts, createdAt: backup.createdAt };
	} finally {
		backup.close();
		await opened.close();
	}
}

/** @throws BackupRefusedError when the store has been used. A store that was only opened has versions of its spaces. */
async function refuseUsed(store: StoreWithBackend): Promise<void> {
	for (const space of ALL_SPACES) {
		if (space === 'health') continue;
		for await (const [key] of store.space(space).list('')) {
			if (space === 'ledger' && key.startsWith('lease:'))
				throw new BackupRefusedError(
					'STORE_URL names a store that a process uses, or has used within the last hour without being stopped. Stop it, and restore into an empty store.',
				);
			if (key !== 'schema' && isBackedUp(space, key)) throw notEmpty('STORE_URL');
		}
		if ((await store.files.names(space)).length > 0) throw notEmpty('FILES_URL, or the files beside the store,');
	}
}

const notEmpty = (what: string) =>
	new BackupRefusedError(`${what} is not empty. Restore into a new store; nothing was changed.`);

/** Deletes everything but the marker of the unfinished restore. */
async function clear({ backend, files }: StoreWithBackend): Promise<void> {
	const spaces = ALL_SPACES.filter((name) => name !== 'restore');
	// The space `files` says which objects the files have, so all files go before all entries.
	for (const space of spaces) for (const name of await files.names(space)) await files.delete(space, name);
	for (const space of spaces) await backend.clear(`${space}:`);
}

async function write(
	{ backend, files }: StoreWithBackend,
	backup: Backup,
	{ onProgress, signal }: BackupOptions,
): Promise<void> {
	const put: StoredChange['put'][number][] = [];
	const index: StoredChange['index'][number][] = [];
	let [bytes, saved] = [0, 0];
	const flush = async () => {
		if (put.length + index.length > 0)
			await backend.commit({ ...NO_CHANGE, put: put.splice(0), index: index.splice(0) });
		bytes = 0;
	};
	for (const row of backup.content()) {
		signal?.throwIfAborted();
		const expires = row.expires ?? undefined;
		if (!isBackedUp(row.space, row.kind === 'entry' ? row.key : '') || (expires ?? Infinity) <= Date.now()) continue;
		if (row.kind === 'file') {
			await files.put(row.space, row.name, row.bytes, expires);
			saved += 1;
			if (saved % FILES_PER_REPORT === 0) onProgress(`Restored ${saved} of ${backup.counts.files} pictures`);
		} else if (row.kind === 'entry') {
			put.push({ key: `${row.space}:${row.key}`, entry: row.entry, expires });
			bytes += row.entry.length;
		} else {
			const latest = expires && (row.latest ?? undefined);
			index.push({ index: `${row.space}:${row.name}`, member: row.member, expires: latest });
		}
		if (put.length + index.length >= CHANGES_PER_COMMIT || bytes >= BYTES_PER_COMMIT) await flush();
	}
	await flush();
	const { entries, members, files: pictures } = backup.counts;
	onProgress(`Restored ${entries} entries, ${members} members of indexes and ${pictures} pictures`);
}

/** The entry that tells that a restore into this store was begun and has not ended. */
const MARKER = 'unfinished';

/** Thrown when a store contains only a part of a backup. */
export class UnfinishedRestoreError extends StoreError {}

/**
 * Checks that a store is whole, before anything is done with it.
 *
 * @throws UnfinishedRestoreError when a restore into it has not ended
 */
export async function refuseUnfinishedRestore(store: Store): Promise<void> {
	if (await store.space('restore').keyv.has(MARKER))
		throw new UnfinishedRestoreError(
			'A restore into the store has not finished. Restore the same file again; that begins from the start.',
		);
}
