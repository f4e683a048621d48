import { createHash } from 'node:crypto';
import { createClient } from '@keyv/redis';
import { CAP, FILL_AT_ONCE, JOB, keysOf, type LedgerPeer } from './ledger-peer.ts';

const TAKE = `
	if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
	for i = 2, #KEYS do
		if tonumber(redis.call('GET', KEYS[i]) or 0) >= ${CAP} then return 0 end
	end
	for i = 2, #KEYS do redis.call('INCR', KEYS[i]) end
	redis.call('SET', KEYS[1], ARGV[1])
	return 1`;
const SETTLE = `
	if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
	redis.call('SET', KEYS[1], ARGV[1])
	redis.call('SET', KEYS[2], ARGV[1])
	return 1`;

/** Two Lua scripts on Redis. */
export async function openRedisLedger(url: string): Promise<LedgerPeer> {
	const client = createClient({ url });
	await client.connect();
	await Promise.all([client.scriptLoad(TAKE), client.scriptLoad(SETTLE)]);
	const [take, settle] = [TAKE, SETTLE].map((script) => createHash('sha1').update(script).digest('hex'));
	const run = async (script = '', keys: string[]) => {
		if ((await client.evalSha(script, { keys, arguments: [JOB] })) !== 1) throw new Error('The benchmark was refused.');
	};
	return {
		async fill(count) {
			for (let start = 0; start < count; start += FILL_AT_ONCE) {
				const some = Array.from({ length: Math.min(FILL_AT_ONCE, count - start) }, (_, i) => `m${start + i}`);
				await client.mSet(
					some.flatMap((member) => keysOf(member).slice(3)).map((key) => [key, '1'] as [string, string]),
				);
			}
		},
		async call(id, member) {
			await run(take, [`job:${id}`, ...keysOf(member)]);
			await run(settle, [`receipt:${id}`, `job:${id}`]);
		},
		async close() {
			client.destroy();
		},
	};
}
