import { hasRedis, startRedis } from '../../test/harness/redis.ts';
import { comparePeers, type Figures } from '../runner.ts';

export const description = `Reserve + settle in the ledger compared with the minimum on the same store: on Redis (appendonly, everysec) two
Lua scripts, on node:sqlite (WAL, synchronous FULL) two prepared transactions. Five layers, each with a cap; ten members, with counters since the
warm-up. Every run in a fresh process on an empty store, alternating rounds, medians.`;

const IN_FLIGHT = [1, 32];

export async function run(): Promise<Record<string, Record<string, Figures>>> {
	const results = await measure('SQLite', 'sqlite');
	if (!hasRedis) return results;
	const redis = await startRedis('--appendfsync', 'everysec');
	try {
		return { ...results, ...(await measure('Redis', redis.url, async () => void (await redis.send('FLUSHALL')))) };
	} finally {
		await redis.close();
	}
}

async function measure(store: string, url: string, empty?: () => Promise<void>) {
	const results: Record<string, Record<string, Figures>> = {};
	const script = import.meta.resolve('../peers/ledger.ts');
	for (const inFlight of IN_FLIGHT) {
		const title = `${store}, ${inFlight} in flight`;
		const options = { title, script, peers: ['raw', 'easel'], rounds: 5 };
		results[title] = await comparePeers(options, [url, String(inFlight)], empty);
	}
	return results;
}
