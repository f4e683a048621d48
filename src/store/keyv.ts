import { EventEmitter } from 'node:events';
import { Keyv, type KeyvEntry, type KeyvStoreAdapter, type StoredData } from 'keyv';
import { type Backend, NO_CHANGE } from './backend.ts';

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
		await this.setMany([{ key, value, ...(ttl !== undefined && { ttl }) }]);
	}

	/** Sets all entries or none. keyv returns this result as its own, and promises one `true` for each entry. */
	async setMany(entries: KeyvEntry[]): Promise<boolean[]> {
		const now = Date.now();
		const put = entries.map(({ key, value, ttl }) => {
			if (typeof value !== 'string') throw new TypeError('Values must be strings; keyv needs its serializer here.');
			return { key, entry: value, ...(ttl && { expires: Math.ceil(now + ttl) }) };
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
export class SpaceKeyv extends Keyv {
	override _getKeyPrefix(key: string): string {
		// Keys are stored in UTF-8, in which all lone surrogates become the same character.
		if (!key.isWellFormed()) throw new TypeError('A key contains a lone surrogate.');
		return `${this.namespace}:${key}`;
	}

	override _getKeyPrefixArray(keys: string[]): string[] {
		return keys.map((key) => this._getKeyPrefix(key));
	}
}
