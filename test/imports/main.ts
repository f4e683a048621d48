import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * Fails where files import each other, or two folders of the core do: then neither can be read, moved or tested without the other. The
 * files of `src` itself put the folders together and are exempt, and so is what a context imports: features in other folders take it by its
 * type alone.
 */

const ROOT = join(import.meta.dirname, '../..');
const CONTEXTS = [
	'src/easel.ts',
	...['slack/slack.ts', 'discord/discord.ts', 'sandbox/page/page.ts'].map((path) => `src/platforms/${path}`),
];

/** Relative imports, of types too, and those that are made when they are needed. */
const IMPORT = /\b(import type [^;]*?|)(?:\bfrom '(\.[^']*)'|\bimport\('(\.[^']*)'\))/g;

const files = new Map<string, string[]>();
const folders = new Set<string>();
for (const path of globSync('{commands,src,packages,test,bench}/**/*.ts', {
	cwd: ROOT,
	exclude: ['packages/*/dist'],
})) {
	const folder = dirname(path);
	const others: string[] = [];
	for (const [, asType, from = '', lazily = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORT)) {
		const other = normalize(join(folder, from || lazily));
		if (
			CONTEXTS.includes(other) &&
			!asType &&
			dirname(other) !== folder &&
			/^(commands|src)\/.*\//.test(path) &&
			!/\.(test|fixture)\.ts$/.test(path)
		)
			throw new Error(`${path} takes more than types from the context`);
		others.push(other);
		if (/^(packages|test|bench)\/|\.(test|fixture)\.ts$|^src\/platforms\//.test(path) || dirname(other) === folder)
			continue;
		folders.add(`${folder} ${dirname(other)}`);
	}
	files.set(path, CONTEXTS.includes(path) ? [] : others);
}

const finished = new Set<string>();

/** Returns the files on the way from a file back to one that is on the way already. */
function circleFrom(path: string, way: readonly string[] = []): readonly string[] | undefined {
	if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
	if (finished.has(path)) return undefined;
	for (const other of files.get(path) ?? []) {
		const circle = circleFrom(other, [...way, path]);
		if (circle) return circle;
	}
	finished.add(path);
	return undefined;
}

const circles = [...files.keys()].flatMap((path) => {
	const circle = circleFrom(path);
	for (const each of circle ?? []) finished.add(each);
	return circle ? [circle.join(' → ')] : [];
});
const pairs = [...folders]
	.map((each) => each.split(' ') as [string, string])
	.filter(([one, other]) => one < other && one !== 'src' && other !== 'src' && folders.has(`${other} ${one}`))
	.map(([one, other]) => `${one} ⇄ ${other}`);
for (const circle of circles) console.error(`These files import each other: ${circle}`);
for (const pair of pairs) console.error(`These folders import each other: ${pair}`);
console.log(`${pairs.length} pairs of folders import each other`);
process.exitCode = circles.length + pairs.length > 0 ? 1 : 0;
