import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient } from '@keyv/redis';
import type { Backend, StoredChange } from './backend.ts';
import type { FilesDriver } from './files.ts';
import {
	clientOptions,
	MESSAGES,
	parseRedisAddress,
	type RedisAddress,
	replyCode,
	TimeoutError,
	toStoreError,
	withTimeout,
} from './redis-client.ts';
import { copyRedis } from './redis-copy.ts';
import { type CommitResult, type IndexPage, StoreError } from './store.ts';

/** How long a server may take to accept a connection. */
const CONNECT_TIMEOUT_MS = 5000;

/**
 * How long a command may take. People wait for the first answer to a request, which platforms expect within 3 s, and a server that does
 * not answer makes one call of a request wait this long: after it, further calls fail at once.
 */
const ANSWER_TIMEOUT_MS = 1500;

/** How long a file may take: a picture of several megabytes takes longer than an entry. */
const FILE_TIMEOUT_MS = 5000;

/** How long a call waits for a new connection to a server that was down. Connecting continues after that. */
const RECONNECT_WAIT_MS = 200;

/** After a failed attempt no other is made for this long, doubled each time up to the maximum. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2000;

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
		files: (space) => new RedisFiles(connection, space),
		copyTo: (target) => copyRedis(connection.address, target),
		ping: async () => void (await connection.send(['PING'])),
		warnings: () => connection.run(async (client) => warningsOf(await readSettings(client))),
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

/** Keeps each file as a key of its own. */
class RedisFiles implements FilesDriver {
	readonly #connection: RedisConnection;
	readonly #prefix: string;

	constructor(connection: RedisConnection, space: string) {
		this.#connection = connection;
		this.#prefix = `${space}-files::`;
	}

