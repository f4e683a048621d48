import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdown } from '../../../test/harness/any-markdown.ts';
import { layOutTables } from './sanitize-markdown.ts';

const lines = (...all: string[]) => all.join('\n');

describe('a table', () => {
	test('that is narrow is shown in columns of a code block', () => {
		const table = lines(
			'Here:',
			'',
			'| Name | Age | 町 |',
			'|:--|--:|:-:|',
			'| **Ada** | 36 | `x` |',
			'| 北斎 | 7 | a\\|b |',
			'',
			'Done.',
		);
		expect(layOutTables(table)).toBe(
			lines(
				'Here:',
				'',
				'```',
				'Name  Age  町',
				'────  ───  ───',
				'Ada    36   x',
				'北斎    7  a|b',
				'```',
				'',
				'Done.',
			),
		);
	});

	test('that is wide, or has links, is shown as a list', () => {
		const wide = 'a sentence that is much too long for a column of a phone';
		expect(
			layOutTables(lines('| **Plan** | Price | What |', '|---|---|---|', `| Small | 5 | ${wide} |`, '| Large | 9 | |')),
		).toBe(
			lines('- **Plan:** Small', `  - **Price:** 5`, `  - **What:** ${wide}`, '- **Plan:** Large', '  - **Price:** 9'),
		);
		expect(layOutTables(lines('| Page |', '|---|', '| [a](https://a.example) |'))).toBe(
			'- **Page:** [a](https://a.example)',
		);
	});

	test.each([
		lines('```', '| a | b |', '|---|---|', '```'),
		lines('~~~md', '| a | b |', '|---|---|'),
		lines('| a | b |', '|---|'),
		lines('a | b', '---|---'),
		'a || b\n|c|',
		'',
	])('is not seen in %j', (text) => expect(layOutTables(text)).toBe(text));

	test('of many rows is shown in parts, each with the head', () => {
		const rows = Array.from({ length: 90 }, (_, index) => `| ${index} | x |`);
		const shown = layOutTables(lines('| n | m |', '|---|---|', ...rows));
		expect(shown.match(/^n {3}m$/gm)).toHaveLength(3);
		expect(shown.match(/^\d+ +x$/gm)).toHaveLength(90);
	});
});

test('what is shown of a text that grows is always the beginning of the whole', () => {
	const table = fc
		.tuple(
			fc.integer({ min: 1, max: 4 }),
			fc.integer({ min: 0, max: 50 }),
			fc.constantFrom('x', '**y**', '雪', 'long '.repeat(20), ''),
		)
		.map(([columns, rows, cell]) => {
			const row = (text: string) => `|${` ${text} |`.repeat(columns)}`;
			return lines(row('head'), row('---'), ...Array.from({ length: rows }, () => row(cell)));
		});
	const text = fc.array(fc.oneof(markdown, table), { maxLength: 4 }).map((parts) => parts.join('\n'));
	fc.assert(
		fc.property(text, fc.array(fc.nat(), { maxLength: 20 }), (whole, cuts) => {
			const shown = layOutTables(whole);
			for (const cut of cuts) {
				const partial = layOutTables(whole.slice(0, cut % (whole.length + 1)), false);
				expect(shown.startsWith(partial)).toBe(true);
			}
		}),
		{ numRuns: 300 },
	);
});
