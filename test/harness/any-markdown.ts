import fc from 'fast-check';

/** Markdown as models write it, and worse: all kinds of blocks, incomplete, nested and hostile. */

const word = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.constantFrom('fox', 'snow,', 'the', 'a', 'quick', 'brown', 'Ende.', '5', 'x_y', '2**10', 'ß'),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom('👩‍👩‍👧‍👦', '🇩🇪', 'é', '雪の中の狐。', '👍🏽', 'a'.repeat(90), '的'.repeat(70)),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom('**bold**', '*it*', '`code`', '``a`b``', '***both***', '~~gone~~', '**', '`', '_'),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			'**many',
			'words**',
			'*two',
			'words*',
			'`in',
			'code`',
			'[',
			']',
			'](',
			'\\',
			'-',
			'#',
			'>',
		),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			'[a link](https://example.com/a_b_c)',
			'https://example.com/a?b=c',
			'[https://bank.com](https://evil.com)',
			'[bank.com',
			'`[x](https://evil.com)`',
			'<https://example.com>',
			'![p](https://e.com/p.png)',
		),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom('@everyone', '@here', '<@123>', '<@&4>', '<!channel>', '<#5>', '`@everyone`', '<@U1>'),
	},
);
const line = fc.array(word, { minLength: 1, maxLength: 25 }).map((words) => words.join(' '));
const lines = fc.array(line, { minLength: 1, maxLength: 6 });
const paragraph = lines.map((all) => all.join('\n'));
const list = lines.map((all) => all.map((item, index) => `${index + 1}. ${item}`).join('\n'));
const bullets = lines.map((all) => all.map((item, index) => `${' '.repeat((index % 3) * 2)}- ${item}`).join('\n'));
const quote = lines.map((all) => all.map((one) => `> ${one}`).join('\n'));
const heading = line.map((one) => `## ${one}`);
const row = fc
	.array(fc.constantFrom('a', 'bb', 'ccc', '1', ''), { minLength: 3, maxLength: 3 })
	.map((cells) => `| ${cells.join(' | ')} |`);
const table = fc
	.array(row, { minLength: 1, maxLength: 20 })
	.map((rows) => ['| H | I | J |', '|---|:-:|--:|', ...rows].join('\n'));
const codeLine = fc.constantFrom(
	'const a = 1;',
	'',
	'    if (x) {',
	'}',
	'@everyone',
	'x[0](1)',
	'a'.repeat(80),
	'# no heading',
	'- no item',
);
const fence = fc
	.record({
		indent: fc.constantFrom('', '', '', '   ', '> ', '- '),
		marker: fc.constantFrom('```', '```', '```', '````', '~~~'),
		language: fc.constantFrom('', 'ts', 'python', 'c++'),
		code: fc.array(codeLine, { maxLength: 20 }),
		closed: fc.boolean(),
	})
	.map(({ indent, marker, language, code, closed }) => {
		const inner = indent.replace('-', ' ');
		const end = closed ? [inner + marker] : [];
		return [`${indent}${marker}${language}`, ...code.map((one) => inner + one), ...end].join('\n');
	});
const space = fc.constantFrom('\n\n\n\n', ' '.repeat(40), '\n'.repeat(100), '    ');

export const markdown = fc
	.array(fc.oneof(paragraph, list, bullets, quote, heading, table, fence, space), { maxLength: 8 })
	.map((blocks) => blocks.join('\n\n'));

/** A text cut into deltas. */
export const cutUp = (text: fc.Arbitrary<string>) =>
	fc.tuple(text, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 })).map(([whole, sizes]) => {
		const deltas: string[] = [];
		for (let at = 0, turn = 0; at < whole.length; turn++) {
			const size = sizes[turn % sizes.length]!;
			deltas.push(whole.slice(at, at + size));
			at += size;
		}
		return deltas;
	});

/** Tells whether every fence in a message is closed in it. https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export function isBalanced(message: string): boolean {
	let open: string | undefined;
	let quoted = false;
	for (const line of message.split('\n')) {
		const bare = line.replace(/^(?:[ \t]*>)*[ \t]*/, '');
		if (open) {
			if (quoted && !/^\s*>/.test(line)) open = undefined;
			else if (/^(`+|~+)\s*$/.test(bare) && bare.trimEnd().length >= open.length && bare[0] === open[0]) {
				open = undefined;
				continue;
			}
		}
		if (!open) {
			open = /^(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,8}(?!`)(?=[^`]*$)|~{3,8}(?!~))/.exec(bare)?.[1];
			quoted = /^\s*>/.test(line);
		}
	}
	return open === undefined || quoted;
}
