import { parseArgs } from 'node:util';
import { createLog } from '../../src/log.ts';
import { RULES } from './rules/rules.ts';
import { simulate } from './simulation.ts';

/**
 * Usage: `npm run simulate -- --seeds 1000 --seed 1`. Runs one seed after the other until one breaks a rule, or all
 * with `--keep`.
 */
const { values } = parseArgs({
	options: {
		seeds: { type: 'string', default: '1000' },
		seed: { type: 'string', default: '1' },
		keep: { type: 'boolean', default: false },
	},
});
const [first, count] = [Number(values.seed), Number(values.seeds)];
if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count) || count < 1) {
	console.error('--seed and --seeds must be whole numbers, such as --seeds 1000 --seed 1.');
	process.exit(64);
}

const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
const start = performance.now();
let [steps, requests, failures] = [0, 0, 0];
for (let seed = first; seed < first + count; seed += 1) {
	const result = await simulate(seed, log);
	steps += result.steps;
	requests += result.requests;
	if (result.violations.length === 0) continue;
	failures += 1;
	process.exitCode = 1;
	if (!values.keep) console.log(result.trace.join('\n'));
	console.log(`\nSeed ${seed} breaks rules (run it alone with --seeds 1 --seed ${seed}):`);
	for (const { rule, description } of result.violations) console.log(`- Rule ${rule}, ${RULES[rule]}: ${description}`);
	if (!values.keep) break;
}
const seconds = (performance.now() - start) / 1000;
const summary = failures > 0 && !values.keep ? 'Stopped' : `${count} seeds, ${failures} of which break a rule`;
console.log(
	`${summary}: ${requests} counted requests, ${steps} steps, ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(1)} seeds/s`,
);
