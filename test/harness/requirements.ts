import { existsSync, readFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { canUnpackChromium, PACKAGED_CHROMIUM } from './packaged-chromium.ts';

export const REDIS_SERVER = '/usr/bin/redis-server';

/** Debian's Chromium without windows needs half the time of the other; the packaged one is there without set-up. */
export const CHROMIUM =
	process.env['CHROMIUM'] ??
	['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ??
	PACKAGED_CHROMIUM;

/** Runs a command in a pseudo-terminal, and ends with its exit code. https://man7.org/linux/man-pages/man1/script.1.html */
export const SCRIPT = '/usr/bin/script';

/**
 * What some tests need of the machine, as they are called, what marks them in their names or else in their files, whether it is there, and
 * what brings it.
 */
const REQUIREMENTS = {
	browser: {
		tests: 'in a browser',
		mark: /noBrowser/,
		isMet: () => existsSync(CHROMIUM) || (CHROMIUM === PACKAGED_CHROMIUM && canUnpackChromium()),
		remedy: 'apt-get install chromium-headless-shell, or CHROMIUM=/path/to/chromium npm test',
	},
	redis: {
		tests: 'with a Redis server',
		mark: /redis/i,
		isMet: () => existsSync(REDIS_SERVER),
		remedy: 'apt-get install redis-server',
	},
	mount: {
		tests: 'on a full disk',
		mark: /\bdisk\b|canMount/,
		isMet: () => process.getuid?.() === 0,
		remedy: 'run npm test as root on Linux, which may mount a disk',
	},
	terminal: {
		tests: 'in a terminal',
		mark: /terminal/,
		isMet: () => existsSync(SCRIPT) && process.platform === 'linux',
		remedy: 'on Linux, apt-get install bsdutils',
	},
};

const NAMES = Object.keys(REQUIREMENTS);

/** Tells whether tests can run that need this. In CI they always run, and fail without it. */
export const has = (name: keyof typeof REQUIREMENTS): boolean =>
	REQUIREMENTS[name].isMet() || process.env['CI'] !== undefined;

/** Says below the results of a run how many tests of which kinds were skipped, and how to run them. */
export class SkippedTests implements Reporter {
	/** Tests that a pattern of names left out are skipped as well. */
	#isFiltered = false;

	onInit({ config }: Vitest): void {
		this.#isFiltered = config.testNamePattern !== undefined;
	}

	onTestRunEnd(modules: readonly TestModule[]): void {
		const unmet = Object.values(REQUIREMENTS).filter((_, at) => !has(NAMES[at] as keyof typeof REQUIREMENTS));
		const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
		const byKind = Map.groupBy(skipped, (test) => unmet.find(({ mark }) => isMarked(test, mark)));
		const lines = unmet.flatMap((kind) => {
			const count = byKind.get(kind)?.length ?? 0;
			return count === 0 ? [] : [`- ${this.#isFiltered ? 'those' : count} ${kind.tests}: ${kind.remedy}`];
		});
		if (lines.length === 0) return;
		// After the summary of the other reporter.
		setImmediate(() => console.log(`\nThis machine lacks what some tests need. Skipped:\n${lines.join('\n')}\n`));
	}
}

const isMarked = ({ fullName, module }: TestCase, mark: RegExp): boolean =>
	mark.test(fullName) || mark.test(readFileSync(module.moduleId, 'utf8'));
