import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * Fails where two folders of the core import each other: then neither can be read, moved or tested without the other. The files of `src`
 * itself put the others together and are exempt.
 */

const ROOT = join(import.meta.dirname, '../..');

/** Pairs that are left. The list only shrinks: a pair that no longer exists has to be removed from it. */
const LEFT: readonly string[] = [
	'src/bot ⇄ src/bot/chat',
	'src/bot ⇄ src/bot/moderation',
	'src/bot ⇄ src/bot/results',
	'src/bot ⇄ src/bot/search',
	'src/bot ⇄ src/jobs',
	'src/bot/chat ⇄ src/jobs',
	'src/bot/moderation ⇄ src/jobs',
	'src/bot/moderation ⇄ src/jobs/review',
	'src/jobs ⇄ src/jobs/review',
	'src/jobs ⇄ src/requests',
	'src/usage ⇄ src/usage/report',
	'src/usage ⇄ src/usage/settings',
];

/** Relative imports, of types too, and those that are made when they are needed. */
const IMPORT = /\bfrom '(\.[^']*)'|\bimport\('(\.[^']*)'\)/g;

const imports = new Set<string>();
for (const path of globSync('{commands,src}/**/*.ts', { cwd: ROOT })) {
	if (/\.(test|fixture)\.ts$|^src\/(platforms|studio)\//.test(path)) continue;
	const folder = dirname(path);
	for (const [, from = '', lazily = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORT)) {
		const other = dirname(normalize(join(folder, from || lazily)));
		if (other !== folder) imports.add(`${folder} ${other}`);
	}
}

const pairs = [...imports]
	.map((each) => each.split(' ') as [string, string])
	.filter(([one, other]) => one < other && one !== 'src' && imports.has(`${other} ${one}`))
	.map(([one, other]) => `${one} ⇄ ${other}`);
const added = pairs.filter((pair) => !LEFT.includes(pair));
const gone = LEFT.filter((pair) => !pairs.includes(pair));
for (const pair of added) console.error(`These folders import each other: ${pair}`);
for (const pair of gone) console.error(`Remove this pair from the list in test/imports/main.ts: ${pair}`);
console.log(`${pairs.length} pairs of folders import each other`);
process.exitCode = added.length + gone.length > 0 ? 1 : 0;
