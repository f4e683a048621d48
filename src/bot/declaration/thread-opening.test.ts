import fc from 'fast-check';
import { expect, test } from 'vitest';
import { threadTitle } from './command.ts';

test('a title is cut between words when it can be', () => {
	expect(threadTitle('How do\nI paint snow?')).toBe('How do I paint snow?');
	expect(threadTitle(`${'word '.repeat(11)}another one`)).toBe(`${'word '.repeat(11).trim()}…`);
	expect(threadTitle('🦊'.repeat(40))).toBe(`${'🦊'.repeat(29)}…`);
	expect(threadTitle('w'.repeat(80))).toBe(`${'w'.repeat(59)}…`);
});

test('a title is one line of at most 60 characters, without half a surrogate pair', () =>
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (text) => {
			const title = threadTitle(text);
			expect(title.length).toBeLessThanOrEqual(60);
			expect(title).not.toMatch(/[\n\r]/);
			expect(title.isWellFormed()).toBe(true);
		}),
	));
