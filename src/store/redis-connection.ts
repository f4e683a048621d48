import { createClient } from '@keyv/redis';
import type { RedisAddress } from './addresses.ts';
import { StoreError } from './store.ts';

/** Returns the options of a client that never reconnects and never holds commands back. */
export function clientOptions({ socket: { host, port, tls }, ...rest }: RedisAddress, timeoutMs: number) {
	// Shorter than our own timeout, so that the client gives up first and cleans up.
	const socket = { host, port, reconnectStrategy: false as const, connectTimeout: timeoutMs * 0.8 };
	const options = { ...rest, disableOfflineQueue: true, maintNotifications: 'disabled' as const };
	return { ...options, socket: tls ? { ...socket, tls } : socket };
}

type Client = ReturnType<typeof createClient>;

/**
 * Returns the code of a server's error reply, such as `OOM`.
 * https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
 */
export function replyCode(error: unknown): string | undefined {
	return error instanceof Error && !('code' in error) ? /^[A-Z]+(?= )/.exec(error.message)?.[0] : undefined;
}

/** Tells whether the server does not let this user run a command, or does not have it. */
export const isForbidden = (error: unknown): boolean => ['NOPERM', 'ERR'].includes(replyCode(error) ?? '');

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

/**
 * Translates an error of the client. Messages of the server are not repeated: they may quote a command, and so the
 * password.
 */
export function toStoreError(error: unknown): StoreError {
	if (error instanceof StoreError) return error;
	const { code, message = '' } = error as Partial<NodeJS.ErrnoException>;
	if (error instanceof TimeoutError || message === 'Connection timeout')
		return new StoreError('The store does not answer in time.');
	const reply = replyCode(error);
	if (reply === 'EASEL') return new StoreError(message.slice('EASEL '.length));
	if (reply !== undefined) return new StoreError(MESSAGES[reply] ?? `The store returned an error (${reply}).`);
	if (code !== undefined) return new StoreError(`The store cannot be reached (${code}).`);
	if (message.startsWith('Unknown RESP type'))
		return new StoreError('The address of the store does not lead to a Redis server.');
	return new StoreError('The connection to the store was lost.');
}

/** Thrown when work takes longer than its timeout. The work itself is not stopped. */
class TimeoutError extends Error {}

/** @throws TimeoutError */
export function withTimeout<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
	return new Promise((resolve, reject) => {
		// An answer that came while this process was busy is read before the immediate runs.
		const timer = setTimeout(() => setImmediate(() => reject(new TimeoutError())), timeoutMs);
		// This runs for every command. Promise.race would create several promises for it.
		work.then(
			(result) => {
				clearTimeout(timer);
				resolve(result);
			},
			(error: unknown) => {
				clearTimeout(timer);
				reject(error);
			},
		);
	});
}

/** How long a server may take to accept a connection. */
const CONNECT_TIMEOUT_MS = 5000;

/**
 * How long a command may take. People wait for the first answer to a request, which platforms expect within 3 s, and a server that does
 * not answer makes one call of a request wait this long: after it, further calls fail at once.
 */
const ANSWER_TIMEOUT_MS = 1500;

/** How long a call waits for a new connection to a server that was down. Connecting continues after that. */
const RECONNECT_WAIT_MS = 200;

