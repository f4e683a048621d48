import { type Backend, observedBackend, type StoreObserver } from './backend.ts';
import { createStore } from './create-store.ts';
import { type FilesOptions, openExternalFiles, withExternalFiles } from './files/external-files.ts';
import type { FilesDriver } from './files/files.ts';
import { checkedSpace, type Store, StoreError } from './store.ts';
import { parseStoreAddress, type StoreAddress } from './store-address.ts';

/** Opens the backend of an address. The packages that a backend needs are loaded only when it is chosen. */
async function openBackend(address: StoreAddress): Promise<Backend> {
	switch (address.kind) {
		case 'memory':
			return (await import('./sqlite.ts')).openMemory();
		case 'sqlite':
			return (await import('./sqlite.ts')).openSqlite(address.path);
		case 'redis':
			return (await import('./redis.ts')).openRedis(address.url);
	}
}

/**
 * Opens the store at an address: `memory:`, `sqlite:PATH` (relative to the working directory), or
 * `redis://USER:PASSWORD@HOST:PORT/DATABASE`, with `rediss:` for TLS.
 *
 * @param files where files are kept; beside the store when undefined
 * @param observe receives how long each operation took
 * @throws StoreError with one sentence, and FilesError when it concerns `files`, which never contains the address, because that may contain a password
 */
export async function openStore(url: string, files?: FilesOptions, observe?: StoreObserver): Promise<Store> {
	return (await openStoreWithBackend(url, files, observe)).store;
}

/** A store, and its parts as they are stored. */
export type StoreWithBackend = {
	store: Store;
	backend: Backend;
	/** Returns the files of a space. */
	filesOf(space: string): FilesDriver;
};

/** Opens a store to copy it as it is; see `openStore`. */
export async function openStoreWithBackend(
	url: string,
	files?: FilesOptions,
	observe?: StoreObserver,
): Promise<StoreWithBackend> {
	const backend = await openBackend(addressOf(url));
	const store = createStore(observe ? observedBackend(backend, observe) : backend);
	if (!files) return { store, backend, filesOf: (space) => backend.files(checkedSpace(space)) };
	try {
		const external = await openExternalFiles(files, store.space('files'));
		return {
			store: withExternalFiles(store, external, observe),
			backend,
			filesOf: (space) => external.space(checkedSpace(space)),
		};
	} catch (error) {
		await store.close();
		throw error;
	}
}

/** @throws StoreError */
export function addressOf(url: string): StoreAddress {
	try {
		return parseStoreAddress(url);
	} catch (error) {
		throw new StoreError(`The address of the store ${(error as TypeError).message}.`);
	}
}
