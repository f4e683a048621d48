import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient } from '@keyv/redis';
import type { Backend, CopyTarget, StoredChange } from './backend.ts';
import type { FileStore } from './files.ts';
import {
	clientOptions,
	isForbidden,
	parseRedisAddress,
	type RedisAddress,
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
		copyTo: (target) => copyRedis(connection.address, target),
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
	const keys = [
		...[...add, ...put].map(({ key }) => toServerKey(key)),
		...remove.map(toServerKey),
		...[...index, ...unindex].map((each) => toServerIndex(each.index)),
	];
	const onceAt = put.findIndex(({ key }) => key === once) + 1;
	const args = [
		...[keys.length, ...keys, onceAt, add.length, put.length, remove.length, index.length, unindex.length],
		...add.flatMap(({ by, atMost = '', expires = '' }) => [by, atMost, expires]),
		...put.flatMap(({ entry, expires = '' }) => [entry, expires]),
		...index.flatMap(({ member, expires = '' }) => [member, expires]),
		...unindex.map(({ member }) => member),
	].map(String);
	const answer: unknown = await connection.run(async (client) => {
		try {
			return await client.sendCommand(['EVALSHA', SCRIPT_SHA1, ...args]);
		} catch (error) {
			// A server that was restarted, or whose scripts were flushed, needs the script itself once.
			if (replyCode(error) !== 'NOSCRIPT') throw error;
			return client.sendCommand(['EVAL', SCRIPT, ...args]);
		}
	});
	if (answer === 0) return 'done';
	return answer === -1 ? 'duplicate' : { refused: add[Number(answer) - 1]?.key ?? '' };
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

/** How long one command may take. Nobody waits for it, and a long index takes time. */
const COPY_TIMEOUT_MS = 10_000;

const MEMBERS_PER_PAGE = 10_000;

/** How many values are requested at once. */
const AT_ONCE = 64;

/** Attempts without a pause of the writes, of which one succeeds in a quiet moment; then with one, or where that is not allowed. */
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
async function copyRedis(address: RedisAddress, target: CopyTarget): Promise<void> {
	const options = { ...clientOptions(address, COPY_TIMEOUT_MS), RESP: 3 as const, emitInvalidate: true };
	const client = createClient(options);
	const broken = new Promise<never>((_, reject) => client.on('error', reject));
	broken.catch(() => {});
	const send = (...command: string[]): Promise<unknown> => withTimeout(COPY_TIMEOUT_MS, client.sendCommand(command));
	try {
		await withTimeout(COPY_TIMEOUT_MS, Promise.race([client.connect(), broken]));
		const copy = new RedisCopy(send, target);
		client.on('invalidate', (key: string | Buffer | null) => copy.changed(key?.toString()));
		await copy.run();
	} catch (error) {
		throw toStoreError(error);
	} finally {
		if (client.isOpen) client.destroy();
	}
}

/** Methods throw the client's errors. */
class RedisCopy {
	readonly #send: (...command: string[]) => Promise<unknown>;
	readonly #target: CopyTarget;
	#changed = new Set<string>();
	#wasFlushed = false;

	constructor(send: (...command: string[]) => Promise<unknown>, target: CopyTarget) {
		this.#send = send;
		this.#target = target;
	}

	/** @param key undefined when the whole database was flushed */
	changed(key: string | undefined): void {
		if (key === undefined) this.#wasFlushed = true;
		else this.#changed.add(key);
	}

	async run(): Promise<void> {
		// The client has turned on another mode, in which a server announces only what this connection has read.
		// https://redis.io/docs/latest/develop/reference/client-side-caching/#broadcasting-mode
		await this.#send('CLIENT', 'TRACKING', 'OFF');
		await this.#send('CLIENT', 'TRACKING', 'ON', 'BCAST');
		let cursor = '0';
		do {
			// A key that is added meanwhile may be missing, but is then among the changed ones.
			const [next, keys] = (await this.#send('SCAN', cursor, 'COUNT', String(KEYS_PER_PAGE))) as [string, string[]];
			await this.#copy(keys);
			cursor = next;
		} while (cursor !== '0');
		let mayPause = true;
		for (let attempt = 0; attempt < (mayPause ? ATTEMPTS_WITH_PAUSE : ATTEMPTS_WITHOUT_PAUSE); attempt += 1) {
			const isPaused: boolean = mayPause && attempt >= ATTEMPTS && (await this.#pauseWrites());
			if (attempt >= ATTEMPTS) mayPause = isPaused;
			try {
				// In a pause, the first round copies what had changed before it.
				if ((await this.#copyChanged()) || (isPaused && (await this.#copyChanged()))) return;
			} finally {
				if (isPaused) await this.#send('CLIENT', 'UNPAUSE').catch(() => {});
			}
		}
		throw new StoreError(
			mayPause
				? 'The store changes faster than it can be copied. Try again when there is less to do.'
				: 'The store changes all the time, and its user may not run CLIENT PAUSE. Allow that command, or stop Easel for the backup.',
		);
	}

	/**
	 * Copies the keys that have changed. Returns whether none has changed since: then there is a moment, after the last of them was read,
	 * at which the server had what was copied. It announces the changes of one turn of its event loop at the end of that turn, and so
	 * before it answers a command that it has read later.
	 */
	async #copyChanged(): Promise<boolean> {
		const changed = [...this.#changed];
		this.#changed.clear();
		await this.#copy(changed);
		await this.#send('PING');
		if (this.#wasFlushed) throw new StoreError('The store was emptied during the backup.');
		return this.#changed.size === 0;
	}

	/** Lets all writes wait; they go on by themselves after that time. Returns false when the user of the store may not do that. */
	async #pauseWrites(): Promise<boolean> {
		try {
			await this.#send('CLIENT', 'PAUSE', PAUSE_MS, 'WRITE');
			return true;
		} catch (error) {
			if (isForbidden(error)) return false;
			throw error;
		}
	}

	async #copy(keys: readonly string[]): Promise<void> {
		for (let start = 0; start < keys.length; start += AT_ONCE)
			await Promise.all(keys.slice(start, start + AT_ONCE).map((key) => this.#copyKey(key)));
	}

	/** Copies an entry or an index of a space; nothing else that is on the server. */
	async #copyKey(key: string): Promise<void> {
		const [, space, entry] = /^\{([a-z-]+)\}::\{\1\}:(.*)$/s.exec(key) ?? [];
		if (space !== undefined) {
			const value = ((await this.#send('GET', key)) as string | null) ?? undefined;
			const expires = value && /,"expires":(\d+)\}$/.exec(value)?.[1];
			this.#target.set(`${space}:${entry}`, value, expires ? Number(expires) : null);
			return;
		}
		const [, ofSpace, index] = /^\{([a-z-]+)\}-index::(.*)$/s.exec(key) ?? [];
		if (ofSpace === undefined) return;
		const left = Number(await this.#send('PTTL', key));
		const members = await this.#membersOf(key);
		this.#target.clearIndex(`${ofSpace}:${index}`);
		for (const member of members)
			this.#target.addMember(`${ofSpace}:${index}`, member, left < 0 ? null : Date.now() + left);
	}

	/** Reads an index page by page. When it changes meanwhile, it is among the changed keys. */
	async #membersOf(key: string): Promise<string[]> {
		const members: string[] = [];
		for (let after = '-'; ; after = `(${members.at(-1)}`) {
			const limit = ['LIMIT', '0', String(MEMBERS_PER_PAGE)];
			const page = (await this.#send('ZRANGE', key, after, '+', 'BYLEX', ...limit)) as string[];
			for (const member of page) members.push(member);
			if (page.length < MEMBERS_PER_PAGE) return members;
		}
	}
}
