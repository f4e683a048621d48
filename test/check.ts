import { spawnSync } from 'node:child_process';
import { readArguments } from '../src/cli/arguments.ts';

readArguments({
	name: 'check',
	does: `Checks types, lint and format, import rules, dead exports, and patterns over foreign text that are not linear.
Exit code: 0 when all pass, else that of the first one that fails.`,
});
for (const check of ['types', 'style', 'imports', 'exports', 'patterns']) {
	const { status } = spawnSync('npm', ['run', `check:${check}`], { stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}
