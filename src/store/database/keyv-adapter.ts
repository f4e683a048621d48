import { EventEmitter } from 'node:events';
import type { KeyvEntry, KeyvStoreAdapter, StoredData } from 'keyv';
import type { Database } from './database.ts';

/** keyv's storage adapter for a database. Each `Keyv` needs one of its own, because it sets its namespace here. */
export class KeyvAdapter extends EventEmitter implements Omit<KeyvStoreAdapter, 'setMany'> {
	/** keyv offers its iterator only for dialects that it knows by name. */
	readonly opts = { dialect: 'sqlite', url: '' };
	namespace?: string | undefined;
	readonly #database: Database;
	readonly #lazy: boolean;

	/** @param lazy whether writes are made as `Change.lazy` says */
	constructor(database: Database, lazy = false) {
		super();
		this.#database = database;
		this.#lazy = lazy;
	}

	get<Value>(key: string): Promise<StoredData<Value> | undefined> {
		return this.#database.read((table) => table.get(key) as StoredData<Value> | undefined);
	}

	getMany<Value>(keys: string[]): Promise<Array<StoredData<Value | undefined>>> {
		return this.#database.read((table) => keys.map((key) => table.get(key) as StoredData<Value | undefined>));
	}

	has(key: string): Promise<boolean> {
		return this.#database.read((table) => table.get(key) !== undefined);
	}

	hasMany(keys: string[]): Promise<boolean[]> {
		return this.#database.read((table) => keys.map((key) => table.get(key) !== undefined));
	}

	async set(key: string, value: unknown, ttl?: number): Promise<void> {
		await this.setMany([{ key, value, ...(ttl !== undefined && { ttl }) }]);
	}

	/** Sets all entries in one transaction. keyv returns this result as its own, and promises one `true` for each entry. */
	setMany(entries: KeyvEntry[]): Promise<boolean[]> {
		const now = Date.now();
		const rows = entries.map(({ key, value, ttl }) => {
			if (typeof value !== 'string') throw new TypeError('Values must be strings; keyv needs its serializer here.');
			return { key, value, expires: ttl ? now + ttl : undefined };
		});
		return this.#database.write(
			(table) =>
				rows.map(({ key, value, expires }) => {
					table.set(key, value, expires);
					return true;
				}),
			this.#lazy,
		);
	}

	delete(key: string): Promise<boolean> {
		return this.deleteMany([key]);
	}

	/** Returns true when any of the entries existed. */
	deleteMany(keys: string[]): Promise<boolean> {
		return this.#database.write((table) => keys.filter((key) => table.delete(key)).length > 0, this.#lazy);
	}

	clear(): Promise<void> {
		return this.#database.write((table) => table.clear(this.#prefix));
	}

	async *iterator<Value>(): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
		for await (const key of this.#database.keys(this.#prefix ?? '')) {
			const entry = await this.#database.read((table) => table.get(key));
			if (entry !== undefined) yield [key, entry];
		}
	}

	/** Closes the database, and with it every other namespace. */
	disconnect(): Promise<void> {
		return this.#database.close();
	}

	get #prefix(): string | undefined {
		return this.namespace === undefined ? undefined : `${this.namespace}:`;
	}
}
