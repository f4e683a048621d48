import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createClient } from '@keyv/redis';
import type { Backend, CopyTarget, StoredChange } from './backend.ts';
import type { FileStore } from './files.ts';
import { type CommitResult, type IndexPage, StoreError } from './store.ts';

/** How long a file may take: a picture of several megabytes takes longer than an entry. */
const FILE_TIMEOUT_MS = 5000;

/** How many keys, or members of an index, are read at once. */
const PER_PAGE = '1000';

/** Few at a time, because an entry may be long. */
const ENTRIES_PER_REQUEST = 8;

const SCRIPT = readFileSync(new URL('./redis.lua', import.meta.url), 'utf8');
const SCRIPT_SHA1 = createHash('sha1').update(SCRIPT).digest('hex');

/** Returns bulk strings, whose type is `$`, as bytes. https://redis.io/docs/latest/develop/reference/protocol-spec/#bulk-strings */
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
	const connection = new Connection(url, timeoutMs);
	await connection.open();
	const { send } = connection;
	const getMany = async (keys: readonly string[]): Promise<(string | null)[]> =>
		keys.length === 0 ? [] : send('MGET', ...keys);
	return {
		get: async (keys) => (await getMany(keys.map(toServerKey))).map((entry) => entry ?? undefined),
		commit: (change) => commit(connection, change),
		delete: async (keys) => keys.length > 0 && (await send<number>('UNLINK', ...keys.map(toServerKey))) > 0,
		async clear(prefix) {
			for (const start of [toServerKey(prefix), toServerIndex(prefix)])
				for await (const keys of scan(send, start)) if (keys.length > 0) await send('UNLINK', ...keys);
		},
		async *list(prefix) {
			for await (const page of scan(send, toServerKey(prefix)))
				for (let start = 0; start < page.length; start += ENTRIES_PER_REQUEST) {
					const keys = page.slice(start, start + ENTRIES_PER_REQUEST);
					const entries = await getMany(keys);
					for (const [at, entry] of entries.entries()) if (entry !== null) yield [fromServerKey(keys[at] ?? ''), entry];
				}
		},
		members: (index, page) => send('ZRANGE', toServerIndex(index), ...rangeOf(page)),
		files: filesOn(connection),
		copyTo: (target) => copyTo(url, target),
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

async function commit(connection: Connection, change: StoredChange): Promise<CommitResult> {
	const { once, add, put, remove, index, unindex } = change;
	const entries = [...add, ...put].map(({ key }) => toServerKey(key));
	const indexes = [...index, ...unindex].map((each) => toServerIndex(each.index));
	const keys = [...entries, ...remove.map(toServerKey), ...indexes];
	const args = [
		...[put.findIndex(({ key }) => key === once) + 1, add.length, put.length, remove.length, index.length],
		...add.flatMap(({ field, by, atMost, expires }) => [field === undefined ? '' : `"${field}":`, by, atMost, expires]),
		...put.flatMap(({ entry, expires }) => [entry, expires]),
		...index.flatMap(({ member, expires, from }) => [member, expires, from]),
		...unindex.map(({ member }) => member),
	];
	const rest = [String(keys.length), ...keys, ...args.map((each = '') => String(each))];
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

/** Returns the server's key for an entry: `{usage}::{usage}:job:1` for `usage:job:1`. keyv's Redis adapter repeats the namespace. */
function toServerKey(key: string): string {
	const colon = key.indexOf(':');
	const namespace = `{${key.slice(0, colon)}}`;
	return `${namespace}::${namespace}${key.slice(colon)}`;
}

const fromServerKey = (key: string): string => key.slice(key.indexOf('::{') + 3).replace('}', '');

/** Returns the server's key for an index: `{usage}-index::open` for `usage:open`. No key of an entry begins like it. */
const toServerIndex = (index: string): string => `{${index.replace(':', '}-index::')}`;

/** Yields pages of the server's keys that start with `start`, each key once. */
async function* scan(send: Send, start: string): AsyncGenerator<string[]> {
	const pattern = `${start.replace(/[*?[\]\\]/g, '\\$&')}*`;
	// The server may return a key several times. https://redis.io/docs/latest/commands/scan/#scan-guarantees
	const seen = new Set<string>();
	let cursor = '0';
	do {
		const options = ['MATCH', pattern, 'COUNT', PER_PAGE];
		const [next, keys] = await send<[string, string[]]>('SCAN', cursor, ...options);
		yield keys.filter((key) => !seen.has(key) && seen.add(key));
		cursor = next;
	} while (cursor !== '0');
}

/** Keeps each file as a key of its own, `pictures-files::kept:1`. */
function filesOn(connection: Connection): FileStore {
	const { send } = connection;
	const toKey = (space: string, name: string) => `${space}-files::${name}`;
	return {
		async put(space, name, bytes, expires) {
			const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
			const expiry = expires === undefined ? [] : ['PXAT', String(expires)];
			await connection.run(
				(client) => client.sendCommand(['SET', toKey(space, name), value, ...expiry]),
				FILE_TIMEOUT_MS,
			);
		},
		async get(space, name) {
			const key = toKey(space, name);
			const read = (client: Client) =>
				Promise.all([client.sendCommand(['GET', key], AS_BYTES), client.sendCommand(['PTTL', key])]);
			const [bytes, left] = (await connection.run(read, FILE_TIMEOUT_MS)) as unknown as [Buffer | null, number];
			return bytes ? { bytes, expires: left < 0 ? undefined : Date.now() + left } : undefined;
		},
		delete: async (space, name) => (await send('UNLINK', toKey(space, name))) === 1,
		async names(space) {
			const prefix = toKey(space, '');
			return (await Array.fromAsync(scan(send, prefix))).flat().map((key) => key.slice(prefix.length));
		},
		/** A server that takes entries takes files, too. */
		async check() {},
		async close() {},
	};
}

/** How long one command of a copy may take. Nobody waits for it, and a long index takes time. */
const COPY_TIMEOUT_MS = 10_000;

/** How many values are requested at once. */
const AT_ONCE = 64;

/** Attempts to find a moment without changes. In some of them writes are paused, where that is allowed. */
const ATTEMPTS = 1000;
const [FIRST_PAUSED, LAST_PAUSED] = [5, 20];

/** How long writes may be paused, in milliseconds: less than a process waits for an answer of the server. */
const PAUSE_MS = '1000';

const TOO_FAST =
	'The store changes faster than it can be copied. Allow its user CLIENT PAUSE, or stop Easel for the backup.';

/**
 * Copies the entries and indexes of a server, as they are at one moment, while processes use it.
 *
 * The server announces the keys that change. All keys are copied once, and those that have changed are copied again, until there is a
 * moment when none has changed since it was copied. On a busy store there is no such moment by itself; then writes wait, mostly a few
 * milliseconds, while the last changes are copied. Commits need nothing for that, neither during a backup nor otherwise.
 *
 * @throws StoreError
 */
async function copyTo(url: string, target: CopyTarget): Promise<void> {
	const options = clientOptions(url, COPY_TIMEOUT_MS, () => false);
	const client = createClient({ ...options, RESP: 3 as const, emitInvalidate: true });
	const broken = new Promise<never>((_, reject) => client.on('error', reject));
	broken.catch(() => {});
	const send: Send = (...command) => withTimeout(COPY_TIMEOUT_MS, client.sendCommand(command) as Promise<never>);
	let changed = new Set<string>();
	let wasFlushed = false;
	let isPaused = false;
	client.on('invalidate', (key: string | Buffer | null) => {
		if (key === null) wasFlushed = true;
		else changed.add(key.toString());
	});
	try {
		await withTimeout(COPY_TIMEOUT_MS, Promise.race([client.connect(), broken]));
		// The client has turned on another mode, in which a server announces only what this connection has read.
		// https://redis.io/docs/latest/develop/reference/client-side-caching/#broadcasting-mode
		await send('CLIENT', 'TRACKING', 'OFF');
		await send('CLIENT', 'TRACKING', 'ON', 'BCAST');
		// A key that is added meanwhile may be missing, but is then among the changed ones.
		for await (const keys of scan(send, '')) await copyKeys(send, keys, target);
		for (let attempt = 1; ; attempt += 1) {
			const keys = [...changed];
			changed = new Set();
			await copyKeys(send, keys, target);
			// The server announces the changes of one turn of its event loop at the end of that turn, and so before it answers a command that
			// it has read later: when none has come, it had what was copied, after the last key was read.
			await send('PING');
			if (wasFlushed) throw new StoreError('The store was emptied during the backup.');
			if (changed.size === 0) return;
			if (attempt === ATTEMPTS) throw new StoreError(TOO_FAST);
			// The pause ends by itself after that time.
			if (attempt < FIRST_PAUSED || attempt > LAST_PAUSED) continue;
			const paused = await ifAllowed(send('CLIENT', 'PAUSE', PAUSE_MS, 'WRITE'));
			isPaused ||= paused !== undefined;
		}
	} catch (error) {
		throw toStoreError(error);
	} finally {
		if (isPaused) await send('CLIENT', 'UNPAUSE').catch(() => {});
		if (client.isOpen) client.destroy();
	}
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
		const entry = (await send<string | null>('GET', key)) ?? undefined;
		const [, expires] = /,"expires":(\d+)\}$/.exec(entry ?? '') ?? [];
		return target.set(`${space}:${name}`, entry, expires ? Number(expires) : null);
	}
	const left = await send<number>('PTTL', key);
	target.clearIndex(`${space}:${name}`);
	// Page by page. When the index changes meanwhile, it is among the changed keys.
	for (let after = '-', isLast = false; !isLast; ) {
		const limit = ['LIMIT', '0', PER_PAGE];
		const page = await send<string[]>('ZRANGE', key, after, '+', 'BYLEX', ...limit);
		for (const member of page) target.addMember(`${space}:${name}`, member, left < 0 ? null : Date.now() + left);
		after = `(${page.at(-1)}`;
		isLast = page.length < Number(PER_PAGE);
	}
}

