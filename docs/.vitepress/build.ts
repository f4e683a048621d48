import { join } from 'node:path';
import { readArguments } from '../../src/cli/arguments.ts';

const { words } = readArguments({
	name: 'docs:site',
	does: 'Builds the site of the documentation, by default in site/.',
	words: { name: 'FOLDER', count: 'any' },
});
const { build } = await import('vitepress');
await build(join(import.meta.dirname, '..'), { outDir: words[0] });
