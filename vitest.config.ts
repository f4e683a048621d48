import { defineConfig } from 'vitest/config';
import { SkippedTests } from './test/harness/requirements.ts';

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
		projects: [
			{
				extends: true,
				test: { name: 'processes', include: ['test/**/*.test.ts', 'packages/**/*.test.ts', 'bench/**/*.test.ts'] },
			},
			{
				// Each worker imports the modules once for all its files, which most of these tests' time would go to.
				extends: true,
				test: { name: 'units', include: ['src/**/*.test.ts', 'commands/**/*.test.ts'], isolate: false },
			},
		],
	},
});
