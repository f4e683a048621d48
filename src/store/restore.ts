import { NO_CHANGE, type StoredChange } from './backend.ts';
import { every, PROGRESS_MS } from './backup.ts';
import {
	ALL_SPACES,
	type BackupContent,
	type BackupCounts,
	BackupError,
	BackupRefusedError,
	checkBackup,
	isBackedUp,
	readBackup,
} from './backup-format.ts';
import type { FilesOptions } from './files.ts';
import { addressOf, openStoreWithBackend, type StoreWithBackend } from './open-store.ts';
import { type Store, StoreError } from './store.ts';

/** How much one commit writes. On Redis the server does nothing else meanwhile. */
const CHANGES_PER_COMMIT = 100;
const BYTES_PER_COMMIT = 1024 * 1024;

export type RestoreOptions = {
	url: string;
	files: FilesOptions | undefined;
	path: string;
	/** The version of the store that this program works with. */
	schema: number;
	/** Called with a sentence whenever a part is done. */
	onProgress(sentence: string): void;
	/**
	 * Adapts the store to the time that has passed since the backup. Until it has ended, the store counts as unfinished. It must give the
	 * same result when it is called again.
	 */
	adapt(store: Store): Promise<void>;
	signal?: AbortSignal;
};

/**
 * Restores a backup into an empty store of any kind. The whole file is checked first. An interrupted restore leaves a store that
 * no process starts with; another restore clears it and begins from the start.
 *
 * @throws BackupError and StoreError
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupCounts & { createdAt: number }> {
	const { url, files, path, schema, onProgress, adapt } = options;
	if (addressOf(url).kind === 'memory')
		throw new BackupRefusedError('STORE_URL is memory:, which ends with this command; set it to another store.');
	onProgress('Checking the file');
	const { header, counts } = await checkBackup(path, schema);
	const opened = await openStoreWithBackend(url, files);
	try {
		if (await markerOf(opened.store).has(MARKER)) {
			onProgress('Clearing what an unfinished restore has left');
			await clear(opened);
		} else await refuseUsed(opened);
		await markerOf(opened.store).set(MARKER, true);
		try {
			await write(opened, options, counts);
			onProgress('Checking the store');
			await adapt(opened.store);
		} catch (error) {
			if (!options.signal?.aborted) await undo(opened);
			if (error instanceof BackupError || error instanceof StoreError) throw error;
			const sentence = `${path} has content that this version cannot read, so nothing of it was restored.`;
			throw new BackupError(sentence, { cause: error });
		}
		options.signal?.throwIfAborted();
		await markerOf(opened.store).delete(MARKER);
		return { ...counts, createdAt: header.createdAt };
	} finally {
		await opened.store.close();
	}
}

/** @throws BackupRefusedError when the store has been used. A store that was only opened has versions of its spaces. */
async function refuseUsed({ store, filesOf }: StoreWithBackend): Promise<void> {
	for (const space of ALL_SPACES) {
		if (space === 'health') continue;
		for await (const [key] of store.space(space).list('')) {
			if (space === 'ledger' && key.startsWith('lease:'))
				throw new BackupRefusedError(
					'STORE_URL names a store that a process uses, or has used within the last hour without being stopped. Stop it, and restore into an empty store.',
				);
			if (key !== 'schema' && isBackedUp(space, key)) throw notEmpty('STORE_URL');
		}
		if ((await filesOf(space).names()).length > 0) throw notEmpty('FILES_URL, or the files beside the store,');
	}
}

const notEmpty = (what: string) =>
	new BackupRefusedError(`${what} is not empty. Restore into a new store; nothing was changed.`);

/** Empties a store again. One that does not answer remains marked, and the next restore clears it. */
async function undo(opened: StoreWithBackend): Promise<void> {
	try {
		await clear(opened);
		await markerOf(opened.store).delete(MARKER);
	} catch {}
}

