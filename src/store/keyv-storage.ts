import { EventEmitter } from 'node:events';
import type { KeyvEntry, KeyvStoreAdapter, StoredData } from 'keyv';
import type { TableDoor } from './table.ts';

/** How often, at most, room is taken back from entries that have expired. */
const DROP_EXPIRED_EVERY_MS = 60_000;

/** keyv's storage adapter on a table. One for every `Keyv`, which writes its namespace here. */
export class KeyvStorage extends EventEmitter implements Omit<KeyvStoreAdapter, 'setMany'> {
	/** keyv offers its iterator only for dialects that it knows by name. */
	readonly opts = { dialect: 'sqlite', url: '' };
	namespace?: string | undefined;
	readonly #door: TableDoor;
	#dropExpiredAt = 0;

	constructor(door: TableDoor) {
		super();
		this.#door = door;
	}

	get<Value>(key: string): Promise<StoredData<Value> | undefined> {
		return this.#door.read((table) => table.get(key) as StoredData<Value> | undefined);
	}

	getMany<Value>(keys: string[]): Promise<Array<StoredData<Value | undefined>>> {
		return this.#door.read((table) => keys.map((key) => table.get(key) as StoredData<Value | undefined>));
	}

	has(key: string): Promise<boolean> {
		return this.#door.read((table) => table.get(key) !== undefined);
	}

	hasMany(keys: string[]): Promise<boolean[]> {
		return this.#door.read((table) => keys.map((key) => table.get(key) !== undefined));
	}

	async set(key: string, value: unknown, ttl?: number): Promise<void> {
		await this.setMany([{ key, value, ...(ttl !== undefined && { ttl }) }]);
	}

	/** All of them or none. keyv hands the answer on as its own, and promises one `true` for each. */
	setMany(entries: KeyvEntry[]): Promise<boolean[]> {
		const now = Date.now();
		const rows = entries.map(({ key, value, ttl }) => {
			if (typeof value !== 'string') throw new TypeError('Values are kept as strings; keyv needs its serializer here.');
			return { key, value, expires: ttl ? now + ttl : undefined };
		});
		const dropExpired = rows.some(({ expires }) => expires) && now >= this.#dropExpiredAt;
		if (dropExpired) this.#dropExpiredAt = now + DROP_EXPIRED_EVERY_MS;
		return this.#door.write((table) => {
			if (dropExpired) table.dropExpired();
			return rows.map(({ key, value, expires }) => {
				table.set(key, value, expires);
				return true;
			});
		});
	}

	delete(key: string): Promise<boolean> {
		return this.deleteMany([key]);
	}

	/** True when any of them was there. */
	deleteMany(keys: string[]): Promise<boolean> {
		return this.#door.write((table) => keys.filter((key) => table.delete(key)).length > 0);
	}

	clear(): Promise<void> {
		return this.#door.write((table) => table.clear(this.#prefix));
	}

	async *iterator<Value>(): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
		for await (const key of this.#door.keys(this.#prefix ?? '')) {
			const entry = await this.#door.read((table) => table.get(key));
			if (entry !== undefined) yield [key, entry];
		}
	}

	/** Of the whole table, and so of every other namespace in it. */
	disconnect(): Promise<void> {
		return this.#door.close();
	}

	get #prefix(): string | undefined {
		return this.namespace === undefined ? undefined : `${this.namespace}:`;
	}
}
