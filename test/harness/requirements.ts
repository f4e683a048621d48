import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

export const REDIS_SERVER = '/usr/bin/redis-server';

/** Debian's Chromium without windows needs half the time of the other. */
export const CHROMIUM =
	process.env['CHROMIUM'] ??
	['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ??
	'/usr/bin/chromium-headless-shell';

/** Runs a command in a pseudo-terminal, and ends with its exit code. https://man7.org/linux/man-pages/man1/script.1.html */
export const SCRIPT = '/usr/bin/script';

/** Runs a program as process 1 of a namespace of its own, with its own `/proc`, as a container does. */
export const UNSHARE = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** What some tests need of the machine, as they are called, whether it is there, and what brings it. */
const REQUIREMENTS = {
	browser: {
		tests: 'in a browser',
		isMet: () => existsSync(CHROMIUM),
		remedy: 'apt-get install chromium-headless-shell, or CHROMIUM=/path/to/chromium npm test',
	},
	redis: {
		tests: 'with a Redis server',
		isMet: () => existsSync(REDIS_SERVER),
		remedy: 'apt-get install redis-server',
	},
	mount: {
		tests: 'on a full disk',
		isMet: () => process.getuid?.() === 0,
		remedy: 'run npm test as root on Linux, which may mount a disk',
	},
	namespaces: {
		tests: 'in two containers',
		isMet: () => spawnSync('unshare', [...UNSHARE.slice(1), 'true']).status === 0,
		remedy: 'run npm test on Linux, where unshare --user is allowed',
	},
	terminal: {
		tests: 'in a terminal',
		isMet: () => existsSync(SCRIPT) && process.platform === 'linux',
		remedy: 'on Linux, apt-get install bsdutils',
	},
};

/** Tells whether tests can run that need this. In CI they always run, and fail without it. */
export const has = (name: keyof typeof REQUIREMENTS): boolean =>
	REQUIREMENTS[name].isMet() || process.env['CI'] !== undefined;

/** Says below the results of a run which kinds of tests were skipped, and how to run them. */
export class SkippedTests implements Reporter {
	#isFiltered = false;

	onInit({ config }: Vitest): void {
		this.#isFiltered = config.testNamePattern !== undefined;
	}

	onTestRunEnd(modules: readonly TestModule[]): void {
		const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]).length;
		const unmet = Object.keys(REQUIREMENTS).filter((name) => !has(name as keyof typeof REQUIREMENTS));
		if (skipped === 0 || this.#isFiltered || unmet.length === 0) return;
		const lines = Object.entries(REQUIREMENTS)
			.filter(([name]) => unmet.includes(name))
			.map(([, { tests, remedy }]) => `- ${tests}: ${remedy}`);
		// After the summary of the other reporter.
		setImmediate(() =>
			console.log(`\n${skipped} tests were skipped, since this machine cannot run those\n${lines.join('\n')}\n`),
		);
	}
}