/** Deletes everything but the marker of the unfinished restore. */
async function clear({ backend, filesOf }: StoreWithBackend): Promise<void> {
	for (const space of ALL_SPACES.filter((name) => name !== 'restore')) {
		const files = filesOf(space);
		for (const name of await files.names()) await files.delete(name);
	}
	// The space `files` says which objects the files have.
	for (const space of ALL_SPACES.filter((name) => name !== 'restore')) {
		await backend.clear(`${space}:`);
		await backend.clearIndexes(`${space}:`);
	}
}

async function write(
	{ backend, filesOf }: StoreWithBackend,
	{ path, schema, onProgress, signal }: RestoreOptions,
	counts: BackupCounts,
): Promise<void> {
	const pages = new Pages(backend);
	const isTime = every(PROGRESS_MS);
	const done: BackupCounts = { entries: 0, members: 0, files: 0 };
	for await (const record of readBackup(path, schema)) {
		signal?.throwIfAborted();
		if (record.kind === 'file') {
			const { space, name, bytes, expires } = record;
			if (!isOver(expires)) await filesOf(space).put(name, bytes, expires);
			done.files += 1;
		} else {
			await pages.add(record);
			if (record.kind === 'entry') done.entries += 1;
		}
		if (isTime())
			onProgress(`Restored ${done.entries} of ${counts.entries} entries, ${done.files} of ${counts.files} pictures`);
	}
	await pages.flush();
	onProgress(`Restored ${counts.entries} entries, ${counts.members} members of indexes and ${counts.files} pictures`);
}

const isOver = (expires: number | null | undefined) => expires != null && expires <= Date.now();

/** Collects entries and members, and commits them together. */
class Pages {
	readonly #backend: StoreWithBackend['backend'];
	#put: StoredChange['put'][number][] = [];
	#index: StoredChange['index'][number][] = [];
	#bytes = 0;
	/** The latest expiry of the present index: on Redis all members of an index expire together. */
	#latest: { index: string; expires: number } | undefined;

	constructor(backend: StoreWithBackend['backend']) {
		this.#backend = backend;
	}

	async add(record: Exclude<BackupContent, { kind: 'file' }>): Promise<void> {
		const { space } = record;
		if (!isBackedUp(space, record.kind === 'entry' ? record.key : '')) return;
		if (record.kind === 'members') {
			for (const member of record.members) await this.#addMember(`${space}:${record.index}`, member);
		} else if (!isOver(record.expires)) {
			const { key, entry, expires } = record;
			this.#put.push({ key: `${space}:${key}`, entry, expires });
			await this.#added(entry.length);
		}
	}

	async flush(): Promise<void> {
		const change = { put: this.#put, index: this.#index };
		this.#put = [];
		this.#index = [];
		this.#bytes = 0;
		if (change.put.length + change.index.length > 0) await this.#backend.commit({ ...NO_CHANGE, ...change });
	}

	async #addMember(index: string, [member, expires]: readonly [string, number | null]): Promise<void> {
		if (isOver(expires)) return;
		if (this.#latest?.index !== index) this.#latest = undefined;
		if (expires !== null) this.#latest = { index, expires: Math.max(expires, this.#latest?.expires ?? 0) };
		this.#index.push({ index, member, expires: expires === null ? undefined : this.#latest?.expires });
		await this.#added(member.length);
	}

	async #added(bytes: number): Promise<void> {
		this.#bytes += bytes;
		if (this.#put.length + this.#index.length >= CHANGES_PER_COMMIT || this.#bytes >= BYTES_PER_COMMIT)
			await this.flush();
	}
}

/** Returns the space whose entry tells that a restore into this store was begun and has not ended. */
const markerOf = (store: Store) => store.space('restore').keyv;
const MARKER = 'unfinished';

/** Thrown when a store contains only a part of a backup. */
export class UnfinishedRestoreError extends StoreError {}

/**
 * Checks that a store is whole, before anything is done with it.
 *
 * @throws UnfinishedRestoreError when a restore into it has not ended
 */
export async function refuseUnfinishedRestore(store: Store): Promise<void> {
	if (await markerOf(store).has(MARKER))
		throw new UnfinishedRestoreError(
			'A restore into the store has not finished. Run `npm run restore -- FILE` again; it begins from the start.',
		);
}