/** After a failed attempt no other is made for this long, doubled each time up to the maximum. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2000;

/** @throws StoreError when the server cannot be used, and the client's errors */
async function connect(address: RedisAddress, timeoutMs: number): Promise<Client> {
	const client: Client = createClient(clientOptions(address, timeoutMs));
	const broken = new Promise<never>((_, reject) => client.on('error', reject));
	const check = async () => {
		await client.connect();
		const { mode, role } = await client.hello();
		if (mode === 'cluster')
			throw new StoreError(
				'The store is a Redis Cluster, which is not supported. Set its address to a single primary server.',
			);
		const settings = await readSettings(client);
		const policy = settings && hasLimit(settings) && evictingPolicy(settings);
		if (policy)
			throw new StoreError(
				`The store would evict entries when it is full (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`,
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

/**
 * A connection that the next call replaces after it broke. One call finds out that the server is down or does not answer; until it is
 * connected again, further calls fail at once or nearly so. The server is used again as soon as it is up.
 */
export class RedisConnection {
	readonly address: RedisAddress;
	readonly #connectMs: number;
	readonly #answerMs: number;
	readonly #running = new Set<Promise<unknown>>();
	#client: Client | undefined;
	#connecting: Promise<Client> | undefined;
	/** Why the server cannot be used, and when the next attempt to connect may be made (`performance.now()`). */
	#failure: { error: StoreError; pauseMs: number; until: number } | undefined;
	#isClosing = false;

	constructor(address: RedisAddress, timeoutMs?: number) {
		this.address = address;
		this.#connectMs = timeoutMs ?? CONNECT_TIMEOUT_MS;
		this.#answerMs = timeoutMs ?? ANSWER_TIMEOUT_MS;
	}

	/** Connects, and waits for it as long as connecting may take. */
	async open(): Promise<void> {
		await this.#connect();
	}

	/** Sends one command. */
	send<Answer>(command: string[]): Promise<Answer> {
		return this.run((client) => client.sendCommand(command) as Promise<Answer>);
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
		void this.#connecting?.then((client) => client.destroy()).catch(() => {});
	}

	async #attempt<Result>(work: (client: Client) => Promise<Result>, answerMs: number): Promise<Result> {
		const client = this.#client?.isReady ? this.#client : await this.#openClient();
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
		if (this.#failure && performance.now() < this.#failure.until) throw this.#failure.error;
		try {
			return await withTimeout(this.#failure ? RECONNECT_WAIT_MS : this.#answerMs, this.#connect());
		} catch (error) {
			throw toStoreError(error);
		}
	}

	/** Connects, once for all callers. Rejects with `StoreError`. */
	#connect(): Promise<Client> {
		if (this.#connecting) return this.#connecting;
		if (this.#client?.isOpen) this.#client.destroy();
		this.#client = undefined;
		this.#connecting = connect(this.address, this.#connectMs)
			.then(
				(client) => {
					this.#failure = undefined;
					this.#client = client;
					return client;
				},
				(error: unknown) => {
					throw this.#pause(error);
				},
			)
			.finally(() => {
				this.#connecting = undefined;
			});
		// It may fail after every call has given up.
		this.#connecting.catch(() => {});
		return this.#connecting;
	}

	/** Makes no attempt to connect for a while. Returns the error for the callers. */
	#pause(error: unknown): StoreError {
		const pauseMs = Math.min((this.#failure?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2, MAX_PAUSE_MS);
		this.#failure = { error: toStoreError(error), pauseMs, until: performance.now() + pauseMs };
		return this.#failure.error;
	}
}

/** Settings of a server, by the names that INFO has for them, and `appendfsync`. */
type Settings = ReadonlyMap<string, string>;

/**
 * Reads the settings of a server that decide whether entries last. Managed services forbid CONFIG, and users without the category
 * `@dangerous` also INFO. https://redis.io/docs/latest/commands/info/
 */
async function readSettings(client: Client): Promise<Settings | undefined> {
	const sendIfAllowed = (command: string[]): Promise<unknown> =>
		client.sendCommand(command).catch((error: unknown) => {
			if (!isForbidden(error)) throw error;
		});
	const info = await sendIfAllowed(['INFO']);
	if (info === undefined) return undefined;
	const config = await sendIfAllowed(['CONFIG', 'GET', 'appendfsync']);
	const settings = new Map(
		Array.from(String(info).matchAll(/^(\w+):(\S+)/gm), ([, name = '', value = '']) => [name, value]),
	);
	if (Array.isArray(config)) settings.set('appendfsync', String(config[1]));
	return settings;
}

/**
 * Returns the policy of a server that evicts counters and jobs, when it is full, instead of rejecting writes. All but `noeviction` do.
 * https://redis.io/docs/latest/develop/reference/eviction/
 */
function evictingPolicy(settings: Settings): string | undefined {
	const policy = settings.get('maxmemory_policy') ?? 'noeviction';
	return policy === 'noeviction' ? undefined : policy;
}

const hasLimit = (settings: Settings): boolean => Number(settings.get('maxmemory') ?? 0) > 0;

/** Returns what should be changed about the server's settings, a sentence each. */
export async function readWarnings(client: Client): Promise<string[]> {
	const settings = await readSettings(client);
	if (!settings) return ['The user of the store may not run INFO, so the settings of the server could not be checked.'];
	const warnings = [];
	if (settings.get('aof_enabled') === '0')
		warnings.push(
			'The store keeps no append-only file: a restart loses what was counted since its last snapshot. Set appendonly to yes.',
		);
	else if (settings.get('appendfsync') === 'no')
		warnings.push(
			'The store does not wait for its disk: a power failure loses up to half a minute. Set appendfsync to everysec or always.',
		);
	const policy = evictingPolicy(settings);
	if (policy)
		warnings.push(
			`The store would evict entries ${hasLimit(settings) ? 'when it is full' : 'if its memory were limited'} (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`,
		);
	// The second field is there only when `min-replicas-to-write` is at least 1.
	if (Number(settings.get('connected_slaves') ?? 0) > 0 && !settings.has('min_slaves_good_slaves'))
		warnings.push(
			'The store answers before a replica has a write, and the promotion of a replica loses it. Set min-replicas-to-write to 1.',
		);
	return warnings;
}
