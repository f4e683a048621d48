import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './src/cli/arguments.ts';

const { words } = readArguments({
	name: 'build',
	does: `Builds what a package of the registry has, in its dist/: JavaScript with its declarations, and the files that are read as they are.
FOLDER is a package such as packages/studio; without one, Easel itself is built. Its page of the sandbox is served from TypeScript there as well.`,
	words: { name: 'FOLDER', count: 'any' },
});

const ROOT = import.meta.dirname;
const NOT_READ = /\.(ts|md)$/;
const PAGE = join(ROOT, 'src/platforms/sandbox/page');

for (const folder of words.length === 0 ? ['.'] : words) build(join(ROOT, folder));

function build(folder: string) {
	const project = join(folder, 'tsconfig.build.json');
	const { include } = JSON.parse(readFileSync(project, 'utf8')) as { include: string[] };
	const isRead = (path: string) => statSync(path).isDirectory() || !NOT_READ.test(path) || path.startsWith(PAGE);
	rmSync(join(folder, 'dist'), { recursive: true, force: true });
	execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project], { stdio: 'inherit' });
	for (const path of [...include, 'package.json'])
		cpSync(join(folder, path), join(folder, 'dist', path), { recursive: true, filter: isRead });
}
