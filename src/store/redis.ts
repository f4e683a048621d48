import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient } from '@keyv/redis';
import { parseRedisAddress, type RedisAddress } from './addresses.ts';
import type { Backend, CopyTarget, StoredChange } from './backend.ts';
import type { FileStore } from './files.ts';
import {
	clientOptions,
	isForbidden,
	RedisConnection,
	readWarnings,
	replyCode,
	toStoreError,
	withTimeout,
} from './redis-connection.ts';
import { type CommitResult, type IndexPage, StoreError } from './store.ts';

/** How long a file may take: a picture of several megabytes takes longer than an entry. */
const FILE_TIMEOUT_MS = 5000;

const KEYS_PER_PAGE = 1000;

/** Few at a time, because an entry may be long. */
const ENTRIES_PER_REQUEST = 8;

const SCRIPT = readFileSync(new URL('./redis.lua', import.meta.url), 'utf8');
const SCRIPT_SHA1 = createHash('sha1').update(SCRIPT).digest('hex');

/**
 * Returns strings of the server as bytes. `$` is the type of bulk strings.
 * https://redis.io/docs/latest/develop/reference/protocol-spec/#bulk-strings
 */
const AS_BYTES = { typeMapping: { ['$'.charCodeAt(0)]: Buffer } };

/**
 * Opens a store on a server that is compatible with Redis 6.2, such as Valkey, for any number of processes. Other programs can read the
 * entries with `new Keyv({ store: new KeyvRedis(url), namespace: '{usage}' })`, where `usage` is the name of the space.
 *
 * When the server cannot be reached, calls reject with `StoreError` soon. Each call tries again, so the store works as
 * soon as the server does. A commit that was under way may have been made or not.
 *
 * How durable entries are depends on the server's settings, which `warnings` checks; docs/configuration.md says what holds with which.
 *
 * @param url `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `rediss://…`, whose certificate must be valid for HOST. Its
 * issuer can be named in `NODE_EXTRA_CA_CERTS`. https://nodejs.org/api/cli.html#node_extra_ca_certsfile
 * @param timeoutMs for connecting and for commands
 * @throws StoreError when the server cannot be used: also a replica, a node of a cluster, and one that could evict entries
 */
export async function openRedis(url: string, timeoutMs?: number): Promise<Backend> {
	const connection = new RedisConnection(parseRedisAddress(url), timeoutMs);
	await connection.open();
	return {
		async get([...keys]) {
			if (keys.length === 0) return [];
			const entries = await connection.send<(string | null)[]>(['MGET', ...keys.map(toServerKey)]);
			return entries.map((entry) => entry ?? undefined);
		},
		commit: (change) => commit(connection, change),
		delete: async ([...keys]) =>
			keys.length > 0 && (await connection.send<number>(['UNLINK', ...keys.map(toServerKey)])) > 0,
		clear: (prefix) => removeKeys(connection, toServerKey(prefix)),
		clearIndexes: (prefix) => removeKeys(connection, toServerIndex(prefix)),
		async *list(prefix) {
			for await (const page of scan(connection, toServerKey(prefix))) {
				for (let start = 0; start < page.length; start += ENTRIES_PER_REQUEST) {
					const keys = page.slice(start, start + ENTRIES_PER_REQUEST);
					const entries = await connection.send<(string | null)[]>(['MGET', ...keys]);
					for (const [at, entry] of entries.entries()) if (entry !== null) yield [fromServerKey(keys[at] ?? ''), entry];
				}
			}
		},
		members: (index, page) => connection.send(['ZRANGE', toServerIndex(index), ...rangeOf(page)]),
		files: new RedisFiles(connection),
		copyTo: (target) => copyTo(connection.address, target),
		warnings: () => connection.run(readWarnings),
		close: () => connection.close(),
	};
}

