import type { RedisConnection } from './redis-connection.ts';

/** keyv itself puts a namespace before the key, and its adapter puts it before that once more. */
const SEPARATOR = '::';

const KEYS_AT_ONCE = 1000;

/** An entry may be long. */
const ENTRIES_AT_ONCE = 8;

/**
 * keyv's namespace of a space. Of a key with `{…}` only this piece says which node of a cluster it belongs to, so that a
 * whole space is on one, and a change can be made in one step there.
 * https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags
 */
export const namespaceOf = (space: string) => `{${space}}`;

/** Where an entry is on the server: `{usage}:job:1` of keyv's is `{usage}::{usage}:job:1` there. */
export const toServerKey = (key: string) => key.slice(0, key.indexOf(':')) + SEPARATOR + key;
const fromServerKey = (key: string) => key.slice(key.indexOf(SEPARATOR) + SEPARATOR.length);

/** The server's keys of entries whose key starts with `prefix`, a namespace at least, by the page; each key once. */
export async function* keysFrom(
	connection: RedisConnection,
	prefix: string,
): AsyncGenerator<readonly [string, ...string[]]> {
	const start = toServerKey(prefix);
	yield* scan((command) => connection.run((link) => link.send(start, command)), start);
}

/** The keys of one server that start with `start`, by the page; each key once. */
export async function* scan(
	send: (command: string[]) => Promise<unknown>,
	start: string,
): AsyncGenerator<readonly [string, ...string[]]> {
	const pattern = `${start.replace(/[*?[\]\\]/g, '\\$&')}*`;
	// The server may show a key again. https://redis.io/docs/latest/commands/scan/#scan-guarantees
	const seen = new Set<string>();
	let cursor = '0';
	do {
		const [next, keys] = (await send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(KEYS_AT_ONCE)])) as [
			string,
			string[],
		];
		const [first, ...others] = keys.filter((key) => !seen.has(key) && seen.add(key));
		if (first !== undefined) yield [first, ...others];
		cursor = next;
	} while (cursor !== '0');
}

/** Every entry whose key starts with `prefix`, a namespace at least. */
export async function* entriesFrom(
	connection: RedisConnection,
	prefix: string,
): AsyncGenerator<[key: string, entry: string]> {
	for await (const page of keysFrom(connection, prefix)) {
		for (let start = 0; start < page.length; start += ENTRIES_AT_ONCE) {
			const keys = page.slice(start, start + ENTRIES_AT_ONCE);
			const entries = await connection.run((link) => link.send(page[0], ['MGET', ...keys]));
			for (const [index, key] of keys.entries()) {
				const entry = (entries as (string | null)[])[index];
				if (typeof entry === 'string') yield [fromServerKey(key), entry];
			}
		}
	}
}
