import { expect, test } from 'vitest';
import { mentionedIn, textOfMarkup, withoutMention } from './message-text.ts';

const names: Record<string, string> = { U1: 'Ada' };

test.each([
	['1 &lt; 2 &amp; 3 &gt; 2', '1 < 2 & 3 > 2'],
	['<@U1> and <@U2|bjorn>', '@Ada and @bjorn'],
	['<#C1|general> <!subteam^S1|@painters> <!here>', '#general @painters @here'],
	[
		'<https://example.com> <https://example.com|a page> <mailto:a@b.c|a@b.c>',
		'https://example.com [a page](https://example.com) a@b.c',
	],
	['<!date^1700000000^{date}|Nov 14>', 'Nov 14'],
])('%s becomes plain text', (markup, text) => {
	expect(textOfMarkup(markup, (user) => names[user] ?? user)).toBe(text);
});

test('finds mentioned people, and removes the mention of the bot at the beginning only', () => {
	const text = '<@UBOT>: hello <@U1|ada>, <@UBOT>';
	expect(mentionedIn(text)).toEqual(['UBOT', 'U1', 'UBOT']);
	expect(withoutMention(text, { botUser: 'UBOT' })).toBe('hello <@U1|ada>, <@UBOT>');
});
