import { expect, test } from 'vitest';
import { richTextOf } from './rich-text.ts';

const elementsOf = (markdown: string) => richTextOf(markdown).elements[0]?.elements;

test('has the bold, italic, code and links of a caption, and escaped characters as they are', () => {
	const caption =
		'**a \\*red\\* fox**\nby Ada · again from [an \\[earlier\\] result](https://example.com/p1) · *new* `512`';
	expect(elementsOf(caption)).toEqual([
		{ type: 'text', text: 'a *red* fox', style: { bold: true } },
		{ type: 'text', text: '\nby Ada · again from ' },
		{ type: 'link', url: 'https://example.com/p1', text: 'an [earlier] result' },
		{ type: 'text', text: ' · ' },
		{ type: 'text', text: 'new', style: { italic: true } },
		{ type: 'text', text: ' ' },
		{ type: 'text', text: '512', style: { code: true } },
	]);
});

test('leaves single characters of markup, and mentions, as text', () => {
	const text = '2 * 3 * 4 [x] <!channel> <@U1> **';
	expect(elementsOf(text)).toEqual([{ type: 'text', text }]);
});

test.each(['[', '*', '**', '`', '\\', '[a](', '\\[', '*a '])('reads 400,000 characters of %j at once', (mark) => {
	const elements = elementsOf(mark.repeat(400_000 / mark.length)) ?? [];
	expect(elements.length).toBeGreaterThan(0);
});
