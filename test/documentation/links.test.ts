import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linksOf as linksIn, pagesIn, withoutCode } from '../../docs/.vitepress/pages.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCS = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
const PAGES = pagesIn(ROOT);

const textOf = (page: string): string => withoutCode(readFileSync(join(ROOT, page), 'utf8'));
const linksOf = (page: string): string[] => linksIn(readFileSync(join(ROOT, page), 'utf8'));

/** Returns the anchors of a page's headings. https://docs.github.com/en/get-started/writing-on-github#section-links */
const anchorsOf = (page: string): string[] =>
	[...readFileSync(join(ROOT, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);

describe.each(PAGES)('%s', (page) => {
	test('links only to what there is', () => {
		const broken = linksOf(page).filter((link) => {
			if (/^[a-z]+:/.test(link)) return false;
			const [path = '', anchor] = link.split('#');
			const target = path === '' ? page : join(dirname(page), path);
			if (!existsSync(join(ROOT, target))) return true;
			return anchor !== undefined && !anchorsOf(target).includes(anchor);
		});
		expect(broken).toEqual([]);
	});
});

describe.each(PAGES.filter((page) => /^README\.[\w-]+\.md$/.test(page)))('%s', (page) => {
	test('has what README.md has: headings, paragraphs, items, links, pictures and code', () => {
		expect(contentOf(page)).toEqual(contentOf('README.md'));
	});

	test('and README.md link to each other', () => {
		expect(linksOf(page)).toContain('README.md');
		expect(linksOf('README.md')).toContain(page);
	});
});

/** Returns what a translation of a page has in common with it. Only the words after `/imagine` are translated in code. */
function contentOf(page: string) {
	const text = readFileSync(join(ROOT, page), 'utf8');
	const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, part = '']) => part);
	return {
		headings: found(/^(#+) /gm),
		paragraphs: text.split(/\n{2,}/).length,
		items: found(/^(-|\d+\.) /gm),
		blocks: found(/^```(.*?)^```/gms),
		code: found(/(?<!`)`([^`\n]+)`(?!`)/g)
			.map((code) => code.replace(/^(\/imagine) .*/, '$1'))
			.sort(),
		links: [...linksOf(page), ...found(/<(https?:[^>]+)>/g)].filter((link) => !/^README\b/.test(link)).sort(),
	};
}

test('the index links to every page of docs, and each page to the next or to the index', () => {
	const index = linksOf('docs/README.md').map((link) => link.split('#')[0]);
	const others = DOCS.filter((name) => name !== 'README.md');
	expect(others.filter((name) => !index.includes(name))).toEqual([]);
	expect(others.filter((name) => !linksOf(`docs/${name}`).includes('README.md'))).toEqual([]);
});

test('every picture of docs is shown on a page, and has a text in place of it', () => {
	const pictures = readdirSync(join(ROOT, 'docs')).filter((name) => /\.(png|gif)$/.test(name));
	const shown = PAGES.flatMap((page) =>
		[...textOf(page).matchAll(/!\[([^\]]+)\]\(([^)\s]+)\)/g)].map((match) => match[2] ?? ''),
	);
	const names = shown.map((path) => path.split('/').at(-1));
	expect(pictures.filter((name) => !names.includes(name))).toEqual([]);
});
