import { EventEmitter } from 'node:events';
import KeyvRedis from '@keyv/redis';
import type { KeyvEntry, KeyvStoreAdapter, StoredData } from 'keyv';
import type { RedisConnection } from './redis-connection.ts';
import { entriesFrom, removeKeys, toServerKey } from './redis-keys.ts';

/**
 * keyv's own Redis adapter on a connection that reconnects and reports every error. The adapter's `clear` hides errors,
 * so it is implemented here. Each `Keyv` needs an adapter of its own, because it sets its namespace here.
 */
export class RedisKeyvAdapter extends EventEmitter implements Omit<KeyvStoreAdapter, 'setMany'> {
	/** keyv offers its iterator only for dialects that it knows by name. */
	readonly opts = { dialect: 'redis', url: '' };
	namespace?: string | undefined;
	readonly #connection: RedisConnection;
	#adapter: KeyvRedis<unknown> | undefined;

	constructor(connection: RedisConnection) {
		super();
		this.#connection = connection;
	}

	get<Value>(key: string): Promise<StoredData<Value> | undefined> {
		return this.#run((adapter) => adapter.get<StoredData<Value>>(key));
	}

	getMany<Value>(keys: string[]): Promise<Array<StoredData<Value | undefined>>> {
		return this.#run((adapter) => adapter.getMany<StoredData<Value>>(keys));
	}

	has(key: string): Promise<boolean> {
		return this.#run((adapter) => adapter.has(key));
	}

	hasMany(keys: string[]): Promise<boolean[]> {
		return this.#run((adapter) => adapter.hasMany(keys));
	}

	async set(key: string, value: unknown, ttl?: number): Promise<void> {
		await this.setMany([{ key, value, ...(ttl !== undefined && { ttl }) }]);
	}

	/** Sets all entries or none. keyv returns this result as its own, and promises one `true` for each entry. */
	async setMany(entries: KeyvEntry[]): Promise<boolean[]> {
		if (entries.some(({ value }) => typeof value !== 'string'))
			throw new TypeError('Values must be strings; keyv needs its serializer here.');
		await this.#run((adapter) => adapter.setMany(entries));
		return entries.map(() => true);
	}

	delete(key: string): Promise<boolean> {
		return this.#run((adapter) => adapter.delete(key));
	}

	/** Returns true when any of the entries existed. */
	deleteMany(keys: string[]): Promise<boolean> {
		return this.#run((adapter) => adapter.deleteMany(keys));
	}

	async clear(): Promise<void> {
		await removeKeys(this.#connection, toServerKey(`${this.namespace}:`));
	}

	async *iterator<Value>(): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
		yield* entriesFrom(this.#connection, `${this.namespace}:`);
	}

	/** Closes the connection, and with it every other namespace. */
	disconnect(): Promise<void> {
		return this.#connection.close();
	}

	#run<Result>(work: (adapter: KeyvRedis<unknown>) => Promise<Result>): Promise<Result> {
		return this.#connection.run(({ keyvClient }) => {
			if (this.#adapter?.client !== keyvClient) this.#adapter = new KeyvRedis(keyvClient, { throwOnErrors: true });
			this.#adapter.namespace = this.namespace;
			return work(this.#adapter);
		});
	}
}
