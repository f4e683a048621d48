/** The shards that this process runs; `auto` for as many as Discord recommends. */
export type Shards = 'auto' | { shards: readonly number[]; shardCount: number };

/**
 * Reads `DISCORD_SHARDS`: `auto`, or `0-3/16` for the shards 0 to 3 of 16.
 *
 * @throws TypeError with a predicate for anything else
 */
export function parseShards(text: string): Shards {
	if (text === 'auto') return 'auto';
	const [, first, last, count] = (/^(\d{1,5})-(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []).map(Number);
	if (first === undefined || last === undefined || count === undefined || first > last || last >= count)
		throw new TypeError('is neither auto nor a range of shards and their total number, such as 0-3/16');
	return { shards: Array.from({ length: last - first + 1 }, (_, index) => first + index), shardCount: count };
}