/** All members have the score 0, and are therefore in the order of their bytes. https://redis.io/docs/latest/commands/zrange/ */
function rangeOf({ after, before, limit, descending }: IndexPage): string[] {
	const [low, high] = [after === undefined ? '-' : `(${after}`, before === undefined ? '+' : `(${before}`];
	const range = descending ? [high, low, 'BYLEX', 'REV'] : [low, high, 'BYLEX'];
	return [...range, 'LIMIT', '0', String(limit)];
}

async function commit(connection: RedisConnection, change: StoredChange): Promise<CommitResult> {
	const { once, add, put, remove, index, unindex } = change;
	const onceAt = put.findIndex(({ key }) => key === once) + 1;
	const keys: string[] = [];
	const args = [onceAt, add.length, put.length, remove.length, index.length].map(String);
	for (const { key, field, by, atMost = '', expires = '' } of add) {
		keys.push(toServerKey(key));
		args.push(field === undefined ? '' : `"${field}":`, String(by), String(atMost), String(expires));
	}
	for (const { key, entry, expires = '' } of put) {
		keys.push(toServerKey(key));
		args.push(entry, String(expires));
	}
	for (const key of remove) keys.push(toServerKey(key));
	for (const { index: name, member, expires = '', from = '' } of index) {
		keys.push(toServerIndex(name));
		args.push(member, String(expires), from);
	}
	for (const { index: name, member } of unindex) {
		keys.push(toServerIndex(name));
		args.push(member);
	}
	const rest = [String(keys.length), ...keys, ...args];
	const answer: unknown = await connection.run((client) =>
		client.sendCommand(['EVALSHA', SCRIPT_SHA1, ...rest]).catch((error: unknown) => {
			// A server that was restarted, or whose scripts were flushed, needs the script itself once.
			if (replyCode(error) !== 'NOSCRIPT') throw error;
			return client.sendCommand(['EVAL', SCRIPT, ...rest]);
		}),
	);
	if (answer === 0) return 'done';
	if (answer === -1) return 'duplicate';
	const { key = '', field } = add[Number(answer) - 1] ?? {};
	return { refused: key, field };
}

/**
 * Returns the server's key for an entry: `{usage}::{usage}:job:1` for `usage:job:1`. keyv's Redis adapter puts the namespace there once
 * more.
 */
function toServerKey(key: string): string {
	const colon = key.indexOf(':');
	const namespace = `{${key.slice(0, colon)}}`;
	return `${namespace}::${namespace}${key.slice(colon)}`;
}

const fromServerKey = (key: string): string => key.slice(key.indexOf('::{') + 3).replace('}', '');

/** Returns the server's key for an index: `{usage}-index::open` for `usage:open`. No key of an entry begins like it. */
const toServerIndex = (index: string): string => `{${index.replace(':', '}-index::')}`;

/** Yields pages of the server's keys that start with `start`, each key once. */
async function* scan(connection: RedisConnection, start: string): AsyncGenerator<string[]> {
	const pattern = `${start.replace(/[*?[\]\\]/g, '\\$&')}*`;
	// The server may return a key several times. https://redis.io/docs/latest/commands/scan/#scan-guarantees
	const seen = new Set<string>();
	let cursor = '0';
	do {
		const command = ['SCAN', cursor, 'MATCH', pattern, 'COUNT', String(KEYS_PER_PAGE)];
		const [next, keys] = await connection.send<[string, string[]]>(command);
		yield keys.filter((key) => !seen.has(key) && seen.add(key));
		cursor = next;
	} while (cursor !== '0');
}

async function removeKeys(connection: RedisConnection, start: string): Promise<void> {
	for await (const keys of scan(connection, start)) if (keys.length > 0) await connection.send(['UNLINK', ...keys]);
}

/** Keeps each file as a key of its own, `pictures-files::kept:1`. */
class RedisFiles implements FileStore {
	readonly #connection: RedisConnection;

	constructor(connection: RedisConnection) {
		this.#connection = connection;
	}

