import type { RedisClientConnectionType } from '@keyv/redis';
import type { RedisAddress } from './redis-address.ts';
import { withTimeout } from './with-timeout.ts';

/** One connection to a server, or to all nodes of a cluster. It never reconnects: once it breaks, a new client replaces it. */
export type RedisClient = {
	/** The client that keyv's own adapter works with. */
	keyvClient: RedisClientConnectionType;
	readonly isOpen: boolean;
	/** Sends a command to the server, in a cluster to the node of `key`. Rejects with the client's errors. */
	send(key: string, command: (string | Buffer)[]): Promise<unknown>;
	/** Like `send`, for an answer that is bytes. */
	read(key: string, command: string[]): Promise<Buffer | null>;
	/** Returns a function for each server that holds keys, which sends a command to it. */
	nodesWithKeys(): Promise<((command: string[]) => Promise<unknown>)[]>;
	/** Rejects when any server that holds keys does not answer. */
	ping(): Promise<void>;
	/** Disconnects and rejects all pending commands. */
	destroy(): void;
	/** Returns the nodes of a cluster, by which it can be reached when the server of the address is down. */
	nodes(): RedisAddress['socket'][];
};

/**
 * Returns strings of the server as bytes. `$` is the type of bulk strings.
 * https://redis.io/docs/latest/develop/reference/protocol-spec/#bulk-strings
 */
export const AS_BYTES = { typeMapping: { ['$'.charCodeAt(0)]: Buffer } };

/** Without the offline queue, which would hold commands back until long after their callers have given up. */
export const CLIENT_OPTIONS = { disableOfflineQueue: true, maintNotifications: 'disabled' as const };

export function socketOptions({ host, port, tls }: RedisAddress['socket'], timeoutMs: number) {
	// Shorter than our own timeout, so that the client gives up first and cleans up.
	const options = { host, port, reconnectStrategy: false as const, connectTimeout: timeoutMs * 0.8 };
	return tls ? { ...options, tls } : options;
}

/** Runs `connect` with a timeout, and destroys the client when it fails. */
export async function connectOrDestroy(
	client: RedisClient,
	timeoutMs: number,
	connect: () => Promise<RedisClient>,
): Promise<RedisClient> {
	try {
		return await withTimeout(timeoutMs, connect());
	} catch (error) {
		client.destroy();
		throw error;
	}
}
