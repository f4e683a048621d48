import { expect, test } from 'vitest';
import { shardsOf } from './shards.ts';

test('all shards, or some of many', () => {
	expect(shardsOf('auto')).toBe('auto');
	expect(shardsOf('2-3/16')).toEqual({ shards: [2, 3], shardCount: 16 });
});

test.each(['', '0', '3-2/16', '0-16/16', '0-3', '0-3/x', ' auto'])('“%s” gets one sentence', (text) => {
	expect(() => shardsOf(text)).toThrow('DISCORD_SHARDS is auto, or which shards of how many, such as 0-3/16.');
});
