import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutUp, isBalanced, markdown } from '../../../test/harness/any-markdown.ts';
import { sanitizeMarkdown } from './sanitize-markdown.ts';
import {
	closingMarks,
	endsFence,
	NOTHING_OPEN,
	type OpenMarkup,
	openAfter,
	type Piece,
	reopeningMarks,
	TextSplitter,
} from './split-text.ts';

function split(text: string, room: number): Piece[] {
	const splitter = new TextSplitter(room);
	splitter.push(text);
	splitter.end();
	return rest(splitter);
}

function rest(splitter: TextSplitter): Piece[] {
	const pieces: Piece[] = [];
	for (let piece = splitter.draft(); piece; piece = splitter.draft()) {
		pieces.push(piece);
		splitter.take(piece);
	}
	return pieces;
}

/** The end of a fence that the message before has closed already. */
const MARKS_NOT_SHOWN = /^(?:>\s*)*[`~]*$/;

const shown = (text: string, room: number) => split(text, room).map((piece) => piece.shown);

test('fence marks in code are not cut from the word after them', () => {
	const code = `\`\`\`python\n\n\n${' '.repeat(40)}\n\n\`\`\`c++`;
	for (const message of shown(code, 61)) expect(isBalanced(message)).toBe(true);
});

describe('for any text, room and deltas', () => {
	const room = fc.oneof(fc.integer({ min: 60, max: 400 }), fc.integer({ min: 400, max: 2000 }));
	const either = fc.oneof(
		{ weight: 4, arbitrary: markdown },
		{ weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 500 }) },
	);

	test('the messages contain the text once, fit their room, and close their fences', () => {
		fc.assert(
			fc.property(cutUp(either), room, fc.integer({ min: 1, max: 50 }), (deltas, most, every) => {
				const splitter = new TextSplitter(most);
				const pieces: Piece[] = [];
				const check = ({ shown, prefix, text, suffix }: Piece) => {
					expect(shown.length).toBeLessThanOrEqual(most);
					expect(shown.length).toBeGreaterThan(0);
					expect(isBalanced(shown)).toBe(true);
					const seen = shown.slice(prefix.length, shown.length - suffix.length);
					expect(prefix + seen + suffix).toBe(shown);
					expect(text.replace(seen, '').trim()).toMatch(MARKS_NOT_SHOWN);
				};
				for (const [index, delta] of deltas.entries()) {
					splitter.push(delta);
					if (index % every !== 0) continue;
					for (let piece = splitter.draft(); piece; piece = splitter.draft()) {
						check(piece);
						if (!piece.full) break;
						pieces.push(piece);
						splitter.take(piece);
					}
				}
				splitter.end();
				pieces.push(...rest(splitter));
				pieces.forEach(check);
				const whole = deltas.join('');
				expect(splitter.text()).toBe(whole);
				const all = pieces.map(({ text }) => text).join('');
				expect(all + sanitizeMarkdown(whole).slice(all.length)).toBe(sanitizeMarkdown(whole));
				expect(sanitizeMarkdown(whole).slice(all.length).trim()).toMatch(MARKS_NOT_SHOWN);
			}),
			{ numRuns: 400 },
		);
	});

	test('a message that ended as a preview is continued in the next', () => {
		fc.assert(
			fc.property(cutUp(markdown), room, (deltas, most) => {
				const splitter = new TextSplitter(most);
				let all = '';
				for (const [index, delta] of deltas.entries()) {
					splitter.push(delta);
					if (index % 7 > 0) continue;
					const piece = splitter.draft();
					if (!piece) continue;
					all += piece.text;
					splitter.take(piece);
				}
				splitter.end();
				all += rest(splitter)
					.map(({ text }) => text)
					.join('');
				const whole = sanitizeMarkdown(deltas.join(''));
				expect(whole.startsWith(all)).toBe(true);
				expect(whole.slice(all.length).trim()).toMatch(MARKS_NOT_SHOWN);
			}),
		);
	});

	test('no grapheme is split', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 60, max: 100 }), (text, most) => {
				const graphemes = new Set([...new Intl.Segmenter().segment(sanitizeMarkdown(text))].map(({ index }) => index));
				let at = 0;
				for (const piece of split(text, most)) {
					expect(graphemes.has(at)).toBe(true);
					at += piece.text.length;
				}
			}),
		);
	});
});

