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
import {
	type Change,
	checkedSpace,
	createPauses,
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
export async function openStore(url: string, files?: FilesOptions, observe?: StoreObserver): Promise<StoreWithBackend> {
	const opened = await openBackend(addressOf(url));
	const backend = observe ? observed(opened, observe) : opened;
	try {
		const chosen = files ? await openFiles(files, createStore(backend).space('files')) : backend.files;
		return createStore(backend, observe ? observed(chosen, observe, 'file_') : chosen);
	} catch (error) {
		await backend.close();
		throw error;
	}
}

/** A store, and its parts as they are stored, for backups. */
export type StoreWithBackend = Store & { backend: Backend; files: FileStore };

/**
 * Opens files that are not kept beside the entries, and checks that they can be used.
 *
 * @param index the space for what a bucket cannot hold: which object a file has, and when it expires
 * @throws FilesError
 */
async function openFiles(options: FilesOptions, index: Space): Promise<FileStore> {
	let files: FileStore | undefined;
	try {
		if (options.kind === 'folder') files = new FolderFiles(options.path);
		else files = (await import('./s3.ts')).openBucket(options, index);
		await files.check();
		return files;
	} catch (error) {
		await files?.close();
		throw error instanceof StoreError ? new FilesError(error.message) : error;
	}
}

export function createStore(backend: Backend, files = backend.files): StoreWithBackend {
	const spaces = new Map<string, Space>();
	let isOpen = true;
	const openFiles = () => {
		if (!isOpen) throw new StoreError('The store is closed.');
		return files;
	};
	return {
		backend,
		files,
		space(name) {
			const space = spaces.get(name) ?? createSpace(checkedSpace(name), backend, openFiles);
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
			isOpen = false;
			await files.close();
			await backend.close();
		},
	};
}

function createSpace(namespace: string, backend: Backend, openFiles: () => FileStore): Space {
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
		files: {
			put: async (name, bytes, ttlMs) => openFiles().put(namespace, checkedName(name), bytes, expiryIn(ttlMs)),
			get: async (name) => (await openFiles().get(namespace, checkedName(name)))?.bytes,
			delete: async (name) => openFiles().delete(namespace, checkedName(name)),
			names: async (prefix) => (await openFiles().names(namespace)).filter((name) => name.startsWith(prefix)),
		},
	};
}

/** Returns when what is stored now expires, in Unix milliseconds. */
const expiryIn = (ttlMs: number | undefined): number | undefined => (ttlMs === undefined ? ttlMs : Date.now() + ttlMs);

function checkedName(name: string): string {
	if (isFileName(name)) return name;
	throw new TypeError(`A file name consists of 1 to ${MAX_NAME} ASCII characters without spaces.`);
}

type Put = NonNullable<Change['put']>[number];

/** The name of a counter in an entry, which stands in the entry's text as it is. */
const FIELD = /^[\w.-]+$/;

/** @throws TypeError when the change is invalid */
function toStoredChange(
	{ once, add = [], put = [], remove = [], index = [], unindex = [] }: Change,
	namespace: string,
): StoredChange {
	const toKey = (key: string, space = namespace) => storedKey(checkedSpace(space), key);
	for (const { field = 'field', by, atMost = 0 } of add) {
		if (!FIELD.test(field)) throw new TypeError(`A counter cannot be the field ${JSON.stringify(field)}.`);
		if (![by, atMost].every(Number.isSafeInteger))
			throw new TypeError(`A counter cannot be changed by ${by}, or limited to ${atMost}.`);
	}
	for (const { ttlMs = 1 } of [...add, ...put, ...index])
		if (!Number.isSafeInteger(ttlMs) || ttlMs <= 0) throw new TypeError(`An entry cannot expire after ${ttlMs} ms.`);
	const isOnce = ({ space = namespace, key }: Put) => space === namespace && key === once;
	const all: readonly Put[] = once === undefined || put.some(isOnce) ? put : [{ key: once, value: true }, ...put];
	const toMember = ({ space, index: name, member }: IndexMember): IndexMember => ({
		index: toKey(checkedIndex(name), space),
		member: checkedIndex(member),
	});
	return {
		once: once === undefined ? once : toKey(once),
		add: add.map(({ key, ttlMs, ...step }) => ({ ...step, key: toKey(key), expires: expiryIn(ttlMs) })),
		put: all.map(({ space, key, value, ttlMs }) => {
			const expires = expiryIn(ttlMs);
			return { key: toKey(key, space), entry: toEntry(value, expires), expires };
		}),
		remove: remove.map((each) => (typeof each === 'string' ? toKey(each) : toKey(each.key, each.space))),
		index: index.map(({ ttlMs, from, ...each }) => ({ ...toMember(each), expires: expiryIn(ttlMs), from })),
		unindex: unindex.map(toMember),
	};
}

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
		return this.deleteMany([key]);
	}

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
