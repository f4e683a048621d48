import { StoreError } from '../store.ts';
import type { RedisClient } from './redis-client.ts';
import type { RedisConnection } from './redis-connection.ts';
import { readSettings } from './redis-settings.ts';

/** How long a replica may take, in milliseconds: less than any call may take. */
const REPLICA_TIMEOUT_MS = 1000;

/**
 * Waits until a replica has what was written before. WAIT holds back all later commands of its connection, and looks at the writes of
 * that connection only, so there is one of its own, on which a write comes first.
 * https://redis.io/docs/latest/commands/wait/
 */
export class ReplicaBarrier {
	readonly #main: RedisConnection;
	readonly #own: RedisConnection;
	readonly #required = new WeakMap<RedisClient, Map<string, boolean>>();

	/** @param own a connection for this purpose; it is opened when a server requires replicas */
	constructor(main: RedisConnection, own: RedisConnection) {
		this.#main = main;
		this.#own = own;
	}

	/**
	 * Resolves at once when the server does not require replicas.
	 *
	 * @param key a key that begins with the namespace, such as `{usage}:job:1`
	 * @throws StoreError when no replica has the writes in time
	 */
	async pass(key: string): Promise<void> {
		const barrier = `${key.slice(0, key.indexOf(':'))}-barrier::`;
		const { client: present } = this.#main;
		if (present && this.#required.get(present)?.get(barrier) === false) return;
		if (!(await this.#main.run((client) => this.#isRequired(client, barrier)))) return;
		const replicas = await this.#own.run(async (client) => {
			await client.send(barrier, ['SET', barrier, '', 'PX', String(REPLICA_TIMEOUT_MS)]);
			return client.send(barrier, ['WAIT', '1', String(REPLICA_TIMEOUT_MS)]);
		});
		// WAIT returns how many replicas there were, also when it has given up.
		if (replicas === 0) throw new StoreError('No replica of the store has received a change in time.');
	}

	close(): Promise<void> {
		return this.#own.close();
	}

	/** Asks the server of a key once for each client, and so again after a promotion. */
	async #isRequired(client: RedisClient, key: string): Promise<boolean> {
		const known = this.#required.get(client) ?? new Map<string, boolean>();
		this.#required.set(client, known);
		const isRequired =
			known.get(key) ?? (await readSettings((command) => client.send(key, command)))?.requiresReplicas ?? false;
		known.set(key, isRequired);
		return isRequired;
	}
}
