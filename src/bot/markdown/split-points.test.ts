import { describe, expect, test } from 'vitest';
import { closingMarks, endsFence, NOTHING_OPEN, type OpenMarkup, openAfter, reopeningMarks } from './split-points.ts';

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

const fence = { container: '', marker: '```', info: 'ts', isEmpty: false };
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
