import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutUp, markdown } from '../../../test/harness/any-markdown.ts';
import { sanitizeMarkdown } from './sanitize-markdown.ts';
import { TextSplitter } from './split-text.ts';

const visible = (text: string) => sanitizeMarkdown(text).replaceAll('\u200b', '·');

describe('mentions and entities are broken', () => {
	test.each([
		['@everyone', '@·everyone'],
		['@Here you are', '@·Here you are'],
		['@channel', '@·channel'],
		['<@123> <@!123> <@&123> <#123>', '<·@123> <·@!123> <·@&123> <·#123>'],
		['<@U123> <!here> <!subteam^S1>', '<·@U123> <·!here> <·!subteam^S1>'],
		['<https://evil.com|https://bank.com>', '<·https://evil.com|https://bank.com>'],
		['@every\u0000one', '@·everyone'],
		['a half \ud83d pair', 'a half \ufffd pair'],
		['`open @everyone', '`open @·everyone'],
		['`open\nand` @everyone `x`', '`open\nand` @·everyone `x`'],
		['~~~\n```\n@everyone\n```\n~~~', '~~~\n```\n@·everyone\n```\n~~~'],
		['```\na ``` @everyone\n```', '```\na ``` @·everyone\n```'],
		['> ```\na\n```\n@everyone\n```', '> ```\na\n```\n@·everyone\n```'],
		['https://x`a @everyone `', 'https://x`a @·everyone `'],
		['[a`](b) @everyone `', '[a`]·(b) @·everyone `'],
		['[x](<@123>)', '[x]·(<·@123>)'],
		['\\`@everyone`', '\\`@·everyone`'],
		['\\\\`@everyone`', '\\\\`@·everyone`'],
		['[\\\\`a`](b)`@everyone`', '[\\\\`a`]·(b)`@·everyone`'],
		['[](`)`@everyone`', '[](`)`@·everyone`'],
		['`@everyone` and `<@123>`', '`@·everyone` and `<·@123>`'],
		['`<!-- a --> <!DOCTYPE html> a[0] | b`', '`<!-- a --> <!DOCTYPE html> a[0] | b`'],
	])('in %j', (text, expected) => {
		expect(visible(text)).toBe(expected);
	});

	test.each([
		'me@example.com',
		'a < b',
		'<https://example.com>',
		'@everly',
		'- [ ] open',
		'a[0] and [note]',
		'5 * 3 ~ 15',
	])('%j is unchanged', (text) => expect(sanitizeMarkdown(text)).toBe(text));

	test.each(['```ts\n@here <@1> [bank.com](https://evil.com)\n```\n', '`a`\n```html\n<!here>\n```\n`b`'])(
		'%j is unchanged, as it is code on every platform',
		(text) => expect(sanitizeMarkdown(text)).toBe(text),
	);
});

describe('the address of a link is shown where its text names another', () => {
	test.each([
		['[https://bank.com](https://evil.com)', 'https://bank.com (https://evil.com)'],
		['[**bank.com**](https://evil.com)', '**bank.com** (https://evil.com)'],
		['[b\u200bank.com](https://evil.com "bank")', 'b·ank.com (https://evil.com)'],
		['[www.bank.com/login](https://bank.com.evil.com)', 'www.bank.com/login (https://bank.com.evil.com)'],
		['![bank.com](https://evil.com/p.png)', '!bank.com (https://evil.com/p.png)'],
		['[https://bank.com\n](https://evil.com)', '[https://bank.com\n]·(https://evil.com)'],
		['[bank.com]: https://evil.com', '[bank.com]·: https://evil.com'],
		['[a](https://example.com "bank.com")', '[a](https://example.com)'],
		['[@everyone](https://e.com/@everyone)', '[@·everyone](https://e.com/%40everyone)'],
	])('of %j', (text, expected) => expect(visible(text)).toBe(expected));

	test.each([
		'[bank.com](https://www.bank.com/login)',
		'[the docs](https://example.com/a_(b))',
		'[`code`](https://example.com)',
		'[Node.js](https://nodejs.org)',
		'[a [b] c](https://example.com)',
		'![fox](https://example.com/fox.png)',
	])('%j is unchanged', (text) => expect(sanitizeMarkdown(text)).toBe(text));
});

