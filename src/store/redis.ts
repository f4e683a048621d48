import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Driver, StoredChange } from './driver.ts';
import { connectToRedis } from './redis-connection.ts';
import { createRedisFiles } from './redis-files.ts';
import { entriesFrom, namespaceOf, toServerKey } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';
import { RedisStorage } from './redis-storage.ts';
import type { CommitResult } from './store.ts';

const SCRIPT = readFileSync(new URL('./redis-commit.lua', import.meta.url), 'utf8');
const SCRIPT_SHA1 = createHash('sha1').update(SCRIPT).digest('hex');

/**
 * A store on a server that speaks as Redis 6 does, such as Valkey, or on a cluster of them, with any number of processes.
 * The same entries are another keyv's, `new Keyv({ store: new KeyvRedis(url), namespace: '{usage}' })` for `usage`.
 *
 * When it can't be had, calls reject with `StoreError` soon; each tries anew, so the store works again as soon as the
 * server does. A commit that was under way may then have been made or not.
 *
 * What is kept is up to the server's settings:
 * - `appendonly yes`, or a restart takes everything back to the last snapshot. With `appendfsync everysec`, its default, a
 *   power failure (not the end of the server's process) takes about the last second of answered commits back: calls that
 *   were counted are free again, and deliveries that were handled look new. `appendfsync always` keeps all of them.
 *   https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/
 * - Copies are written after the answer, so a failover may lose the last commits whatever `appendfsync` says.
 *   https://redis.io/docs/latest/operate/oss_and_stack/management/replication/
 * - `maxmemory-policy noeviction`; a server that could evict is refused if it says so, of a cluster the one in the address.
 *
 * @param url `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `rediss://…`, whose certificate must be valid for HOST;
 * who issued it may be named in `NODE_EXTRA_CA_CERTS`. https://nodejs.org/api/cli.html#node_extra_ca_certsfile
 * @throws StoreError
 */
export async function openRedis(url: string, patienceMs?: number): Promise<Driver> {
	const connection = await connectToRedis(url, patienceMs);
	return {
		namespace: namespaceOf,
		storage: () => new RedisStorage(connection),
		commit: (change) => connection.run((link) => commit(link, change)),
		list: (prefix) => entriesFrom(connection, prefix),
		files: (namespace) => createRedisFiles(connection, namespace),
		ping: () => connection.run((link) => link.ping()),
		close: () => connection.close(),
	};
}

async function commit(link: RedisLink, { once, add, put, remove }: StoredChange): Promise<CommitResult> {
	const onces = once === undefined ? [] : [once];
	const keys = [...onces, ...[...add, ...put].map(({ key }) => key), ...remove].map(toServerKey);
	const counts = [onces, add, put].map(({ length }) => String(length));
	const steps = add.flatMap(({ by, atMost }) => [String(by), atMost === undefined ? '' : String(atMost)]);
	const rest = [String(keys.length), ...keys, ...counts, ...steps, ...put.map(({ entry }) => entry)];
	const answer = await run(link, keys[0] ?? '', rest);
	if (typeof answer === 'number') return { refused: add[answer - 1]?.key as string };
	return answer as 'done' | 'duplicate';
}

/** A server forgets scripts when it starts and when it is told to; it then says so before doing anything. */
async function run(link: RedisLink, key: string, rest: string[]): Promise<unknown> {
	try {
		return await link.send(key, ['EVALSHA', SCRIPT_SHA1, ...rest]);
	} catch (error) {
		if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
		return link.send(key, ['EVAL', SCRIPT, ...rest]);
	}
}
