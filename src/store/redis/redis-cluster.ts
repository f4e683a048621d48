import { createCluster } from '@keyv/redis';
import type { RedisAddress } from './redis-address.ts';
import { AS_BYTES, CLIENT_OPTIONS, connectOrDestroy, type RedisClient, socketOptions } from './redis-client.ts';

/**
 * Connects to a cluster.
 *
 * @param nodes nodes by which the cluster can be reached
 * @throws the client's errors
 */
export async function connectToCluster(
	nodes: RedisAddress['socket'][],
	{ socket, ...rest }: RedisAddress,
	timeoutMs: number,
): Promise<RedisClient> {
	const cluster = createCluster({
		rootNodes: nodes.map((node) => ({ socket: node })),
		defaults: { ...rest, ...CLIENT_OPTIONS, socket: socketOptions(socket, timeoutMs) },
		minimizeConnections: true,
	});
	let cause: unknown;
	let isUsable = true;
	cluster.on('error', (error) => {
		cause = error;
	});
	cluster.on('node-error', () => {
		isUsable = false;
	});
	// Each space adds a listener.
	cluster.setMaxListeners(0);
	const client: RedisClient = {
		keyvClient: cluster,
		get isOpen() {
			return cluster.isOpen && isUsable;
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
			await Promise.all((await client.nodesWithKeys()).map((send) => send(['PING'])));
		},
		destroy: () => {
			// The client's own `destroy` stops at the first node that is already disconnected.
			for (const node of cluster.masters) if (!node.client?.isOpen) delete node.client;
			if (cluster.isOpen) cluster.destroy();
		},
		nodes: () => cluster.masters.map(({ host, port }) => ({ host, port, tls: socket.tls })),
	};
	return connectOrDestroy(client, timeoutMs, async () => {
		await cluster.connect().catch((error: unknown) => {
			// The client's own error says only that no node could be reached, not why.
			throw cause ?? error;
		});
		return client;
	});
}
