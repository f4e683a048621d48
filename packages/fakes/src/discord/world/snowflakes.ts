/** The first second of 2015. https://docs.discord.com/developers/reference#snowflakes */
const EPOCH = 1_420_070_400_000;

/**
 * Returns a generator of unique ids that contain their time. They have 19 digits: the library recognizes ids of 17 to 19 digits in
 * routes, so that requests with shorter ones would all share one rate-limit bucket.
 */
export function createSnowflakes(now: () => number): () => string {
	let last = 0n;
	return () => {
		const next = BigInt(now() - EPOCH) << 22n;
		last = next > last ? next : last + 1n;
		return String(last);
	};
}

/** The time of an id, in Unix milliseconds. */
export const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + EPOCH;

/** The shard that receives the events of a server. https://docs.discord.com/developers/events/gateway#sharding */
export const shardOf = (serverId: string, shards: number): number => Number((BigInt(serverId) >> 22n) % BigInt(shards));
