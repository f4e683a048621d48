import { resolve } from 'node:path';
import { type Backend, observedBackend, observedFiles, type StoreObserver } from './backend.ts';
import { createStore } from './create-store.ts';
import { type ExternalFiles, type FilesDriver, type FilesOptions, folderFiles } from './files.ts';
import { parseRedisAddress } from './redis-connection.ts';
import { checkedSpace, FilesError, type Space, type Store, StoreError } from './store.ts';

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
	const observed = observe ? observedBackend(backend, observe) : backend;
	const entries = createStore(observed);
	if (!files) return { store: entries, backend, filesOf: (space) => backend.files(checkedSpace(space)) };
	try {
		const external = await openExternalFiles(files, entries.space('files'));
		const filesOf = (space: string) => external.space(checkedSpace(space));
		const space = observe ? (name: string) => observedFiles(filesOf(name), observe) : filesOf;
		const observedExternal = { space, check: () => external.check(), close: () => external.close() };
		return { store: createStore(observed, observedExternal), backend, filesOf };
	} catch (error) {
		await backend.close();
		throw error;
	}
}

/**
 * Opens files, and checks that they can be used.
 *
 * @param index the space for what a bucket cannot hold: which object a file has, and when it expires
 * @throws FilesError
 */
async function openExternalFiles(options: FilesOptions, index: Space): Promise<ExternalFiles> {
	const files =
		options.kind === 'folder' ? folderFiles(options.path) : (await import('./s3.ts')).openBucket(options, index);
	try {
		await files.check();
		return files;
	} catch (error) {
		await files.close();
		throw error instanceof StoreError ? new FilesError(error.message) : error;
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

/** Where entries are kept. */
export type StoreAddress = { kind: 'memory' } | { kind: 'sqlite'; path: string } | { kind: 'redis'; url: string };

/**
 * Parses `memory:`, `sqlite:PATH` (relative to the working directory), or `redis://USER:PASSWORD@HOST:PORT/DATABASE`, with `rediss:` for
 * TLS.
 *
 * @throws TypeError with a predicate, such as "lacks a path", that contains no part of the address: it may contain a password
 */
export function parseStoreAddress(text: string): StoreAddress {
	const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(text.trim()) ?? [];
	switch (scheme.toLowerCase()) {
		case 'memory':
			return { kind: 'memory' };
		case 'sqlite':
			return { kind: 'sqlite', path: sqlitePath(rest) };
		case 'redis':
		case 'rediss': {
			const url = `${scheme.toLowerCase()}:${rest}`;
			parseRedisAddress(url);
			return { kind: 'redis', url };
		}
		default:
			throw new TypeError('is not supported. Supported are sqlite:PATH, redis://HOST, rediss://HOST and memory:');
	}
}

/** Accepts slashes before the path, as other programs write it: `sqlite://data/easel.db`, `sqlite:///var/lib/easel.db`. */
function sqlitePath(rest: string): string {
	const path = rest.replace(/^\/\/(?=.)/, '');
	if (!path) throw new TypeError('lacks a path. Write it as sqlite:PATH');
	if (path === ':memory:') throw new TypeError('is invalid. A store in memory is written as memory:, without sqlite');
	return resolve(path);
}
