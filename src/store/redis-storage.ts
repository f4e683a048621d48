import { EventEmitter } from 'node:events';
import KeyvRedis from '@keyv/redis';
import type { KeyvEntry, KeyvStoreAdapter, StoredData } from 'keyv';
import type { RedisConnection } from './redis-connection.ts';
import { entriesFrom, keysFrom } from './redis-keys.ts';

/**
 * keyv's own adapter for Redis, which does not hide when something can't be done. Its `clear` hides it always, and is
 * done here. One for every `Keyv`, which writes its namespace here.
 */
export class RedisStorage extends EventEmitter implements Omit<KeyvStoreAdapter, 'setMany'> {
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

	/** All of them or none. keyv hands the answer on as its own, and promises one `true` for each. */
	async setMany(entries: KeyvEntry[]): Promise<boolean[]> {
		if (entries.some(({ value }) => typeof value !== 'string'))
			throw new TypeError('Values are kept as strings; keyv needs its serializer here.');
		await this.#run((adapter) => adapter.setMany(entries));
		return entries.map(() => true);
	}

	delete(key: string): Promise<boolean> {
		return this.#run((adapter) => adapter.delete(key));
	}

	/** True when any of them was there. */
	deleteMany(keys: string[]): Promise<boolean> {
		return this.#run((adapter) => adapter.deleteMany(keys));
	}

	async clear(): Promise<void> {
		for await (const keys of keysFrom(this.#connection, `${this.namespace}:`)) {
			await this.#connection.run((link) => link.send(keys[0], ['UNLINK', ...keys]));
		}
	}

	async *iterator<Value>(): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
		yield* entriesFrom(this.#connection, `${this.namespace}:`);
	}

	/** Of every other namespace, too. */
	disconnect(): Promise<void> {
		return this.#connection.close();
	}

	#run<Result>(work: (adapter: KeyvRedis<unknown>) => Promise<Result>): Promise<Result> {
		return this.#connection.run(({ client }) => {
			if (this.#adapter?.client !== client) this.#adapter = new KeyvRedis(client, { throwOnErrors: true });
			this.#adapter.namespace = this.namespace;
			return work(this.#adapter);
		});
	}
}
