/** The first second of 2015. https://docs.discord.com/developers/reference#snowflakes */
const EPOCH = 1_420_070_400_000;

/**
 * Makes ids that tell their time and never come twice. They have 19 digits: clients sort requests into rate-limit
 * buckets by ids of 17 to 19, so that shorter ones would all share a bucket.
 */
export function createSnowflakes(now: () => number): () => string {
	let last = 0n;
	return () => {
		const next = BigInt(now() - EPOCH) << 22n;
		last = next > last ? next : last + 1n;
		return String(last);
	};
}

/** Unix milliseconds of an id. */
export const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + EPOCH;

/** The shard that a server's events go to. https://docs.discord.com/developers/events/gateway#sharding */
export const shardOf = (serverId: string, shards: number): number => Number((BigInt(serverId) >> 22n) % BigInt(shards));
