import type { Driver } from './driver.ts';
import type { FilesDriver } from './files/files.ts';

/** What the program does with a store. Calls for one and for many entries are the same operation. */
export const STORE_OPERATIONS = [
	'get',
	'set',
	'delete',
	'clear',
	'commit',
	'members',
	'ping',
	'file_put',
	'file_get',
	'file_delete',
	'file_names',
] as const;

export type StoreOperation = (typeof STORE_OPERATIONS)[number];

/** Receives how long each operation took, in seconds, and whether it failed. */
export type StoreObserver = (operation: StoreOperation, seconds: number, failed: boolean) => void;

const STORAGE_METHODS = {
	get: 'get',
	getMany: 'get',
	has: 'get',
	hasMany: 'get',
	set: 'set',
	setMany: 'set',
	delete: 'delete',
	deleteMany: 'delete',
	clear: 'clear',
} as const;

/** Returns the driver, whose operations are reported. Lists, whose readers decide how long they take, are not. */
export function observedDriver(driver: Driver, observe: StoreObserver): Driver {
	return {
		namespace: (space) => driver.namespace(space),
		storage: (lazy) => observedStorage(driver.storage(lazy), observe),
		commit: (change) => measure(observe, 'commit', () => driver.commit(change)),
		list: (prefix) => driver.list(prefix),
		members: (index, page) => measure(observe, 'members', () => driver.members(index, page)),
		files: (namespace) => observedFiles(driver.files(namespace), observe),
		// They belong to commands of their own, and take as long as the store is large.
		snapshot: (path) => driver.snapshot(path),
		clear: (namespace) => driver.clear(namespace),
		ping: () => measure(observe, 'ping', () => driver.ping()),
		warnings: () => driver.warnings(),
		close: () => driver.close(),
	};
}

/** Returns the files, whose operations are reported. */
export const observedFiles = (files: FilesDriver, observe: StoreObserver): FilesDriver => ({
	put: (...args) => measure(observe, 'file_put', () => files.put(...args)),
	get: (name) => measure(observe, 'file_get', () => files.get(name)),
	expiryOf: (name) => files.expiryOf(name),
	delete: (name) => measure(observe, 'file_delete', () => files.delete(name)),
	names: () => measure(observe, 'file_names', () => files.names()),
});

/** A proxy, because keyv sets properties of its storage and listens to it, and methods of the storage call each other. */
function observedStorage(storage: ReturnType<Driver['storage']>, observe: StoreObserver): typeof storage {
	return new Proxy(storage, {
		get(target, name) {
			const value: unknown = Reflect.get(target, name);
			if (typeof value !== 'function') return value;
			const operation = Object.hasOwn(STORAGE_METHODS, name) && STORAGE_METHODS[name as keyof typeof STORAGE_METHODS];
			if (!operation) return value.bind(target);
			return (...args: unknown[]) => measure(observe, operation, () => value.apply(target, args));
		},
	});
}

async function measure<Result>(
	observe: StoreObserver,
	operation: StoreOperation,
	work: () => Promise<Result>,
): Promise<Result> {
	const started = performance.now();
	let failed = true;
	try {
		const result = await work();
		failed = false;
		return result;
	} finally {
		observe(operation, (performance.now() - started) / 1000, failed);
	}
}
