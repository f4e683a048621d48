import { expect, test } from 'vitest';
import { parseShards } from './shards.ts';

test('reads all shards, or a range of them', () => {
	expect(parseShards('auto')).toBe('auto');
	expect(parseShards('2-3/16')).toEqual({ shards: [2, 3], shardCount: 16 });
});

test.each(['', '0', '3-2/16', '0-16/16', '0-3', '0-3/x', ' auto'])('refuses “%s”', (text) => {
	expect(() => parseShards(text)).toThrow(
		'is neither auto nor a range of shards and their total number, such as 0-3/16',
	);
});