test('what is put out of a text that is still arriving stays', () => {
	fc.assert(
		fc.property(cutUp(markdown), (deltas) => {
			const whole = sanitizeMarkdown(deltas.join(''));
			for (const index of deltas.keys())
				expect(whole.startsWith(sanitizeMarkdown(deltas.slice(0, index).join(''), false))).toBe(true);
		}),
		{ numRuns: 500 },
	);
});

test.each([
	[
		'a word that a mention begins',
		'- ` `@everyone` @everyone 👩‍👩‍👧‍👦 `[x](https://evil.com)` [a link](https://example.com/a_b_c)',
	],
	['a quote of many marks', `${'> '.repeat(9)}\`${'a'.repeat(50)} @everyone \``],
	['a split before the end of a code span', `${'a'.repeat(51)}@a\` @everyone \`<!channel>\` @everyone \``],
])('no message pings after %s', (_, text) => {
	// The first message ends somewhere in the text.
	const filled = [`${'word '.repeat(130)}\n`, ...text];
	for (let room = MIN_ROOM; room < MIN_ROOM + 60; room++) expectNoPing(filled, room);
});

test('no message or preview pings, read as Discord reads it', () => {
	const hostile = fc
		.array(
			fc.constantFrom(
				'`',
				'``',
				'```',
				'\n',
				'\n\n',
				'@everyone',
				'<@1>',
				'<@&1>',
				'<#1>',
				'<!channel>',
				'<!subteam^S1>',
				'` @here `',
				'> '.repeat(9),
				'a'.repeat(50),
				'\u200b',
				' ',
				'a',
				'[',
				'](',
				')',
				'\\',
				'~~~',
				'> ',
				'- ',
				'**',
				'https://x',
				'<',
				'>',
				'|',
			),
			{ minLength: 40, maxLength: 120 },
		)
		.map((parts) => parts.join(''));
	fc.assert(
		fc.property(cutUp(fc.oneof(markdown, hostile)), fc.integer({ min: MIN_ROOM, max: 2 * MIN_ROOM }), expectNoPing),
		{
			numRuns: 200,
		},
	);
});

/** The least room of a message; see `TextSplitter`. */
const MIN_ROOM = 700;

function expectNoPing(deltas: readonly string[], room: number): void {
	const splitter = new TextSplitter(room);
	const show = (): void => {
		for (let piece = splitter.draft(); piece; piece = splitter.draft()) {
			expect(pings(piece.shown)).toEqual([]);
			if (!piece.full) return;
			splitter.take(piece);
		}
	};
	for (const delta of deltas) {
		splitter.push(delta);
		show();
	}
	splitter.end();
	show();
}

/** Returns the mentions that ping: those outside code, links and addresses, which are read in the order of Discord's client. */
function pings(message: string): string[] {
	const found: string[] = [];
	for (let at = 0; at < message.length; ) {
		const rest = message.slice(at);
		const mention = /^(?:<@[!&]?\w+>|<#\w+>|<![^>\n]+>|@(?:everyone|here|channel))/i.exec(rest)?.[0];
		if (mention) found.push(mention);
		const taken =
			/^\\(?=[^0-9A-Za-z\s])`?/.exec(rest) ??
			/^```(?:([a-z0-9_+\-.#]+?)\n)?\n*([^\n][\s\S]*?)\n*```/i.exec(rest) ??
			/^https?:\/\/[^\s<]+[^<.,:;"'\]\s]/.exec(rest) ??
			/^(`+)([\s\S]*?[^`])\1(?!`)/.exec(rest);
		at += taken?.[0].length ?? 1;
	}
	return found;
}
