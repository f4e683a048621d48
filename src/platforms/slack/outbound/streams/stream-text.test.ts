import { expect, test } from 'vitest';
import { hasMention, isSameText } from './stream-text.ts';

test.each([
	['**Foxes** are small & red', '*Foxes* are small &amp; red', true],
	['see [the page](https://example.com)', 'see <https://example.com|the page>', false],
	['狐は赤い。', '狐は赤い', true],
	['Foxes are red', 'Foxes are', false],
	['Foxes are red', undefined, true],
])('compares %o with what Slack returns, %o: %s', (written, shown, same) => {
	expect(isSameText(shown, written)).toBe(same);
});

test('finds mentions of people, channels and groups', () => {
	expect(['<@U1>', 'in <#C1>', '<!subteam^S1>', 'a < b', '<b>'].map(hasMention)).toEqual([
		true,
		true,
		true,
		false,
		false,
	]);
});