describe('a message ends', () => {
	const sentence = 'The quick brown fox jumps over the dog.';

	test('between paragraphs if possible, else lines, sentences or words', () => {
		expect(shown(`${sentence} Yes.\n\n${sentence}\n${sentence}`, 88)).toEqual([
			`${sentence} Yes.`,
			`${sentence}\n${sentence}`,
		]);
		expect(shown(`${sentence}\n${sentence}\n${sentence}`, 90)).toEqual([`${sentence}\n${sentence}`, sentence]);
		expect(shown(`${sentence} ${sentence} ${sentence}`, 90)).toEqual([`${sentence} ${sentence}`, sentence]);
		expect(shown('word '.repeat(20), 62)).toEqual(['word '.repeat(12).trim(), 'word '.repeat(8).trim()]);
	});

	test.each([
		'[the link text](https://example.com/some/where)',
		'`some code that is a span`',
		'<@12345678901234567890>',
		'https://example.com/some/where',
	])('before or after %s', (whole) => {
		for (let length = 1; length < 70; length++)
			expect(shown(`${'w '.repeat(length)}${whole} ${'x '.repeat(40)}`, 60).join('\n')).toContain(
				sanitizeMarkdown(whole),
			);
	});

	test('at a line whose successor does not begin with a block mark', () => {
		for (const message of shown(`${'aa 1. # - > '.repeat(40)}`, 60)) expect(message).toMatch(/^aa/);
	});

	test('in a fence, which the next reopens with its language', () => {
		expect(shown(`\`\`\`ts\n${'const a = 1;\n'.repeat(6)}\`\`\`\nThat is all.`, 60)).toEqual([
			'```ts\nconst a = 1;\nconst a = 1;\nconst a = 1;\n```',
			'```ts\nconst a = 1;\nconst a = 1;\nconst a = 1;\n```',
			'That is all.',
		]);
	});

	test('in a fence, but not before marks that are code and would end it', () => {
		expect(shown(`\`\`\`\nconst a = 1;\n\n${' '.repeat(40)}\n\n- \`\`\``, 65)).toEqual([
			'```\nconst a = 1;\n```',
			'```\n- ```\n```',
		]);
	});

	test('in a table, whose head the next repeats', () => {
		const head = '| a | b |\n|---|---|';
		const rows = (count: number) => Array.from({ length: count }, () => '| 1 | 2 |').join('\n');
		expect(shown(`${head}\n${rows(12)}`, 100)).toEqual([`${head}\n${rows(8)}`, `${head}\n${rows(4)}`]);
	});

	test('before a table that does not fit, even when little text precedes it', () => {
		const table = '| H | I | J |\n|---|:-:|--:|\n| a | b | c |';
		for (let lines = 76; lines < 120; lines++)
			expect(shown(`A fox${'\n'.repeat(lines)}${table}`, 120)).toEqual(['A fox', table]);
	});

	test('in emphasis, quotes and lists', () => {
		const [bold, rest] = shown(`**${'word '.repeat(20).trim()}**`, 60);
		expect(bold).toMatch(/^\*\*word.*word\*\*$/);
		expect(rest).toMatch(/^\*\*word.*word\*\*$/);
		for (const message of shown(`> ${'word '.repeat(40)}`, 60)) expect(message).toMatch(/^> word/);
		expect(shown(`${['1. one', '2. two', '3. three'].map((item) => item.padEnd(30, '.')).join('\n')}`, 70)[1]).toMatch(
			/^3\. three/,
		);
	});
});

test('200,000 deltas are split in linear time', () => {
	const splitter = new TextSplitter(2000);
	for (let delta = 0; delta < 200_000; delta++) splitter.push(` word${delta % 10}`);
	splitter.end();
	expect(rest(splitter).length).toBe(Math.ceil(1_200_000 / 1998));
});

describe('emphasis', () => {
	test.each([
		['opens before a word', [], '**', ' ', 'a', ['**']],
		['does not open before space', [], '**', 'a', ' ', []],
		['does not open within a word', [], '_', 'a', 'b', []],
		['closes after a word', ['**'], '**', 'a', ' ', []],
		['closes what was opened within it', ['**', '_'], '**', 'a', ' ', []],
		['of three marks closes both', ['**', '*'], '***', 'a', ' ', []],
		['of one tilde is none', [], '~', ' ', 'a', []],
	])('%s', (_, open, run, before, after, expected) => {
		expect(openAfter(open, run, before, after)).toEqual(expected);
	});
});

const fence = { container: '', marker: '```', info: 'ts' };
const around = (open: OpenMarkup, room = 1000) => [closingMarks(open, room), reopeningMarks(open, room)];

test('open markup is closed at the end of a message, and opened again in the next', () => {
	expect(around(NOTHING_OPEN)).toEqual(['', '']);
	expect(around({ ...NOTHING_OPEN, fence })).toEqual(['\n```', '```ts\n']);
	expect(around({ ...NOTHING_OPEN, fence: { ...fence, container: '> ' }, quote: '> ' })).toEqual([
		'\n> ```',
		'> ```ts\n> ',
	]);
	expect(around({ quote: '> ', marks: ['**', '`'] })).toEqual(['`**', '> **`']);
	expect(around({ ...NOTHING_OPEN, table: '| a |\n|---|\n' })).toEqual(['', '| a |\n|---|\n']);
});

test('marks that would take more than a quarter of a message are left out', () => {
	expect(around({ ...NOTHING_OPEN, table: '| a |\n|---|\n' }, 40)).toEqual(['', '']);
	expect(around({ ...NOTHING_OPEN, fence: { ...fence, info: 'x'.repeat(30) } }, 60)).toEqual(['\n```', '```\n']);
});

test('a fence is ended by at least as many of its marks, not indented further', () => {
	for (const line of ['```', '````', '  ```  ']) expect(endsFence(fence, line)).toBe(true);
	for (const line of ['``', '~~~', '``` ts', '    ```', 'x ```']) expect(endsFence(fence, line)).toBe(false);
	expect(endsFence({ ...fence, container: '> ' }, '> ```')).toBe(true);
});
