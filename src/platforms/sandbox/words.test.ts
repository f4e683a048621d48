import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const path = './page/words.js';
const { WORDS, t, tNodes } = (await import(path)) as {
	WORDS: Record<string, string>;
	t(id: string, values?: Record<string, string | number>): string;
	tNodes(id: string, nodes: Record<string, unknown>): unknown[];
};

const page = join(import.meta.dirname, 'page');
const sources = readdirSync(page, { recursive: true, encoding: 'utf8' })
	.filter((name) => /\.(js|html)$/.test(name) && name !== 'words.js')
	.map((name) => readFileSync(join(page, name), 'utf8'))
	.join('\n');

test('every id that the page uses has words', () => {
	const used = [
		...sources.matchAll(/\bt(?:Nodes)?\('([^']+)'/g),
		...sources.matchAll(/data-(?:text|label)="([^"]+)"/g),
	].map(([, id = '']) => id);
	expect(used.length).toBeGreaterThan(50);
	expect(used.filter((id) => !(id in WORDS))).toEqual([]);
});

test('all words are used', () => {
	const dynamic = /^(hint\.|empty\.(examples|hello)\.thread$)/;
	const unused = Object.keys(WORDS).filter(
		(id) => !dynamic.test(id) && !sources.includes(`'${id}'`) && !sources.includes(`"${id}"`),
	);
	expect(unused).toEqual([]);
});

test('words in index.html are those of their ids', () => {
	for (const [, id = '', text = ''] of sources.matchAll(/data-text="([^"]+)"[^>]*>([^<]*)</g))
		if (text) expect(text).toBe(WORDS[id]);
});

test('values and elements take the place of their names', () => {
	expect(t('command.tooManyFiles', { command: 'edit', count: 2 })).toBe('/edit has no place for 2 of the files.');
	expect(tNodes('message.used', { name: 'NAME', command: 'COMMAND' })).toEqual(['', 'NAME', ' used ', 'COMMAND', '']);
});
