import { EventEmitter } from 'node:events';
import { type DeserializedData, Keyv, type KeyvEntry, type KeyvStoreAdapter, type StoredData } from 'keyv';
import { type Backend, NO_CHANGE, type StoredChange } from './backend.ts';
import { createFiles, type ExternalFiles, type FilesDriver } from './files.ts';
import { createPauses } from './pages.ts';
import { type Change, checkedSpace, type IndexMember, isIndexText, type Space, type Store } from './store.ts';

/**
 * Creates a store on a backend.
 *
 * @param external where files are kept; by the backend when undefined
 */
export function createStore(backend: Backend, external?: ExternalFiles): Store {
	const spaces = new Map<string, Space>();
	let open = true;
	const filesOf = external ? (name: string) => external.space(name) : (name: string) => backend.files(name);
	return {
		space(name) {
			const space = spaces.get(name) ?? createSpace(name, backend, filesOf, () => open);
			spaces.set(name, space);
			return space;
		},
		async ping() {
			await Promise.all([backend.ping(), external?.check()]);
			// An entry is written and removed, because a store that is full still answers reads.
			const key = 'health:written';
			await backend.commit({ ...NO_CHANGE, put: [{ key, entry: toEntry(true) }], remove: [key] });
		},
		warnings: () => backend.warnings(),
		async close() {
			open = false;
			await external?.close();
			await backend.close();
		},
	};
}

function createSpace(
	name: string,
	backend: Backend,
	filesOf: (space: string) => FilesDriver,
	isOpen: () => boolean,
): Space {
	const namespace = checkedSpace(name);
	const store = new KeyvAdapter(backend);
	const keyv = new SpaceKeyv({ store, namespace, throwOnErrors: true, serialize, deserialize });
	const toStoredKey = (key: string) => keyv._getKeyPrefix(key);
	const fromStoredKey = (key: string) => key.slice(namespace.length + 1);
	return {
		keyv,
		async commit(change) {
			const result = await backend.commit(toStoredChange(change, toStoredKey));
			return typeof result === 'object' ? { refused: fromStoredKey(result.refused) } : result;
		},
		async *list(prefix) {
			const pause = createPauses();
			for await (const [key, entry] of backend.list(toStoredKey(prefix))) {
				yield [fromStoredKey(key), deserialize(entry).value];
				await pause();
			}
		},
		members: (index, page) => backend.members(toStoredKey(checkedIndex(index)), page),
		files: createFiles(filesOf(namespace), isOpen),
	};
}

/** @throws TypeError when the change is invalid */
function toStoredChange(
	{ once, add = [], put = [], remove = [], index = [], unindex = [] }: Change,
	toStoredKey: (key: string) => string,
): StoredChange {
	for (const { by, atMost = 0 } of add) {
		if (!Number.isSafeInteger(by)) throw new TypeError(`A counter cannot be changed by ${by}.`);
		if (!Number.isSafeInteger(atMost)) throw new TypeError(`A counter cannot be limited to ${atMost}.`);
	}
	for (const { ttlMs = 1 } of [...add, ...put, ...index])
		if (!Number.isSafeInteger(ttlMs) || ttlMs <= 0) throw new TypeError(`An entry cannot expire after ${ttlMs} ms.`);
	const now = Date.now();
	const expiryIn = (ttlMs: number | undefined) => (ttlMs === undefined ? {} : { expires: now + ttlMs });
	const values: Change['put'] =
		once === undefined || put.some(({ key }) => key === once) ? put : [{ key: once, value: true }, ...put];
	const toStoredMember = ({ index: name, member }: IndexMember): IndexMember => ({
		index: toStoredKey(checkedIndex(name)),
		member: checkedIndex(member),
	});
	return {
		once: once === undefined ? undefined : toStoredKey(once),
		add: add.map(({ key, ttlMs, ...step }) => ({ ...step, key: toStoredKey(key), ...expiryIn(ttlMs) })),
		put: values.map(({ key, value, ttlMs }) => {
			const expiry = expiryIn(ttlMs);
			return { key: toStoredKey(key), entry: toEntry(value, expiry), ...expiry };
		}),
		remove: remove.map(toStoredKey),
		index: index.map((each) => ({ ...toStoredMember(each), ...expiryIn(each.ttlMs) })),
		unindex: unindex.map(toStoredMember),
	};
}

/** Returns a name or member of an index. */
function checkedIndex(text: string): string {
	if (!isIndexText(text)) throw new TypeError('Indexes and their members consist of ASCII characters.');
	return text;
}

function toEntry(value: unknown, expiry: { expires?: number } = {}): string {
	if (typeof value === 'symbol' || typeof value === 'function')
		throw new TypeError(`A ${typeof value} cannot be stored.`);
	return serialize({ value, ...expiry });
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

/**
 * A keyv that prefixes every key with its namespace. keyv omits the prefix, in some of its calls only, when the key already
 * begins with it, so that `a:b` and `b` would be one entry of a space named `a`.
 */
class SpaceKeyv extends Keyv {
	override _getKeyPrefix(key: string): string {
		// Keys are stored in UTF-8, in which all lone surrogates become the same character.
		if (!key.isWellFormed()) throw new TypeError('A key contains a lone surrogate.');
		return `${this.namespace}:${key}`;
	}

	override _getKeyPrefixArray(keys: string[]): string[] {
		return keys.map((key) => this._getKeyPrefix(key));
	}
}

const keyv = new Keyv();

/**
 * Serializes an entry as keyv does. keyv's format is JSON except for bytes and for strings that begin with a colon. Without
 * these the engine's own JSON gives the same result, many times faster.
 */
export function serialize<Value>(entry: DeserializedData<Value>): string {
	const json = JSON.stringify(entry);
	return needsKeyv(json) || json.includes('"type":"Buffer"') ? (keyv.serialize?.(entry) as string) : json;
}

export function deserialize<Value>(text: string): DeserializedData<Value> {
	return (needsKeyv(text) ? keyv.deserialize?.(text) : JSON.parse(text)) as DeserializedData<Value>;
}

/** Tells whether a string in it may begin with a colon: `":` after `:`, `,` or `[`, or at the end of an unusual name. */
function needsKeyv(json: string): boolean {
	for (let at = json.indexOf('":'); at !== -1; at = json.indexOf('":', at + 2)) {
		const before = json[at - 1];
		if (before === ':' || before === ',' || before === '[') return true;
	}
	return false;
}
