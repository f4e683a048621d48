import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { withLatinLetters } from './banned-words.ts';
import table from './look-alikes.json' with { type: 'json' };

const entries = Object.entries(table.letters).flatMap(([letter, alike]) => Array.from(alike, (one) => [one, letter]));

test('the table is the data of Unicode 10, which normalization or an editor would change', () => {
	const sorted = entries.sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
	const digest = createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
	expect(digest).toBe('f2e2743c7b36a9fd4694841ca3e8ba0381e9e8515e55f82b10d90e6171d46093');
});

test('every letter and symbol of the table is read in a Latin word', () => {
	for (const [character = '', letter] of entries)
		if (/[\p{L}\p{S}]/u.test(character)) expect(withLatinLetters(`x${character}`)).toBe(`x${letter}`);
});
