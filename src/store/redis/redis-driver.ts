import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Driver, StoredChange } from '../driver.ts';
import type { CommitResult } from '../store.ts';
import type { RedisClient } from './redis-client.ts';
import { connectToRedis } from './redis-connection.ts';
import { RedisFiles } from './redis-files.ts';
import { entriesFrom, namespaceOf, toServerKey } from './redis-keys.ts';
import { RedisKeyvAdapter } from './redis-keyv-adapter.ts';

const SCRIPT = readFileSync(new URL('./commit.lua', import.meta.url), 'utf8');
const SCRIPT_SHA1 = createHash('sha1').update(SCRIPT).digest('hex');

/**
 * Opens a store on a server that is compatible with Redis 6, such as Valkey, or on a cluster of them, for any number of
 * processes. Other programs can read the entries with `new Keyv({ store: new KeyvRedis(url), namespace: '{usage}' })`,
 * where `usage` is the name of the space.
 *
 * When the server cannot be reached, calls reject with `StoreError` soon. Each call tries again, so the store works as
 * soon as the server does. A commit that was under way may have been made or not.
 *
 * How durable entries are depends on the server's settings:
 * - `appendonly yes` is needed; otherwise a restart returns to the last snapshot. With `appendfsync everysec`, its
 *   default, a power failure (not the end of the server's process) reverts about the last second of answered commits:
 *   calls that were counted are free again, and deliveries that were handled look new. `appendfsync always` keeps all
 *   of them.
 *   https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/
 * - Replicas are written after the answer, so a failover may lose the last commits whatever `appendfsync` is.
 *   https://redis.io/docs/latest/operate/oss_and_stack/management/replication/
 * - `maxmemory-policy noeviction` is needed. A server that reports another policy is refused; of a cluster only the
 *   server in the address is checked.
 *
 * @param url `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `rediss://…`, whose certificate must be valid for HOST. Its
 * issuer can be named in `NODE_EXTRA_CA_CERTS`. https://nodejs.org/api/cli.html#node_extra_ca_certsfile
 * @throws StoreError
 */
export async function openRedis(url: string, timeoutMs?: number): Promise<Driver> {
	const connection = await connectToRedis(url, timeoutMs);
	return {
		namespace: namespaceOf,
		storage: () => new RedisKeyvAdapter(connection),
		commit: (change) => connection.run((client) => commit(client, change)),
		list: (prefix) => entriesFrom(connection, prefix),
		files: (namespace) => new RedisFiles(connection, namespace),
		ping: () => connection.run((client) => client.ping()),
		close: () => connection.close(),
	};
}

async function commit(client: RedisClient, { once, add, put, remove }: StoredChange): Promise<CommitResult> {
	const onces = once === undefined ? [] : [once];
	const keys = [...onces, ...[...add, ...put].map(({ key }) => key), ...remove].map(toServerKey);
	const counts = [onces, add, put].map(({ length }) => String(length));
	const steps = add.flatMap(({ by, atMost }) => [String(by), atMost === undefined ? '' : String(atMost)]);
	const args = [String(keys.length), ...keys, ...counts, ...steps, ...put.map(({ entry }) => entry)];
	const answer = await runScript(client, keys[0] ?? '', args);
	if (typeof answer === 'number') return { refused: add[answer - 1]?.key as string };
	return answer as 'done' | 'duplicate';
}

/** Runs the script by its hash. A server that was restarted, or whose scripts were flushed, needs the script itself once. */
async function runScript(client: RedisClient, key: string, args: string[]): Promise<unknown> {
	try {
		return await client.send(key, ['EVALSHA', SCRIPT_SHA1, ...args]);
	} catch (error) {
		if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
		return client.send(key, ['EVAL', SCRIPT, ...args]);
	}
}
