import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig } from 'vitepress';
import { addressOf, addressOfLink, linkedFiles, llmsText, readIndex } from './pages.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A host may serve the site below a path, such as `/easel/`. */
const BASE = process.env['SITE_BASE'] ?? '/';
const ICON = 'src/platforms/sandbox/page/easel.svg';

const index = readIndex(readFileSync(join(ROOT, 'docs/README.md'), 'utf8'));
const files = linkedFiles(ROOT);

/** The site: the same pages as in the repository, with its one index. https://vitepress.dev/reference/site-config */
export default defineConfig({
	title: 'Easel',
	description: 'A bot that makes pictures for Discord and Slack, with caps that hold',
	base: BASE,
	srcDir: ROOT,
	srcExclude: ['{data,site,src,test,bench,commands,.github}/**', 'packages/*/{src,test}/**'],
	outDir: join(ROOT, 'site'),
	cacheDir: join(ROOT, 'node_modules/.cache/vitepress'),
	rewrites: addressOf,
	cleanUrls: true,
	head: [['link', { rel: 'icon', href: `${BASE}easel.svg` }]],
	// A page that is missing ends the build. What is no page is copied.
	ignoreDeadLinks: [
		(link) => files.some((file) => `/${addressOf(file)}`.replace(/\/$/, '') === link.replace(/\/index$/, '')),
	],
	markdown: {
		config(markdown) {
			markdown.core.ruler.push('addresses', ({ tokens, env }) => {
				const page = relative(ROOT, env.realPath ?? env.path);
				for (const token of tokens.flatMap(({ children }) => children ?? [])) {
					const link = token.type === 'link_open' ? token.attrGet('href') : null;
					if (link) token.attrSet('href', addressOfLink(link, page));
				}
			});
		},
	},
	themeConfig: {
		search: { provider: 'local' },
		outline: [2, 3],
		sidebar: index.map(({ title, pages }) => ({ text: title, items: pages })),
	},
	buildEnd({ outDir, pages }) {
		for (const file of files) {
			mkdirSync(join(outDir, dirname(addressOf(file))), { recursive: true });
			cpSync(join(ROOT, file), join(outDir, addressOf(file)), { recursive: true });
		}
		cpSync(join(ROOT, ICON), join(outDir, 'easel.svg'));
		// For language models, as Markdown.
		for (const page of pages) cpSync(join(ROOT, page), join(outDir, addressOf(page)));
		// After the title and the other languages.
		const [, , intro = ''] = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n\n');
		writeFileSync(join(outDir, 'llms.txt'), llmsText(intro, index));
	},
});