/** @param reconnectStrategy returns after how many milliseconds to connect again; false for never */
function clientOptions(url: string, timeoutMs: number, reconnectStrategy: (retries: number) => number | false) {
	const socket = { reconnectStrategy, connectTimeout: timeoutMs, socketTimeout: timeoutMs };
	// No command is held back for a later connection.
	const rest = { disableOfflineQueue: true, maintNotifications: 'disabled' as const };
	return { url, socket, pingInterval: timeoutMs / 2, ...rest };
}

type Client = ReturnType<typeof createClient>;

type Send = <Answer>(...command: string[]) => Promise<Answer>;

/** Returns the code of an error reply, such as `OOM`. https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors */
function replyCode(error: unknown): string | undefined {
	return error instanceof Error && !('code' in error) ? /^[A-Z]+(?= )/.exec(error.message)?.[0] : undefined;
}

/** Returns the answer of a command; undefined when the server does not let this user run it, or does not have it. */
const ifAllowed = (answer: Promise<unknown>): Promise<unknown> =>
	answer.catch((error: unknown) => {
		if (!['NOPERM', 'ERR'].includes(replyCode(error) ?? '')) throw error;
	});

const CLUSTER = 'The store is a Redis Cluster, which is not supported. Set its address to a single primary server.';
const NO_ANSWER = 'The store does not answer in time.';

