import { join } from 'node:path';
import { createStore } from './create-store.ts';
import { createDatabaseDriver } from './database/database-driver.ts';
import type { Driver } from './driver.ts';
import { type FilesOptions, openExternalFiles, withExternalFiles } from './files/external-files.ts';
import type { FilesDriver } from './files/files.ts';
import { FolderFiles } from './files/folder-files.ts';
import { MemoryFiles } from './files/memory-files.ts';
import { SmallFiles } from './files/small-files.ts';
import { observedDriver, type StoreObserver } from './observed-driver.ts';
import { checkedSpace, type Store, StoreError } from './store.ts';
import { parseStoreAddress, type StoreAddress } from './store-address.ts';

/** Opens the driver of an address. The packages that a driver needs are loaded only when it is chosen. */
async function openDriver(address: StoreAddress): Promise<Driver> {
	switch (address.kind) {
		case 'memory': {
			const { MemoryDatabase } = await import('./database/memory-database.ts');
			return createDatabaseDriver(new MemoryDatabase(), () => new MemoryFiles());
		}
		case 'sqlite': {
			const { openSqlite } = await import('./sqlite/sqlite-database.ts');
			const database = await openSqlite(address.path);
			const folderOf = (space: string) => new FolderFiles(join(`${address.path}-files`, checkedSpace(space)));
			const filesOf = (space: string) => new SmallFiles(database, space, folderOf(space));
			return createDatabaseDriver(database, filesOf, folderOf('health'));
		}
		case 'redis':
			return (await import('./redis/redis-driver.ts')).openRedis(address.url);
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
	return (await openStoreWithDriver(url, files, observe)).store;
}

/** A store, and its parts as they are stored. */
export type StoreWithDriver = {
	store: Store;
	driver: Driver;
	/** Returns the files of a space. */
	filesOf(space: string): FilesDriver;
};

/** Opens a store to copy it as it is; see `openStore`. */
export async function openStoreWithDriver(
	url: string,
	files?: FilesOptions,
	observe?: StoreObserver,
): Promise<StoreWithDriver> {
	const driver = await openDriver(addressOf(url));
	const store = createStore(observe ? observedDriver(driver, observe) : driver);
	if (!files) return { store, driver, filesOf: (space) => driver.files(driver.namespace(checkedSpace(space))) };
	try {
		const external = await openExternalFiles(files, store.space('files'));
		return {
			store: withExternalFiles(store, external, observe),
			driver,
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
