import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SkippedTests } from './test/harness/requirements.ts';

/** Memory as a folder, which most Linux machines have. In a container it may be too small. */
const MEMORY = '/dev/shm';
const MIN_FREE = 2 * 1024 ** 3;

// Every commit waits for the disk. In memory, the tests take half the time, and a process that is killed loses no more.
if (existsSync(MEMORY)) {
	const { bavail, bsize } = statfsSync(MEMORY);
	if (bavail * bsize >= MIN_FREE) process.env['TMPDIR'] = MEMORY;
}

// The processes of the tests compile the libraries that they import once for all.
process.env['NODE_COMPILE_CACHE'] = join(tmpdir(), 'easel-tests-compiled');

export default defineConfig({
	test: {
		reporters: ['default', new SkippedTests()],
		// A busy machine needs more than the seconds that are the defaults.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// What a killed process has left behind is answered within 20 seconds.
		expect: { poll: { timeout: 25_000 } },
		// More than two cores need, since many tests wait for processes that they have started.
		maxWorkers: 3,
		// Each worker imports the modules once for all its files, which takes over a second for most of them.
		isolate: false,
		projects: [
			{ extends: true, test: { name: 'processes', include: ['test/**/*.test.ts'] } },
			{ extends: true, test: { name: 'units', include: ['{src,commands,packages}/**/*.test.ts'] } },
		],
	},
});
