import { EventEmitter } from 'node:events';
import { Keyv, type KeyvEntry, type KeyvStoreAdapter, type StoredData } from 'keyv';
import { addressOf, type FilesOptions, type StoreAddress } from './addresses.ts';
import {
	type Backend,
	deserialize,
	NO_CHANGE,
	observed,
	type StoredChange,
	type StoreObserver,
	serialize,
} from './backend.ts';
import { type FileStore, FolderFiles, isFileName } from './files.ts';
import type { BucketOptions } from './s3.ts';
import {
	type Change,
	checkedSpace,
	createPauses,
	type Files,
	FilesError,
	type IndexMember,
	isIndexText,
	MAX_NAME,
	type Space,
	type Store,
	StoreError,
} from './store.ts';

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
export type StoreWithBackend = { store: Store; backend: Backend; files: FileStore };

/** Opens a store to copy it as it is; see `openStore`. */
export async function openStoreWithBackend(
	url: string,
	options?: FilesOptions,
	observe?: StoreObserver,
): Promise<StoreWithBackend> {
	const opened = await openBackend(addressOf(url));
	const backend = observe ? observed(opened, observe) : opened;
	try {
		const chosen = options ? await openFiles(options, createStore(backend).space('files')) : backend.files;
		const files = observe ? observed(chosen, observe, 'file_') : chosen;
		return { store: createStore(backend, files), backend, files };
	} catch (error) {
		await backend.close();
		throw error;
	}
}

/**
 * Opens files that are not kept beside the entries, and checks that they can be used.
 *
 * @param index the space for what a bucket cannot hold: which object a file has, and when it expires
 * @throws FilesError
 */
async function openFiles(options: FilesOptions, index: Space): Promise<FileStore> {
	const files = options.kind === 'folder' ? new FolderFiles(options.path) : await openBucket(options, index);
	try {
		await files.check();
		return files;
	} catch (error) {
		await files.close();
		throw error instanceof StoreError ? new FilesError(error.message) : error;
	}
}

async function openBucket(options: BucketOptions, index: Space): Promise<FileStore> {
	const { BucketFiles, S3Bucket } = await import('./s3.ts');
	return new BucketFiles(new S3Bucket(options), index);
}

/** Creates a store on a backend. */
export function createStore(backend: Backend, files = backend.files): Store {
	const spaces = new Map<string, Space>();
	let open = true;
	return {
		space(name) {
			const space = spaces.get(name) ?? createSpace(checkedSpace(name), backend, files, () => open);
			spaces.set(name, space);
			return space;
		},
		async ping() {
			await files.check();
			// An entry is written and removed, because a store that is full still answers reads.
			const key = 'health:written';
			await backend.commit({ ...NO_CHANGE, put: [{ key, entry: toEntry(true) }], remove: [key] });
		},
		warnings: () => backend.warnings(),
		async close() {
			open = false;
			await files.close();
			await backend.close();
		},
	};
}

function createSpace(namespace: string, backend: Backend, files: FileStore, isOpen: () => boolean): Space {
	const store = new KeyvAdapter(backend);
	const keyv = new SpaceKeyv({ store, namespace, throwOnErrors: true, serialize, deserialize });
	const fromStoredKey = (key: string) => key.slice(namespace.length + 1);
	return {
		keyv,
		async commit(change) {
			const result = await backend.commit(toStoredChange(change, namespace));
			return typeof result === 'object' ? { ...result, refused: fromStoredKey(result.refused) } : result;
		},
		async *list(prefix) {
			const pause = createPauses();
			for await (const [key, entry] of backend.list(storedKey(namespace, prefix))) {
				yield [fromStoredKey(key), deserialize(entry).value];
				await pause();
			}
		},
		members: (index, page) => backend.members(storedKey(namespace, checkedIndex(index)), page),
		files: filesOf(namespace, files, isOpen),
	};
}

/** Returns the files of one space. Checks names, and refuses every call once the store is closed. */
function filesOf(space: string, files: FileStore, isOpen: () => boolean): Files {
	const check = (name: string): string => {
		if (!isOpen()) throw new StoreError('The store is closed.');
		if (isFileName(name)) return name;
		throw new TypeError(`A file name consists of 1 to ${MAX_NAME} ASCII characters without spaces.`);
	};
	return {
		put: async (name, bytes, ttlMs) =>
			files.put(space, check(name), bytes, ttlMs === undefined ? undefined : Date.now() + ttlMs),
		get: async (name) => files.get(space, check(name)),
		delete: async (name) => files.delete(space, check(name)),
		async names(prefix) {
			if (!isOpen()) throw new StoreError('The store is closed.');
			return (await files.names(space)).filter((name) => name.startsWith(prefix));
		},
	};
}

/** The name of a counter in an entry, which stands in the entry's text as it is. */
const FIELD = /^[\w.-]+$/;