const MESSAGES: Record<string, string> = {
	WRONGPASS: 'The store rejects the user and password of its address.',
	NOAUTH: 'The store requires a password, and its address contains none.',
	NOPERM: "The store's user lacks a permission that Easel needs.",
	READONLY: 'The store is a read-only replica. Set its address to the primary server.',
	OOM: 'The store is full.',
	MISCONF: 'The store rejects writes because it cannot save to its disk.',
	NOREPLICAS: 'The store accepts no writes, because too few of its replicas follow it.',
	LOADING: 'The store is still starting.',
};

/** Translates an error of the client. Messages of the server are not repeated: they may quote a command, and so the password. */
function toStoreError(error: unknown): StoreError {
	if (error instanceof StoreError) return error;
	const { code, message = '' } = error as Partial<NodeJS.ErrnoException>;
	if (/timeout/i.test(message)) return new StoreError(NO_ANSWER);
	const reply = replyCode(error);
	if (reply === 'EASEL') return new StoreError(message.slice('EASEL '.length));
	if (reply !== undefined) return new StoreError(MESSAGES[reply] ?? `The store returned an error (${reply}).`);
	if (code !== undefined) return new StoreError(`The store cannot be reached (${code}).`);
	if (message.startsWith('Unknown RESP type'))
		return new StoreError('The address of the store does not lead to a Redis server.');
	return new StoreError('The connection to the store was lost.');
}

