import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import type { FilesOptions } from '../files.ts';
import { addressOf, openStoreWithBackend, type StoreWithBackend } from '../open-store.ts';
import { SnapshotFile } from '../snapshot-file.ts';
import { ALL_SPACES, isBackedUp, isBackedUpSpace, splitKey } from './backed-up.ts';
import { BackupError, BackupRefusedError } from './backup-errors.ts';
import type { BackupCounts } from './backup-format.ts';
import { checkBackup } from './backup-reader.ts';
import { BackupWriter, createPrivately, refuseExisting, removeAbandoned, temporaryPath } from './backup-writer.ts';
import { recordBackup } from './last-backup.ts';

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
		await recordBackup(opened.store, Date.now()).catch(() =>
			onProgress('The backup is complete, but the store could not record its time'),
		);
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
	const names = new FileNames(filesOf);
	await names.add();
	const copy = temporaryPath(path, 'snapshot');
	try {
		// The copy contains everything that people wrote.
		await createPrivately(copy, path);
		const createdAt = Date.now();
		await backend.snapshot(copy);
		signal?.throwIfAborted();
		const snapshot = new SnapshotFile(copy);
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
	await names.add();
	return writeFiles(names, filesOf, writer, { onProgress, ...(signal && { signal }) });
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
		await writer.write({ kind: 'entry', space, key, ...(expires !== null && { expires }), entry });
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
	names: FileNames,
	filesOf: StoreWithBackend['filesOf'],
	writer: BackupWriter,
	{ onProgress, signal }: Pick<BackupOptions, 'onProgress' | 'signal'>,
): Promise<number> {
	let leftOut = 0;
	const isTime = every(PROGRESS_MS);
	for (const { space, name } of names.all()) {
		signal?.throwIfAborted();
		const files = filesOf(space);
		const expires = await files.expiryOf(name);
		const bytes = await files.get(name);
		if (bytes) await writer.write({ kind: 'file', space, name, ...(expires !== undefined && { expires }), bytes });
		else leftOut += 1;
		if (isTime()) onProgress(`Saved ${writer.counts.files} of ${names.size} pictures`);
	}
	return leftOut;
}

/** The names of the files of all spaces. A file that is listed twice counts once. */
class FileNames {
	readonly #filesOf: StoreWithBackend['filesOf'];
	readonly #names = new Map<string, Set<string>>();

	constructor(filesOf: StoreWithBackend['filesOf']) {
		this.#filesOf = filesOf;
	}

	/** Adds the files that there are now. */
	async add(): Promise<void> {
		for (const space of ALL_SPACES.filter(isBackedUpSpace)) {
			const names = this.#names.get(space) ?? new Set();
			for (const name of await this.#filesOf(space).names()) names.add(name);
			this.#names.set(space, names);
		}
	}

	get size(): number {
		return [...this.#names.values()].reduce((sum, { size }) => sum + size, 0);
	}

	*all(): Generator<{ space: string; name: string }> {
		for (const [space, names] of this.#names) for (const name of names) yield { space, name };
	}
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
