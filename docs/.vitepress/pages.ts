import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A group of pages of the index, `docs/README.md`. Links are those of the site. */
export type Group = { title: string; pages: { text: string; link: string; about: string }[] };

/** Returns where the site has a file of the repository: what lies in `docs` is at the top, and README.de.md is `de.md`. */
export function addressOf(path: string): string {
	if (path === 'docs/README.md') return 'contents.md';
	return path
		.replace(/^docs\//, '')
		.replace(/README\.md$/, 'index.md')
		.replace(/^README\.(?=[\w-]+\.md$)/, '')
		.replace(/^[A-Z]+(?=\.md$)/, (name) => name.toLowerCase());
}

/** Returns the address on the site of what a page links to. */
export function addressOfLink(link: string, page: string): string {
	if (/^(?:[a-z]+:|#|\/)/.test(link)) return link;
	const [path = '', anchor] = link.split('#');
	return `/${addressOf(normalize(join(dirname(page), path)))}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Reads the groups of the index: a line in bold, and a list of links with what each page is about. */
export function readIndex(text: string): Group[] {
	return text
		.split(/^\*\*(?=[^*]+\*\*$)/m)
		.slice(1)
		.map((part) => ({
			title: part.slice(0, part.indexOf('**')),
			pages: [...part.matchAll(/\[([^\]]+)\]\(([^)]+)\)(?:: (.+))?/g)].map(([, name = '', path = '', about = '']) => ({
				text: name[0]?.toUpperCase() + name.slice(1),
				link: `/${addressOf(normalize(join('docs', path))).replace(/(?:^|(?<=\/))index\.md|\.md/, '')}`,
				about,
			})),
		}));
}

/** Returns the index for language models. https://llmstxt.org */
export function llmsText(intro: string, groups: readonly Group[]): string {
	const lines = groups.map(({ title, pages }) => {
		const items = pages.map(({ text, link, about }) => {
			const file = (link === '/' ? 'index' : link.slice(1)).replace(/(?=#|$)/, '.md');
			return `- [${text}](${file})${about && `: ${about}`}`;
		});
		return `## ${title}\n\n${items.join('\n')}\n`;
	});
	return `# Easel\n\n> ${intro.replaceAll('\n', ' ')}\n\n${lines.join('\n')}`;
}

/** Returns the pages of the project's folder, of `docs` and of the packages. */
export const pagesIn = (root: string): string[] => globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md'], { cwd: root });

/** Returns a page without its code, in which brackets are no links. */
export const withoutCode = (text: string): string => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, 'code');

/** Returns what a page links to. */
export const linksOf = (text: string): string[] =>
	[...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

/** Returns the files and folders, besides pages and pictures, to which pages of `docs` and of the project's folder link. */
export function linkedFiles(root: string): string[] {
	const links = pagesIn(root).flatMap((page) =>
		linksOf(readFileSync(join(root, page), 'utf8')).map((link) => normalize(join(dirname(page), link))),
	);
	return [...new Set(links)].filter((path) => !/\.(md|png|gif)$/.test(path) && existsSync(join(root, path)));
}
