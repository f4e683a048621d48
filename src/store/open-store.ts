import { join, resolve } from 'node:path';
import { createStore } from './create-store.ts';
import type { Driver } from './driver.ts';
import { createFolderFiles } from './folder-files.ts';
import { createMemoryFiles } from './memory-files.ts';
import { type Store, StoreError } from './store.ts';
import { createTableDriver } from './table-driver.ts';

/** One line a kind of store. What a kind needs is loaded only when it is chosen. */
const KINDS: Record<string, (rest: string) => Promise<Driver>> = {
	memory: async () => createTableDriver((await import('./memory.ts')).openMemory(), createMemoryFiles),
	async sqlite(rest) {
		const path = sqlitePath(rest);
		const door = await (await import('./sqlite.ts')).openSqlite(path);
		return createTableDriver(door, (namespace) => createFolderFiles(join(`${path}-files`, namespace)));
	},
	redis: async (rest) => (await import('./redis.ts')).openRedis(`redis:${rest}`),
	rediss: async (rest) => (await import('./redis.ts')).openRedis(`rediss:${rest}`),
};

/**
 * Opens the store that an address names: `memory:`, `sqlite:PATH`, relative to the working directory, or
 * `redis://USER:PASSWORD@HOST:PORT/DATABASE`, with `rediss:` for TLS.
 * @throws StoreError in one sentence, which never repeats the address: it may hold a password
 */
export async function openStore(url: string): Promise<Store> {
	const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url.trim()) ?? [];
	const open = Object.hasOwn(KINDS, scheme.toLowerCase()) ? KINDS[scheme.toLowerCase()] : undefined;
	if (!open)
		throw new StoreError('The address of the store is none that is known; sqlite:PATH, redis://HOST and memory: are.');
	return createStore(await open(rest));
}

/** Also with slashes before it, as other programs write it: `sqlite://data/easel.db`, `sqlite:///var/lib/easel.db`. */
function sqlitePath(rest: string): string {
	const path = rest.replace(/^\/\/(?=.)/, '');
	if (!path) throw new StoreError('The address of the store has no path; it is written sqlite:PATH.');
	if (path === ':memory:') throw new StoreError('A store that is kept in memory alone is written memory: .');
	return resolve(path);
}
