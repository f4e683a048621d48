import { fileURLToPath } from 'node:url';
import { hasRedis, startRedis } from '../../test/fakes/redis.ts';
import { alternate, type Figures, start, stop, table } from '../runner.ts';

export const description = `Reserve + settle in the ledger compared with the minimum on the same store: on Redis (appendonly, everysec) two
Lua scripts, on node:sqlite (WAL, synchronous FULL) two prepared transactions. Five layers, each with a cap; every member has
counters already. Every run in a fresh process on an empty store, alternating rounds, medians.`;

const ROUNDS = 5;
const PEERS = ['raw', 'easel'];
const IN_FLIGHT = [1, 32];
const MEMBERS = [10, 100_000];

export async function run(): Promise<Record<string, Record<string, Figures>>> {
	const results: Record<string, Record<string, Figures>> = {};
	await measure('SQLite', 'sqlite', async () => {}, results);
	if (!hasRedis) return results;
	const redis = await startRedis('--appendfsync', 'everysec');
	try {
		await measure('Redis', redis.url, async () => void (await redis.send('FLUSHALL')), results);
	} finally {
		await redis.close();
	}
	return results;
}

async function measure(
	store: string,
	url: string,
	empty: () => Promise<void>,
	results: Record<string, Record<string, Figures>>,
): Promise<void> {
	const script = fileURLToPath(import.meta.resolve('../peers/ledger.ts'));
	for (const members of MEMBERS) {
		for (const inFlight of IN_FLIGHT) {
			const title = `${store}, ${inFlight} in flight, ${members} members`;
			const rows = await alternate(PEERS, ROUNDS, async (name) => {
				await empty();
				const { process, message } = await start<Figures>(script, name, url, String(inFlight), String(members));
				await stop(process);
				return message;
			});
			results[title] = rows;
			console.log(`\n## ${title}\n\n${table(rows, Object.keys(rows[PEERS[0]!]!))}`);
		}
	}
}