/** @throws TypeError when the change is invalid */
function toStoredChange(
	{ once, add = [], put = [], remove = [], index = [], unindex = [] }: Change,
	namespace: string,
): StoredChange {
	const toStoredKey = (key: string, space = namespace) => storedKey(checkedSpace(space), key);
	for (const { field = 'field', by, atMost = 0 } of add) {
		if (!FIELD.test(field)) throw new TypeError(`A counter cannot be the field ${JSON.stringify(field)}.`);
		if (!Number.isSafeInteger(by)) throw new TypeError(`A counter cannot be changed by ${by}.`);
		if (!Number.isSafeInteger(atMost)) throw new TypeError(`A counter cannot be limited to ${atMost}.`);
	}
	for (const { ttlMs = 1 } of [...add, ...put, ...index])
		if (!Number.isSafeInteger(ttlMs) || ttlMs <= 0) throw new TypeError(`An entry cannot expire after ${ttlMs} ms.`);
	const now = Date.now();
	const expiryIn = (ttlMs: number | undefined) => (ttlMs === undefined ? undefined : now + ttlMs);
	const storedOnce = once === undefined ? undefined : toStoredKey(once);
	const values = put.map(({ space, key, value, ttlMs }) => {
		const expires = expiryIn(ttlMs);
		return { key: toStoredKey(key, space), entry: toEntry(value, expires), expires };
	});
	if (storedOnce !== undefined && values.every(({ key }) => key !== storedOnce))
		values.unshift({ key: storedOnce, entry: toEntry(true), expires: undefined });
	const toStoredMember = ({ space, index: name, member }: IndexMember): IndexMember => ({
		index: toStoredKey(checkedIndex(name), space),
		member: checkedIndex(member),
	});
	return {
		once: storedOnce,
		add: add.map(({ key, ttlMs, ...step }) => ({ ...step, key: toStoredKey(key), expires: expiryIn(ttlMs) })),
		put: values,
		remove: remove.map((each) => (typeof each === 'string' ? toStoredKey(each) : toStoredKey(each.key, each.space))),
		index: index.map(({ ttlMs, from, ...each }) => ({ ...toStoredMember(each), expires: expiryIn(ttlMs), from })),
		unindex: unindex.map(toStoredMember),
	};
}

/** Returns a name or member of an index. */
function checkedIndex(text: string): string {
	if (!isIndexText(text)) throw new TypeError('Indexes and their members consist of ASCII characters.');
	return text;
}

function toEntry(value: unknown, expires?: number): string {
	if (typeof value === 'symbol' || typeof value === 'function')
		throw new TypeError(`A ${typeof value} cannot be stored.`);
	return serialize({ value, expires });
}

/** keyv's storage adapter for a backend. Each `Keyv` needs one of its own, because it sets its namespace here. */
export class KeyvAdapter extends EventEmitter implements Omit<KeyvStoreAdapter, 'setMany'> {
	/** keyv offers its iterator only for dialects that it knows by name. */
	readonly opts = { dialect: 'sqlite', url: '' };
	namespace?: string | undefined;
	readonly #backend: Backend;

	constructor(backend: Backend) {
		super();
		this.#backend = backend;
	}

	async get<Value>(key: string): Promise<StoredData<Value> | undefined> {
		return (await this.#backend.get([key]))[0] as StoredData<Value> | undefined;
	}

	async getMany<Value>(keys: string[]): Promise<Array<StoredData<Value | undefined>>> {
		return (await this.#backend.get(keys)) as StoredData<Value | undefined>[];
	}

	async has(key: string): Promise<boolean> {
		return (await this.#backend.get([key]))[0] !== undefined;
	}

	async hasMany(keys: string[]): Promise<boolean[]> {
		return (await this.#backend.get(keys)).map((entry) => entry !== undefined);
	}

	async set(key: string, value: unknown, ttl?: number): Promise<void> {
		await this.setMany([{ key, value, ttl }]);
	}

	/** Sets all entries or none. keyv returns this result as its own, and promises one `true` for each entry. */
	async setMany(entries: KeyvEntry[]): Promise<boolean[]> {
		const now = Date.now();
		const put = entries.map(({ key, value, ttl }) => {
			if (typeof value !== 'string') throw new TypeError('Values must be strings; keyv needs its serializer here.');
			return { key, entry: value, expires: ttl ? Math.ceil(now + ttl) : undefined };
		});
		await this.#backend.commit({ ...NO_CHANGE, put });
		return entries.map(() => true);
	}

	delete(key: string): Promise<boolean> {
		return this.#backend.delete([key]);
	}

	/** Returns true when any of the entries existed. */
	deleteMany(keys: string[]): Promise<boolean> {
		return this.#backend.delete(keys);
	}

	clear(): Promise<void> {
		return this.#backend.clear(this.#prefix);
	}

	async *iterator<Value>(): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
		yield* this.#backend.list(this.#prefix);
	}

	/** Closes the backend, and with it every other namespace. */
	disconnect(): Promise<void> {
		return this.#backend.close();
	}

	get #prefix(): string {
		return this.namespace === undefined ? '' : `${this.namespace}:`;
	}
}

function storedKey(space: string | undefined, key: string): string {
	// Keys are stored in UTF-8, in which all lone surrogates become the same character.
	if (!key.isWellFormed()) throw new TypeError('A key contains a lone surrogate.');
	return `${space}:${key}`;
}

/**
 * A keyv that prefixes every key with its namespace. keyv omits the prefix, in some of its calls only, when the key already
 * begins with it, so that `a:b` and `b` would be one entry of a space named `a`.
 */
class SpaceKeyv extends Keyv {
	override _getKeyPrefix(key: string): string {
		return storedKey(this.namespace, key);
	}

	override _getKeyPrefixArray(keys: string[]): string[] {
		return keys.map((key) => this._getKeyPrefix(key));
	}
}
