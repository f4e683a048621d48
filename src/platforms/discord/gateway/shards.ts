/** Which of how many shards this process runs; `auto` for all that Discord recommends. */
export type Shards = 'auto' | { shards: number[]; shardCount: number };

/** Reads `auto` or `0-3/16`. Throws `RangeError` with one sentence on anything else. */
export function shardsOf(text: string): Shards {
	if (text === 'auto') return 'auto';
	const [, first, last, count] = (/^(\d{1,5})-(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []).map(Number);
	if (first === undefined || last === undefined || count === undefined || first > last || last >= count)
		throw new RangeError('DISCORD_SHARDS is auto, or which shards of how many, such as 0-3/16.');
	return { shards: Array.from({ length: last - first + 1 }, (_, index) => first + index), shardCount: count };
}
