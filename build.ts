import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './src/cli/arguments.ts';

readArguments({
	name: 'build',
	does: `Builds what the package of the registry has, in dist/: JavaScript with its declarations, and the files that are read as they are.
The page of the sandbox is served from its TypeScript there as well.`,
});

const ROOT = import.meta.dirname;
const FOLDERS = ['commands', 'src', 'packages/studio/src'];
const NOT_READ = /\.(ts|md)$/;
const PAGE = 'src/platforms/sandbox/page/';

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
	cwd: ROOT,
	stdio: 'inherit',
});
const files = globSync(
	FOLDERS.map((folder) => `${folder}/**/*.*`),
	{ cwd: ROOT },
);
for (const file of [...files, 'package.json'])
	if (!NOT_READ.test(file) || file.startsWith(PAGE)) cpSync(join(ROOT, file), join(ROOT, 'dist', file));