	async put(space: string, name: string, bytes: Uint8Array, expires?: number): Promise<void> {
		const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		const expiry = expires === undefined ? [] : ['PXAT', String(expires)];
		const command = ['SET', toServerFile(space, name), value, ...expiry];
		await this.#connection.run((client) => client.sendCommand(command), FILE_TIMEOUT_MS);
	}

	async get(space: string, name: string): Promise<Uint8Array | undefined> {
		const command = ['GET', toServerFile(space, name)];
		const bytes = await this.#connection.run((client) => client.sendCommand(command, AS_BYTES), FILE_TIMEOUT_MS);
		return (bytes as unknown as Buffer | null) ?? undefined;
	}

	async expiryOf(space: string, name: string): Promise<number | undefined> {
		const left = await this.#connection.send<number>(['PTTL', toServerFile(space, name)]);
		return left < 0 ? undefined : Date.now() + left;
	}

	async delete(space: string, name: string): Promise<boolean> {
		return (await this.#connection.send(['UNLINK', toServerFile(space, name)])) === 1;
	}

	async names(space: string): Promise<string[]> {
		const prefix = toServerFile(space, '');
		const pages = await Array.fromAsync(scan(this.#connection, prefix));
		return pages.flat().map((key) => key.slice(prefix.length));
	}

	/** A server that takes entries takes files, too. */
	async check(): Promise<void> {}

	async close(): Promise<void> {}
}

const toServerFile = (space: string, name: string): string => `${space}-files::${name}`;

/** How long one command of a copy may take. Nobody waits for it, and a long index takes time. */
const COPY_TIMEOUT_MS = 10_000;

const MEMBERS_PER_PAGE = 10_000;

/** How many values are requested at once. */
const AT_ONCE = 64;

/** Attempts to find a moment without changes: first without a pause of the writes, then with one, or where that is not allowed. */
const ATTEMPTS = 5;
const ATTEMPTS_WITH_PAUSE = 10;
const ATTEMPTS_WITHOUT_PAUSE = 1000;

/** How long writes may be paused, in milliseconds: less than a process waits for an answer of the server. */
const PAUSE_MS = '1000';

/**
 * Copies the entries and indexes of a server, as they are at one moment, while processes use it.
 *
 * The server announces the keys that change. All keys are copied once, and those that have changed are copied again, until there is a
 * moment when none has changed since it was copied. On a busy store there is no such moment by itself; then writes wait, mostly a few
 * milliseconds, while the last changes are copied. Commits need nothing for that, neither during a backup nor otherwise.
 *
 * @throws StoreError
 */
async function copyTo(address: RedisAddress, target: CopyTarget): Promise<void> {
	const client = createClient({ ...clientOptions(address, COPY_TIMEOUT_MS), RESP: 3 as const, emitInvalidate: true });
	const broken = new Promise<never>((_, reject) => client.on('error', reject));
	broken.catch(() => {});
	const send: Send = (...command) => withTimeout(COPY_TIMEOUT_MS, client.sendCommand(command));
	let changed = new Set<string>();
	let wasFlushed = false;
	client.on('invalidate', (key: string | Buffer | null) => {
		if (key === null) wasFlushed = true;
		else changed.add(key.toString());
	});
	/**
	 * Copies the keys that have changed. Returns whether none has changed since: then there is a moment, after the last of them was read,
	 * at which the server had what was copied. It announces the changes of one turn of its event loop at the end of that turn, and so
	 * before it answers a command that it has read later.
	 */
	const copyChanged = async (): Promise<boolean> => {
		const keys = [...changed];
		changed = new Set();
		await copyKeys(send, keys, target);
		await send('PING');
		if (wasFlushed) throw new StoreError('The store was emptied during the backup.');
		return changed.size === 0;
	};
	try {
		await withTimeout(COPY_TIMEOUT_MS, Promise.race([client.connect(), broken]));
		// The client has turned on another mode, in which a server announces only what this connection has read.
		// https://redis.io/docs/latest/develop/reference/client-side-caching/#broadcasting-mode
		await send('CLIENT', 'TRACKING', 'OFF');
		await send('CLIENT', 'TRACKING', 'ON', 'BCAST');
		let cursor = '0';
		do {
			// A key that is added meanwhile may be missing, but is then among the changed ones.
			const [next, keys] = (await send('SCAN', cursor, 'COUNT', String(KEYS_PER_PAGE))) as [string, string[]];
			await copyKeys(send, keys, target);
			cursor = next;
		} while (cursor !== '0');
		await untilUnchanged(send, copyChanged);
	} catch (error) {
		throw toStoreError(error);
	} finally {
		if (client.isOpen) client.destroy();
	}
}

/** Sends a command. Throws the client's errors. */
type Send = (...command: string[]) => Promise<unknown>;

/** Copies what has changed until nothing has changed since. */
async function untilUnchanged(send: Send, copyChanged: () => Promise<boolean>): Promise<void> {
	for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) if (await copyChanged()) return;
	for (let attempt = 0; attempt < ATTEMPTS_WITH_PAUSE; attempt += 1) {
		// The pause ends by itself after that time.
		const isPaused = await send('CLIENT', 'PAUSE', PAUSE_MS, 'WRITE').catch((error: unknown) => {
			if (!isForbidden(error)) throw error;
		});
		if (!isPaused) return untilUnchangedWithoutPause(copyChanged);
		try {
			// The first copies what had changed before the pause.
			if ((await copyChanged()) || (await copyChanged())) return;
		} finally {
			await send('CLIENT', 'UNPAUSE').catch(() => {});
		}
	}
	throw new StoreError('The store changes faster than it can be copied. Try again when there is less to do.');
}

async function untilUnchangedWithoutPause(copyChanged: () => Promise<boolean>): Promise<void> {
	for (let attempt = 0; attempt < ATTEMPTS_WITHOUT_PAUSE; attempt += 1) if (await copyChanged()) return;
	throw new StoreError(
		'The store changes all the time, and its user may not run CLIENT PAUSE. Allow that command, or stop Easel for the backup.',
	);
}

async function copyKeys(send: Send, keys: readonly string[], target: CopyTarget): Promise<void> {
	for (let start = 0; start < keys.length; start += AT_ONCE)
		await Promise.all(keys.slice(start, start + AT_ONCE).map((key) => copyKey(send, key, target)));
}

/** Copies an entry or an index of a space; nothing else that is on the server. */
async function copyKey(send: Send, key: string, target: CopyTarget): Promise<void> {
	const [, space, isIndex, name = ''] = /^\{([a-z-]+)\}(?:::\{\1\}:|(-index)::)(.*)$/s.exec(key) ?? [];
	if (space === undefined) return;
	if (isIndex === undefined) {
		const entry = ((await send('GET', key)) as string | null) ?? undefined;
		const expires = entry && /,"expires":(\d+)\}$/.exec(entry)?.[1];
		target.set(`${space}:${name}`, entry, expires ? Number(expires) : null);
		return;
	}
	const left = Number(await send('PTTL', key));
	// Page by page. When the index changes meanwhile, it is among the changed keys.
	const members: string[] = [];
	for (let after = '-', isLast = false; !isLast; after = `(${members.at(-1)}`) {
		const limit = ['LIMIT', '0', String(MEMBERS_PER_PAGE)];
		const page = (await send('ZRANGE', key, after, '+', 'BYLEX', ...limit)) as string[];
		for (const member of page) members.push(member);
		isLast = page.length < MEMBERS_PER_PAGE;
	}
	target.clearIndex(`${space}:${name}`);
	for (const member of members) target.addMember(`${space}:${name}`, member, left < 0 ? null : Date.now() + left);
}