/** Thrown when work takes longer than its timeout. The work itself is not stopped. */
class TimeoutError extends StoreError {}

function withTimeout<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
	// Every command runs this. A race would create several promises more for it.
	return new Promise((resolve, reject) => {
		// An answer that came while this process was busy is read before the immediate runs.
		const timer = setTimeout(() => setImmediate(reject, new TimeoutError(NO_ANSWER)), timeoutMs);
		work.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}

/** How long a server may take to accept a connection, and a connection without any answer lasts. */
const CONNECT_TIMEOUT_MS = 5000;

/**
 * How long a command may take. People wait for the first answer to a request, which platforms expect within 3 s, and a server that does
 * not answer makes one call of a request wait this long: after it, further calls fail at once.
 */
const ANSWER_TIMEOUT_MS = 1500;

/** How long calls wait for a new connection in place of one without answers: the call that has found that out has waited already. */
const RECONNECT_WAIT_MS = 200;

/** After a failed attempt to connect no other is made for this long, doubled each time up to the maximum. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [50, 2000];

/** @throws StoreError when the server cannot be used */
async function checkServer(client: Client): Promise<void> {
	const { mode, role } = await client.hello();
	if (mode === 'cluster') throw new StoreError(CLUSTER);
	const settings = await readSettings(client);
	const { isLimited, warning } = (settings && evicting(settings)) ?? {};
	if (isLimited) throw new StoreError(warning);
	if (role !== 'master') throw new StoreError(MESSAGES['READONLY']);
}

/**
 * A connection that the client replaces whenever it breaks. One call finds out that the server does not answer; until the client is
 * connected again, further calls fail at once or nearly so. The server is used again as soon as it is up.
 */
class Connection {
	readonly #client: Client;
	readonly #connectMs: number;
	readonly #answerMs: number;
	/** Why the server cannot be used. */
	#failure = new StoreError('The connection to the store was lost.');
	/** Resolves once there is another connection, an attempt has failed, or after a short time. */
	#isBack: Promise<unknown> | undefined;
	#isClosing = false;

	constructor(url: string, timeoutMs?: number) {
		this.#connectMs = timeoutMs ?? CONNECT_TIMEOUT_MS;
		this.#answerMs = timeoutMs ?? ANSWER_TIMEOUT_MS;
		const pauseMs = (retries: number) => !this.#isClosing && Math.min(FIRST_PAUSE_MS * 2 ** retries, MAX_PAUSE_MS);
		this.#client = createClient(clientOptions(url, this.#connectMs, pauseMs));
		this.#client.on('error', (error) => this.#lose(error));
		this.#client.on('ready', () => {
			this.#isBack = undefined;
		});
	}

	/** Connects, and waits for it as long as connecting may take. @throws StoreError */
	async open(): Promise<void> {
		const broken = new Promise<never>((_, reject) => this.#client.once('error', reject));
		const connected = this.#client.connect().then(() => checkServer(this.#client));
		try {
			await withTimeout(this.#connectMs, Promise.race([connected, broken]));
		} catch (error) {
			await this.close();
			throw toStoreError(error);
		}
	}

	readonly send: Send = (...command) => this.run((client) => client.sendCommand(command));

	/** Runs work on an open client, in bounded time. @param answerMs longer for what carries many bytes. @throws StoreError */
	async run<Result>(work: (client: Client) => Promise<Result>, answerMs = 0): Promise<Result> {
		if (this.#isClosing) throw new StoreError('The store is closed.');
		if (this.#isBack) await this.#isBack;
		if (!this.#client.isReady) throw this.#failure;
		try {
			return await withTimeout(Math.max(answerMs, this.#answerMs), work(this.#client));
		} catch (error) {
			// Another reply shows that the connection works, unless the server has become a replica.
			if (error instanceof TimeoutError || replyCode(error) === 'READONLY') this.#reconnect(error);
			throw toStoreError(error);
		}
	}

	/** Waits for running work, then disconnects. */
	async close(): Promise<void> {
		this.#isClosing = true;
		// What is still connecting keeps no process alive.
		this.#client.unref();
		if (this.#client.isReady) await withTimeout(FILE_TIMEOUT_MS, this.#client.close()).catch(() => {});
		if (this.#client.isOpen) this.#client.destroy();
	}

	/** The client keeps a connection that does not answer, and one to a server that has become a replica. */
	#reconnect(error: unknown): void {
		if (!this.#client.isReady || this.#isClosing) return;
		this.#client.destroy();
		this.#lose(error, RECONNECT_WAIT_MS);
		this.#client.connect().catch(() => {});
	}

	#lose(error: unknown, waitMs = this.#answerMs): void {
		// Such as a ping that is not allowed.
		if (this.#client.isReady) return;
		this.#failure = toStoreError(error);
		this.#isBack ??= withTimeout(waitMs, once(this.#client, 'ready')).catch(() => {});
	}
}

/** Settings of a server, by the names that INFO has for them, and `appendfsync`. */
type Settings = ReadonlyMap<string, string>;

/**
 * Reads the settings of a server that decide whether entries last. Managed services forbid CONFIG, and users without the category
 * `@dangerous` also INFO. https://redis.io/docs/latest/commands/info/
 */
async function readSettings(client: Client): Promise<Settings | undefined> {
	const info = await ifAllowed(client.sendCommand(['INFO']));
	if (info === undefined) return undefined;
	const config = await ifAllowed(client.sendCommand(['CONFIG', 'GET', 'appendfsync']));
	const lines = [...String(info).matchAll(/^(\w+):(\S+)/gm)];
	const settings = new Map(lines.map(([, name = '', value = '']) => [name, value]));
	if (Array.isArray(config)) settings.set('appendfsync', String(config[1]));
	return settings;
}

/**
 * Returns what is wrong with a server that evicts counters and jobs, when it is full, instead of rejecting writes. All policies but
 * `noeviction` do. https://redis.io/docs/latest/develop/reference/eviction/
 */
function evicting(settings: Settings): { isLimited: boolean; warning: string } | undefined {
	const policy = settings.get('maxmemory_policy') ?? 'noeviction';
	if (policy === 'noeviction') return undefined;
	const isLimited = Number(settings.get('maxmemory') ?? 0) > 0;
	const when = isLimited ? 'when it is full' : 'if its memory were limited';
	const warning = `The store would evict entries ${when} (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`;
	return { isLimited, warning };
}

/** Returns what should be changed about the server's settings, a sentence each. */
async function readWarnings(client: Client): Promise<string[]> {
	const settings = await readSettings(client);
	if (!settings) return ['The user of the store may not run INFO, so the settings of the server could not be checked.'];
	const isUnlogged = settings.get('aof_enabled') === '0';
	// The second field is there only when `min-replicas-to-write` is at least 1.
	const isAhead = Number(settings.get('connected_slaves') ?? 0) > 0 && !settings.has('min_slaves_good_slaves');
	const warnings = [
		isUnlogged &&
			'The store keeps no append-only file: a restart loses what was counted since its last snapshot. Set appendonly to yes.',
		!isUnlogged &&
			settings.get('appendfsync') === 'no' &&
			'The store does not wait for its disk: a power failure loses up to half a minute. Set appendfsync to everysec or always.',
		evicting(settings)?.warning,
		isAhead &&
			'The store answers before a replica has a write, and the promotion of a replica loses it. Set min-replicas-to-write to 1.',
	];
	return warnings.filter((warning) => typeof warning === 'string');
}
