import { StoreError } from '../store.ts';
import { parseRedisAddress, type RedisAddress } from './redis-address.ts';
import type { RedisClient } from './redis-client.ts';
import { connectToCluster } from './redis-cluster.ts';
import { replyCode, toStoreError } from './redis-errors.ts';
import { connectToServer } from './redis-server.ts';
import { withTimeout } from './with-timeout.ts';

/** How long a server may take to accept a connection, and to answer. */
const TIMEOUT_MS = 5000;

/** After a failed attempt no other is made for this long, doubled each time up to the maximum. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2000;

/** @throws StoreError when the address is invalid or the server cannot be used */
export async function connectToRedis(url: string, timeoutMs = TIMEOUT_MS): Promise<RedisConnection> {
	const connection = new RedisConnection(parseRedisAddress(url), timeoutMs);
	await connection.run((client) => client.ping());
	return connection;
}

/**
 * A connection that the next call replaces after it broke. No call waits for a server that is down, and the server is used
 * again as soon as it is up.
 */
export class RedisConnection {
	readonly #address: RedisAddress;
	readonly #timeoutMs: number;
	readonly #running = new Set<Promise<unknown>>();
	#client: RedisClient | undefined;
	#connecting: Promise<RedisClient> | undefined;
	/** The nodes of the cluster when it was last connected. */
	#nodes: ReturnType<RedisClient['nodes']> = [];
	#failure: { error: StoreError; pauseMs: number; until: number } | undefined;
	#isClosing = false;

	constructor(address: RedisAddress, timeoutMs: number) {
		this.#address = address;
		this.#timeoutMs = timeoutMs;
	}

	/** Runs work on an open client. Rejects with `StoreError`, always within a bounded time. */
	async run<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result> {
		if (this.#isClosing) throw new StoreError('The store is closed.');
		const task = this.#attempt(work);
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
	}

	async #attempt<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result> {
		const client = await this.#openClient();
		try {
			return await withTimeout(this.#timeoutMs, work(client));
		} catch (error) {
			// An error reply shows that the connection works, unless the server has become a replica or left its cluster.
			const code = replyCode(error);
			if (code === undefined || code === 'READONLY' || code === 'CLUSTERDOWN') client.destroy();
			throw toStoreError(error);
		}
	}

	async #openClient(): Promise<RedisClient> {
		if (this.#client?.isOpen) return this.#client;
		if (this.#failure && performance.now() < this.#failure.until) throw this.#failure.error;
		this.#connecting ??= this.#connect().finally(() => {
			this.#connecting = undefined;
		});
		return this.#connecting;
	}

	async #connect(): Promise<RedisClient> {
		this.#client?.destroy();
		this.#client = undefined;
		try {
			this.#client = await (this.#nodes.length > 0
				? connectToCluster([this.#address.socket, ...this.#nodes], this.#address, this.#timeoutMs)
				: connectToServer(this.#address, this.#timeoutMs));
		} catch (error) {
			const pauseMs = Math.min((this.#failure?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2, MAX_PAUSE_MS);
			this.#failure = { error: toStoreError(error), pauseMs, until: performance.now() + pauseMs };
			throw this.#failure.error;
		}
		this.#nodes = this.#client.nodes();
		this.#failure = undefined;
		return this.#client;
	}
}
