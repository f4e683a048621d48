import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fallbackOf, messageBlocksOf } from './blocks.ts';

describe('the text of a notification', () => {
	test.each([
		['**a \\*red\\* fox**\nAI-generated for Ada', 'a *red* fox\nAI-generated for Ada'],
		['[a page](https://example.com) and `code`', 'a page and code'],
		['# Title\n> said', 'Title\nsaid'],
		['`time_zone` is **missing**', 'time_zone is missing'],
		['\\[no](link), [an \\[x\\] link](https://example.com)', '[no](link), an [x] link'],
		['a < b & c > d <!channel>', 'a &lt; b &amp; c &gt; d &lt;!channel&gt;'],
	])('of %j is %j', (markdown, plain) => {
		expect(fallbackOf(markdown)).toBe(plain);
	});

	test('has no mentions and is short', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 2000 }), (text) => {
				const plain = fallbackOf(text);
				expect(plain).not.toMatch(/[<>]/);
				expect(plain.length).toBeLessThan(500 * 5 + 1);
				expect(plain.isWellFormed()).toBe(true);
			}),
		);
	});
});

describe('a message', () => {
	test('has its text, its pictures and its buttons, in this order', () => {
		const { blocks } = messageBlocksOf(
			'a fox',
			[{ file: 'F1', alt: '' }],
			[{ id: 'delete:1:x', label: 'x'.repeat(100), kind: 'danger' }],
		);
		expect(blocks).toEqual([
			{ type: 'markdown', text: 'a fox' },
			{ type: 'image', slack_file: { id: 'F1' }, alt_text: 'Picture' },
			{
				type: 'actions',
				elements: [
					{
						type: 'button',
						text: { type: 'plain_text', text: `${'x'.repeat(74)}…`, emoji: true },
						action_id: 'delete:1:x',
						value: 'delete:1:x',
						style: 'danger',
					},
				],
			},
		]);
	});

	test('without a text has the alt texts of its pictures in the notification', () => {
		expect(messageBlocksOf('', [{ file: 'F1', alt: 'a <fox>' }], []).text).toBe('a &lt;fox&gt;');
	});
});

test('a message that notifies a person mentions them alone', () => {
	expect(messageBlocksOf('Your picture is finished. <!here>', [], [], 'U123').blocks).toEqual([
		{ type: 'section', text: { type: 'mrkdwn', text: '<@U123> Your picture is finished. &lt;!here&gt;' } },
	]);
});
