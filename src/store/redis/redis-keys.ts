import type { RedisConnection } from './redis-connection.ts';

/** keyv puts the namespace before the key, and its Redis adapter puts it there once more, with this separator. */
const SEPARATOR = '::';

const KEYS_PER_PAGE = 1000;

/** Few at a time, because an entry may be long. */
const ENTRIES_PER_REQUEST = 8;

/**
 * Returns keyv's namespace for a space. The part of a key in `{…}` alone decides which node of a cluster holds it, so that a
 * whole space is on one node and a change can be committed there in one step.
 * https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags
 */
export const namespaceOf = (space: string) => `{${space}}`;

/** Returns the server's key for one of keyv's: `{usage}::{usage}:job:1` for `{usage}:job:1`. */
export const toServerKey = (key: string) => key.slice(0, key.indexOf(':')) + SEPARATOR + key;

/** Returns the server's key for an index: `{usage}-index::open` for `{usage}:open`. No key of an entry begins like it. */
export const toServerIndex = (index: string) => index.replace('}:', '}-index::');

const fromServerKey = (key: string) => key.slice(key.indexOf(SEPARATOR) + SEPARATOR.length);

/** Yields pages of the server's keys for entries whose key starts with `prefix`, which contains at least the namespace. */
async function* keysFrom(connection: RedisConnection, prefix: string): AsyncGenerator<readonly [string, ...string[]]> {
	const start = toServerKey(prefix);
	yield* scan((command) => connection.run((client) => client.send(start, command)), start);
}

/** Yields pages of one server's keys that start with `start`, each key once. */
export async function* scan(
	send: (command: string[]) => Promise<unknown>,
	start: string,
): AsyncGenerator<readonly [string, ...string[]]> {
	const pattern = `${start.replace(/[*?[\]\\]/g, '\\$&')}*`;
	// The server may return a key several times. https://redis.io/docs/latest/commands/scan/#scan-guarantees
	const seen = new Set<string>();
	let cursor = '0';
	do {
		const command = ['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(KEYS_PER_PAGE)];
		const [next, keys] = (await send(command)) as [string, string[]];
		const [first, ...others] = keys.filter((key) => !seen.has(key) && seen.add(key));
		if (first !== undefined) yield [first, ...others];
		cursor = next;
	} while (cursor !== '0');
}

/** Deletes the server's keys that start with `start`, which contains at least the namespace. */
export async function removeKeys(connection: RedisConnection, start: string): Promise<void> {
	for await (const keys of scan((command) => connection.run((client) => client.send(start, command)), start))
		await connection.run((client) => client.send(keys[0], ['UNLINK', ...keys]));
}

/** Yields every entry whose key starts with `prefix`, which contains at least the namespace. */
export async function* entriesFrom(
	connection: RedisConnection,
	prefix: string,
): AsyncGenerator<[key: string, entry: string]> {
	for await (const page of keysFrom(connection, prefix)) {
		for (let start = 0; start < page.length; start += ENTRIES_PER_REQUEST) {
			const keys = page.slice(start, start + ENTRIES_PER_REQUEST);
			const entries = await connection.run((client) => client.send(page[0], ['MGET', ...keys]));
			for (const [index, key] of keys.entries()) {
				const entry = (entries as (string | null)[])[index];
				if (typeof entry === 'string') yield [fromServerKey(key), entry];
			}
		}
	}
}
