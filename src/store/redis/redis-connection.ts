import { StoreError } from '../store.ts';
import { parseRedisAddress, type RedisAddress } from './redis-address.ts';
import type { RedisClient } from './redis-client.ts';
import { connectToCluster } from './redis-cluster.ts';
import { replyCode, toStoreError } from './redis-errors.ts';
import { connectToServer } from './redis-server.ts';
import { TimeoutError, withTimeout } from './with-timeout.ts';

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

/**
 * @param timeoutMs for connecting and for commands
 * @throws StoreError when the address is invalid or the server cannot be used
 */
export async function connectToRedis(url: string, timeoutMs?: number): Promise<RedisConnection> {
	const connection = createConnection(url, timeoutMs);
	await connection.connect();
	await connection.run((client) => client.ping());
	return connection;
}

/** Creates a connection that its first call opens. */
export function createConnection(url: string, timeoutMs?: number): RedisConnection {
	return new RedisConnection(parseRedisAddress(url), {
		connect: timeoutMs ?? CONNECT_TIMEOUT_MS,
		answer: timeoutMs ?? ANSWER_TIMEOUT_MS,
	});
}

type Timeouts = { connect: number; answer: number };

/** Why the server cannot be used, and when the next attempt to connect may be made (`performance.now()`). */
type Failure = { error: StoreError; pauseMs: number; until: number };

/**
 * A connection that the next call replaces after it broke. One call finds out that the server is down or does not answer; until it is
 * connected again, further calls fail at once or nearly so. The server is used again as soon as it is up.
 */
export class RedisConnection {
	readonly #address: RedisAddress;
	readonly #timeoutMs: Timeouts;
	readonly #running = new Set<Promise<unknown>>();
	#client: RedisClient | undefined;
	#connecting: { client: Promise<RedisClient>; since: number } | undefined;
	/** The nodes of the cluster when it was last connected. */
	#nodes: ReturnType<RedisClient['nodes']> = [];
	#failure: Failure | undefined;
	#isClosing = false;

	constructor(address: RedisAddress, timeoutMs: Timeouts) {
		this.#address = address;
		this.#timeoutMs = timeoutMs;
	}

	/** The client that calls use at present, if there is one. */
	get client(): RedisClient | undefined {
		return this.#client?.isOpen ? this.#client : undefined;
	}

	/** Connects, and waits for it as long as connecting may take. */
	async connect(): Promise<void> {
		await this.#startConnecting().client;
	}

	/**
	 * Runs work on an open client. Rejects with `StoreError`, always within a bounded time.
	 *
	 * @param answerMs how long the work may take; longer for what carries many bytes
	 */
	async run<Result>(
		work: (client: RedisClient) => Promise<Result>,
		answerMs = this.#timeoutMs.answer,
	): Promise<Result> {
		if (this.#isClosing) throw new StoreError('The store is closed.');
		const task = this.#attempt(work, answerMs);
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
		this.#client?.destroy();
		// One that is still being connected.
		void this.#connecting?.client.then((client) => client.destroy()).catch(() => {});
	}

	async #attempt<Result>(work: (client: RedisClient) => Promise<Result>, answerMs: number): Promise<Result> {
		const client = await this.#openClient();
		try {
			return await withTimeout(answerMs, work(client));
		} catch (error) {
			// An error reply shows that the connection works, unless the server has become a replica or left its cluster.
			const code = replyCode(error);
			if (code === undefined || code === 'READONLY' || code === 'CLUSTERDOWN') client.destroy();
			// Until it has answered a new connection, the server counts as down.
			if (error instanceof TimeoutError && client === this.#client) this.#pause(error);
			throw toStoreError(error);
		}
	}

	async #openClient(): Promise<RedisClient> {
		if (this.client) return this.client;
		if (this.#failure && performance.now() < this.#failure.until) throw this.#failure.error;
		const { client, since } = this.#startConnecting();
		const wait = this.#failure ? since + RECONNECT_WAIT_MS - performance.now() : this.#timeoutMs.answer;
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

	async #connect(): Promise<RedisClient> {
		this.#client?.destroy();
		this.#client = undefined;
		const { connect: timeoutMs } = this.#timeoutMs;
		try {
			this.#client = await (this.#nodes.length > 0
				? connectToCluster([this.#address.socket, ...this.#nodes], this.#address, timeoutMs)
				: connectToServer(this.#address, timeoutMs));
		} catch (error) {
			throw this.#pause(error);
		}
		this.#nodes = this.#client.nodes();
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
