import { createClient, createCluster, type RedisClientConnectionType } from '@keyv/redis';
import type { RedisAddress } from './redis-address.ts';
import { StoreError } from './store.ts';

/** One connection to a server, or to all of a cluster. It is thrown away when it breaks, and never connects anew. */
export type RedisLink = {
	/** What keyv's own adapter works with. */
	client: RedisClientConnectionType;
	readonly isOpen: boolean;
	/** Sends a command to the server, of a cluster to the one that has `key`. Rejects with the client's errors. */
	send(key: string, command: (string | Buffer)[]): Promise<unknown>;
	/** As `send`, for what is no text. */
	read(key: string, command: string[]): Promise<Buffer | null>;
	/** Sends to each server that holds keys. */
	nodesWithKeys(): Promise<((command: string[]) => Promise<unknown>)[]>;
	/** Rejects when any server that holds keys does not answer. */
	ping(): Promise<void>;
	/** Whatever waits for an answer is rejected. */
	destroy(): void;
	/** Where else the cluster can be found, should the server that the address names be gone. */
	nodes(): RedisAddress['socket'][];
};

/** Strings of the server's as they are. `$` begins one on the wire. https://redis.io/docs/latest/develop/reference/protocol-spec/#bulk-strings */
const AS_BYTES = { typeMapping: { ['$'.charCodeAt(0)]: Buffer } };

/** No queue for later, which would hold commands back until nobody wants them any more. */
const behaviour = { disableOfflineQueue: true, maintNotifications: 'disabled' as const };

function socketOptions({ host, port, tls }: RedisAddress['socket'], patienceMs: number) {
	// A little less patience than ours, so that it is the client that gives up first and clears away.
	const options = { host, port, reconnectStrategy: false as const, connectTimeout: patienceMs * 0.8 };
	return tls ? { ...options, tls } : options;
}

/** @throws the client's errors, and StoreError when the server could lose what it is given */
export async function linkToRedis(address: RedisAddress, patienceMs: number): Promise<RedisLink> {
	const { socket, ...rest } = address;
	const client = createClient({ ...rest, ...behaviour, socket: socketOptions(socket, patienceMs) });
	const broken = new Promise<never>((_, reject) => client.on('error', reject));
	// Every space listens.
	client.setMaxListeners(0);
	const link: RedisLink = {
		client,
		get isOpen() {
			return client.isReady;
		},
		send: (_, command) => client.sendCommand(command),
		read: (_, command) => client.sendCommand(command, AS_BYTES),
		nodesWithKeys: async () => [(command) => client.sendCommand(command)],
		ping: async () => void (await client.sendCommand(['PING'])),
		destroy: () => client.isOpen && client.destroy(),
		nodes: () => [],
	};
	return whole(link, patienceMs, async () => {
		await Promise.race([client.connect(), broken]);
		const { mode, role } = await Promise.race([client.hello(), broken]);
		await refuseEviction(link);
		if (mode !== 'cluster') {
			if (role !== 'master') throw new StoreError('The store is a read-only copy; the address must name the original.');
			return link;
		}
		link.destroy();
		return linkToCluster([socket], address, patienceMs);
	});
}

/** @throws the client's errors */
export async function linkToCluster(
	nodes: RedisAddress['socket'][],
	{ socket, ...rest }: RedisAddress,
	patienceMs: number,
): Promise<RedisLink> {
	const cluster = createCluster({
		rootNodes: nodes.map((node) => ({ socket: node })),
		defaults: { ...rest, ...behaviour, socket: socketOptions(socket, patienceMs) },
		minimizeConnections: true,
	});
	let cause: unknown;
	let usable = true;
	cluster.on('error', (error) => {
		cause = error;
	});
	cluster.on('node-error', () => {
		usable = false;
	});
	cluster.setMaxListeners(0);
	const link: RedisLink = {
		client: cluster,
		get isOpen() {
			return cluster.isOpen && usable;
		},
		send: (key, command) => cluster.sendCommand(key, false, command),
		read: (key, command) => cluster.sendCommand(key, false, command, AS_BYTES),
		nodesWithKeys: async () =>
			Promise.all(
				cluster.masters.map(async (master) => {
					const node = await cluster.nodeClient(master);
					return (command: string[]) => node.sendCommand(command);
				}),
			),
		ping: async () => {
			await Promise.all((await link.nodesWithKeys()).map((send) => send(['PING'])));
		},
		destroy: () => {
			// The client's own stops at the first node that is disconnected already.
			for (const node of cluster.masters) if (!node.client?.isOpen) delete node.client;
			if (cluster.isOpen) cluster.destroy();
		},
		nodes: () => cluster.masters.map(({ host, port }) => ({ host, port, tls: socket.tls })),
	};
	return whole(link, patienceMs, async () => {
		await cluster.connect().catch((error: unknown) => {
			// The client's own error only says that no node could be reached, not why.
			throw cause ?? error;
		});
		return link;
	});
}

async function whole(link: RedisLink, patienceMs: number, connect: () => Promise<RedisLink>): Promise<RedisLink> {
	try {
		return await within(patienceMs, connect());
	} catch (error) {
		link.destroy();
		throw error;
	}
}

/**
 * With any other policy than `noeviction`, a server that is full throws counters and jobs away instead of refusing.
 * https://redis.io/docs/latest/develop/reference/eviction/
 */
async function refuseEviction(link: RedisLink): Promise<void> {
	// INFO says what CONFIG GET does, and more servers allow it. One that allows neither is taken as it is.
	const memory = await link.send('', ['INFO', 'memory']).catch((error: unknown) => {
		if (error instanceof Error && /^(NOPERM|ERR) /.test(error.message)) return '';
		throw error;
	});
	const [, limit = '0'] = /^maxmemory:(\d+)/m.exec(String(memory)) ?? [];
	const [, policy = 'noeviction'] = /^maxmemory_policy:([\w-]+)/m.exec(String(memory)) ?? [];
	if (limit !== '0' && policy !== 'noeviction') {
		throw new StoreError(
			`The store would throw entries away when it is full (maxmemory-policy ${policy}); it must be set to noeviction.`,
		);
	}
}

/** What `within` rejects with. */
export class Late extends Error {}

export async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Late()), milliseconds);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
