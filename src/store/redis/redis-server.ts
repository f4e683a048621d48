import { createClient } from '@keyv/redis';
import { StoreError } from '../store.ts';
import type { RedisAddress } from './redis-address.ts';
import { AS_BYTES, CLIENT_OPTIONS, connectOrDestroy, type RedisClient, socketOptions } from './redis-client.ts';
import { connectToCluster } from './redis-cluster.ts';
import { evictionFault, readSettings } from './redis-settings.ts';

/**
 * Connects to a server, or to the cluster that it belongs to.
 *
 * @throws StoreError when the server is a replica or could evict entries, and the client's errors
 */
export async function connectToServer(address: RedisAddress, timeoutMs: number): Promise<RedisClient> {
	const { socket, ...rest } = address;
	const redis = createClient({ ...rest, ...CLIENT_OPTIONS, socket: socketOptions(socket, timeoutMs) });
	const broken = new Promise<never>((_, reject) => redis.on('error', reject));
	// Each space adds a listener.
	redis.setMaxListeners(0);
	const client: RedisClient = {
		keyvClient: redis,
		get isOpen() {
			return redis.isReady;
		},
		send: (_, command) => redis.sendCommand(command),
		read: (_, command) => redis.sendCommand(command, AS_BYTES),
		nodesWithKeys: async () => [(command) => redis.sendCommand(command)],
		ping: async () => void (await redis.sendCommand(['PING'])),
		destroy: () => redis.isOpen && redis.destroy(),
		nodes: () => [],
	};
	return connectOrDestroy(client, timeoutMs, async () => {
		await Promise.race([redis.connect(), broken]);
		const { mode, role } = await Promise.race([redis.hello(), broken]);
		await refuseEviction(client);
		if (mode !== 'cluster') {
			if (role !== 'master')
				throw new StoreError('The store is a read-only replica. Set its address to the primary server.');
			return client;
		}
		client.destroy();
		return connectToCluster([socket], address, timeoutMs);
	});
}

/** @throws StoreError when the server could evict entries */
async function refuseEviction(client: RedisClient): Promise<void> {
	const settings = await readSettings((command) => client.send('', command));
	const fault = settings && evictionFault(settings);
	if (fault !== undefined) throw new StoreError(fault);
}
