import { join, resolve } from 'node:path';
import { createStore } from './create-store.ts';
import { createDatabaseDriver } from './database/database-driver.ts';
import type { Driver } from './driver.ts';
import { type FilesOptions, withExternalFiles } from './files/external-files.ts';
import { FolderFiles } from './files/folder-files.ts';
import { MemoryFiles } from './files/memory-files.ts';
import { type Store, StoreError } from './store.ts';

/** The drivers by URL scheme. The packages that a driver needs are loaded only when it is chosen. */
const DRIVERS: Record<string, (rest: string) => Promise<Driver>> = {
	async memory() {
		const { MemoryDatabase } = await import('./database/memory-database.ts');
		return createDatabaseDriver(new MemoryDatabase(), () => new MemoryFiles());
	},
	async sqlite(rest) {
		const path = sqlitePath(rest);
		const { openSqlite } = await import('./sqlite/sqlite-database.ts');
		return createDatabaseDriver(
			await openSqlite(path),
			(namespace) => new FolderFiles(join(`${path}-files`, namespace)),
		);
	},
	redis: async (rest) => (await import('./redis/redis-driver.ts')).openRedis(`redis:${rest}`),
	rediss: async (rest) => (await import('./redis/redis-driver.ts')).openRedis(`rediss:${rest}`),
};

/**
 * Opens the store at an address: `memory:`, `sqlite:PATH` (relative to the working directory), or
 * `redis://USER:PASSWORD@HOST:PORT/DATABASE`, with `rediss:` for TLS.
 *
 * @param files where files are kept; beside the store when undefined
 * @throws StoreError with one sentence, and FilesError when it concerns `files`, which never contains the address, because that may contain a password
 */
export async function openStore(url: string, files?: FilesOptions): Promise<Store> {
	const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url.trim()) ?? [];
	const open = Object.hasOwn(DRIVERS, scheme.toLowerCase()) ? DRIVERS[scheme.toLowerCase()] : undefined;
	if (!open)
		throw new StoreError(
			'The address of the store is not supported. Supported are sqlite:PATH, redis://HOST, rediss://HOST and memory:.',
		);
	const store = createStore(await open(rest));
	if (!files) return store;
	try {
		return await withExternalFiles(store, files);
	} catch (error) {
		await store.close();
		throw error;
	}
}

/** Accepts slashes before the path, as other programs write it: `sqlite://data/easel.db`, `sqlite:///var/lib/easel.db`. */
function sqlitePath(rest: string): string {
	const path = rest.replace(/^\/\/(?=.)/, '');
	if (!path) throw new StoreError('The address of the store lacks a path. Write it as sqlite:PATH.');
	if (path === ':memory:') throw new StoreError('The address of a store in memory is memory:, without sqlite.');
	return resolve(path);
}