	async put(name: string, bytes: Uint8Array, expires?: number): Promise<void> {
		const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		const expiry = expires === undefined ? [] : ['PXAT', String(expires)];
		const command = ['SET', this.#prefix + name, value, ...expiry];
		await this.#connection.run((client) => client.sendCommand(command), FILE_TIMEOUT_MS);
	}

	async get(name: string): Promise<Uint8Array | undefined> {
		const command = ['GET', this.#prefix + name];
		const bytes: unknown = await this.#connection.run(
			(client) => client.sendCommand(command, AS_BYTES),
			FILE_TIMEOUT_MS,
		);
		return (bytes as Buffer | null) ?? undefined;
	}

	async expiryOf(name: string): Promise<number | undefined> {
		const left = await this.#connection.send<number>(['PTTL', this.#prefix + name]);
		return left < 0 ? undefined : Date.now() + left;
	}

	async delete(name: string): Promise<boolean> {
		return (await this.#connection.send(['UNLINK', this.#prefix + name])) === 1;
	}

	async names(): Promise<string[]> {
		const names: string[] = [];
		for await (const keys of scan(this.#connection, this.#prefix))
			for (const key of keys) names.push(key.slice(this.#prefix.length));
		return names;
	}
}

type Client = ReturnType<typeof newClient>;

const newClient = (address: RedisAddress, timeoutMs: number) => createClient(clientOptions(address, timeoutMs));

/** @throws StoreError when the server cannot be used, and the client's errors */
async function connect(address: RedisAddress, timeoutMs: number): Promise<Client> {
	const client = newClient(address, timeoutMs);
	const broken = new Promise<never>((_, reject) => client.on('error', reject));
	const check = async () => {
		await client.connect();
		const { mode, role } = await client.hello();
		if (mode === 'cluster')
			throw new StoreError(
				'The store is a Redis Cluster, which is not supported. Set its address to a single primary server.',
			);
		const settings = await readSettings(client);
		if (settings && evicts(settings) && settings.maxMemory > 0)
			throw new StoreError(
				`The store would evict entries when it is full (maxmemory-policy ${settings.policy}). Set maxmemory-policy to noeviction.`,
			);
		if (role !== 'master') throw new StoreError(MESSAGES['READONLY']);
		return client;
	};
	try {
		return await withTimeout(timeoutMs, Promise.race([check(), broken]));
	} catch (error) {
		if (client.isOpen) client.destroy();
		throw error;
	}
}

/** Why the server cannot be used, and when the next attempt to connect may be made (`performance.now()`). */
type Failure = { error: StoreError; pauseMs: number; until: number };

/**
 * A connection that the next call replaces after it broke. One call finds out that the server is down or does not answer; until it is
 * connected again, further calls fail at once or nearly so. The server is used again as soon as it is up.
 */
class RedisConnection {
	readonly address: RedisAddress;
	readonly #connectMs: number;
	readonly #answerMs: number;
	readonly #running = new Set<Promise<unknown>>();
	#client: Client | undefined;
	#connecting: { client: Promise<Client>; since: number } | undefined;
	#failure: Failure | undefined;
	#isClosing = false;

	constructor(address: RedisAddress, timeoutMs?: number) {
		this.address = address;
		this.#connectMs = timeoutMs ?? CONNECT_TIMEOUT_MS;
		this.#answerMs = timeoutMs ?? ANSWER_TIMEOUT_MS;
	}

	/** Connects, and waits for it as long as connecting may take. */
	async open(): Promise<void> {
		await this.#startConnecting().client;
	}

	/** Sends one command. */
	async send<Answer>(command: string[]): Promise<Answer> {
		return (await this.run((client) => client.sendCommand(command))) as Answer;
	}

	/**
	 * Runs work on an open client. Rejects with `StoreError`, always within a bounded time.
	 *
	 * @param answerMs how long the work may take; longer for what carries many bytes
	 */
	async run<Result>(work: (client: Client) => Promise<Result>, answerMs = 0): Promise<Result> {
		if (this.#isClosing) throw new StoreError('The store is closed.');
		const task = this.#attempt(work, Math.max(answerMs, this.#answerMs));
		this.#running.add(task);
		try {
			return await task;
		} finally {
			this.#running.delete(task);
		}
	}

	/** Waits for running work, then disconnects. */
	async close(): Promise<void> {
		this.#isClosing = true;
		await Promise.allSettled(this.#running);
		if (this.#client?.isOpen) this.#client.destroy();
		// One that is still being connected.
		void this.#connecting?.client.then((client) => client.destroy()).catch(() => {});
	}

	async #attempt<Result>(work: (client: Client) => Promise<Result>, answerMs: number): Promise<Result> {
		const client = await this.#openClient();
		try {
			return await withTimeout(answerMs, work(client));
		} catch (error) {
			// An error reply shows that the connection works, unless the server has become a replica.
			const code = replyCode(error);
			if ((code === undefined || code === 'READONLY') && client.isOpen) client.destroy();
			// Until it has answered a new connection, the server counts as down.
			if (error instanceof TimeoutError && client === this.#client) this.#pause(error);
			throw toStoreError(error);
		}
	}

	async #openClient(): Promise<Client> {
		if (this.#client?.isReady) return this.#client;
		if (this.#failure && performance.now() < this.#failure.until) throw this.#failure.error;
		const { client, since } = this.#startConnecting();
		const wait = this.#failure ? since + RECONNECT_WAIT_MS - performance.now() : this.#answerMs;
		try {
			return await withTimeout(Math.max(0, wait), client);
		} catch (error) {
			throw toStoreError(error);
		}
	}

	#startConnecting() {
		if (this.#connecting) return this.#connecting;
		const client = this.#connect().finally(() => {
			this.#connecting = undefined;
		});
		// It may fail after every call has given up.
		client.catch(() => {});
		this.#connecting = { client, since: performance.now() };
		return this.#connecting;
	}

	async #connect(): Promise<Client> {
		if (this.#client?.isOpen) this.#client.destroy();
		this.#client = undefined;
		try {
			this.#client = await connect(this.address, this.#connectMs);
		} catch (error) {
			throw this.#pause(error);
		}
		this.#failure = undefined;
		return this.#client;
	}

	/** Makes no attempt to connect for a while. Returns the error for the callers. */
	#pause(error: unknown): StoreError {
		const pauseMs = Math.min((this.#failure?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2, MAX_PAUSE_MS);
		this.#failure = { error: toStoreError(error), pauseMs, until: performance.now() + pauseMs };
		return this.#failure.error;
	}
}

/** The settings of a server that decide whether entries last. */
type Settings = {
	appendOnly: boolean;
	/** `always`, `everysec` or `no`; undefined where the user may not read it. */
	appendFsync: string | undefined;
	/** In bytes; 0 for no limit. */
	maxMemory: number;
	policy: string;
	replicas: number;
	/** Whether writes are accepted only while replicas follow: `min-replicas-to-write` is at least 1. */
	requiresReplicas: boolean;
};

/**
 * Tells whether a full server evicts counters and jobs instead of rejecting writes. All policies but `noeviction` do.
 * https://redis.io/docs/latest/develop/reference/eviction/
 */
const evicts = ({ policy }: Settings) => policy !== 'noeviction';

/** Reads the settings of a server. Managed services forbid CONFIG, and users without the category `@dangerous` also INFO. */
async function readSettings(client: Client): Promise<Settings | undefined> {
	const sendIfAllowed = (command: string[]): Promise<unknown> =>
		client.sendCommand(command).catch((error: unknown) => {
			if (!['NOPERM', 'ERR'].includes(replyCode(error) ?? '')) throw error;
		});
	const info = await sendIfAllowed(['INFO']);
	if (info === undefined) return undefined;
	const config = await sendIfAllowed(['CONFIG', 'GET', 'appendfsync']);
	const fields = new Map(Array.from(String(info).matchAll(/^(\w+):(\S+)/gm), ([, name, value]) => [name, value]));
	return {
		appendOnly: fields.get('aof_enabled') !== '0',
		appendFsync: Array.isArray(config) ? String(config[1]) : undefined,
		maxMemory: Number(fields.get('maxmemory') ?? 0),
		policy: fields.get('maxmemory_policy') ?? 'noeviction',
		replicas: Number(fields.get('connected_slaves') ?? 0),
		// The field is there only with that setting. https://redis.io/docs/latest/commands/info/
		requiresReplicas: fields.has('min_slaves_good_slaves'),
	};
}

function warningsOf(settings: Settings | undefined): string[] {
	if (!settings) return ['The user of the store may not run INFO, so the settings of the server could not be checked.'];
	const { appendOnly, appendFsync, maxMemory, policy, replicas, requiresReplicas } = settings;
	const warnings = [];
	if (!appendOnly)
		warnings.push(
			'The store keeps no append-only file: a restart loses what was counted since its last snapshot. Set appendonly to yes.',
		);
	if (appendOnly && appendFsync === 'no')
		warnings.push(
			'The store does not wait for its disk: a power failure loses up to half a minute. Set appendfsync to everysec or always.',
		);
	if (evicts(settings))
		warnings.push(
			`The store would evict entries ${maxMemory > 0 ? 'when it is full' : 'if its memory were limited'} (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`,
		);
	if (replicas > 0 && !requiresReplicas)
		warnings.push(
			'The store answers before a replica has a write, and the promotion of a replica loses it. Set min-replicas-to-write to 1.',
		);
	return warnings;
}
