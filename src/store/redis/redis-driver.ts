import type { Driver } from '../driver.ts';
import type { IndexPage } from '../store.ts';
import { CommitQueue } from './commit-queue.ts';
import { parseRedisAddress } from './redis-address.ts';
import type { RedisClient } from './redis-client.ts';
import { connectToRedis, createConnection } from './redis-connection.ts';
import { RedisFiles } from './redis-files.ts';
import { entriesFrom, namespaceOf, removeKeys, toServerIndex, toServerKey } from './redis-keys.ts';
import { RedisKeyvAdapter } from './redis-keyv-adapter.ts';
import { settingsWarnings } from './redis-settings.ts';
import { copyToSnapshot } from './redis-snapshot.ts';
import { ReplicaBarrier } from './replica-barrier.ts';

/**
 * Opens a store on a server that is compatible with Redis 6.2, such as Valkey, or on a cluster of them, for any number of
 * processes. Other programs can read the entries with `new Keyv({ store: new KeyvRedis(url), namespace: '{usage}' })`,
 * where `usage` is the name of the space.
 *
 * When the server cannot be reached, calls reject with `StoreError` soon. Each call tries again, so the store works as
 * soon as the server does. A commit that was under way may have been made or not.
 *
 * How durable entries are depends on the server's settings, which `warnings` checks; docs/configuration.md says what holds with which.
 * A server that reports another `maxmemory-policy` than `noeviction` and a limit of memory is refused.
 *
 * @param url `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `rediss://…`, whose certificate must be valid for HOST. Its
 * issuer can be named in `NODE_EXTRA_CA_CERTS`. https://nodejs.org/api/cli.html#node_extra_ca_certsfile
 * @throws StoreError
 */
export async function openRedis(url: string, timeoutMs?: number): Promise<Driver> {
	const connection = await connectToRedis(url, timeoutMs);
	const commits = new CommitQueue(connection);
	const barrier = new ReplicaBarrier(connection, createConnection(url, timeoutMs));
	return {
		namespace: namespaceOf,
		storage: () => new RedisKeyvAdapter(connection),
		async commit(change) {
			const result = await commits.commit(change);
			if (change.replicate && result === 'done') await barrier.pass(change.once ?? change.put[0]?.key ?? '');
			return result;
		},
		list: (prefix) => entriesFrom(connection, prefix),
		members: (index, page) => connection.run((client) => readMembers(client, toServerIndex(index), page)),
		files: (namespace) => new RedisFiles(connection, namespace),
		async snapshot(path) {
			const address = parseRedisAddress(url);
			const nodes = await connection.run(async (client) => client.nodes());
			const sockets = nodes.length > 0 ? nodes : [address.socket];
			await copyToSnapshot(
				sockets.map((socket) => ({ ...address, socket })),
				path,
			);
		},
		async clear(namespace) {
			for (const start of [toServerKey(`${namespace}:`), toServerIndex(`${namespace}:`)])
				await removeKeys(connection, start);
		},
		ping: () => connection.run((client) => client.ping()),
		warnings: () => connection.run(settingsWarnings),
		async close() {
			commits.flush();
			await Promise.all([connection.close(), barrier.close()]);
		},
	};
}

/** All members have the score 0, and are therefore in the order of their bytes. https://redis.io/docs/latest/commands/zrange/ */
function readMembers(
	client: RedisClient,
	key: string,
	{ after, before, limit, descending }: IndexPage,
): Promise<string[]> {
	const [low, high] = [after === undefined ? '-' : `(${after}`, before === undefined ? '+' : `(${before}`];
	const range = descending ? [high, low, 'BYLEX', 'REV'] : [low, high, 'BYLEX'];
	return client.send(key, ['ZRANGE', key, ...range, 'LIMIT', '0', String(limit)]) as Promise<string[]>;
}
