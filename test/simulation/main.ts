import { recordRun } from '../../bench/goals.ts';
import { readArguments, refuseArguments } from '../../src/cli/arguments.ts';
import { createLog } from '../../src/log.ts';
import { RULES } from './rules/rules.ts';

const { seed, seeds, keep } = readArguments({
	name: 'simulate',
	does: `Runs the ledger under faults of network, disk and clock, one seed after the other, until one breaks a rule.
A signal ends it after the seed that runs. Exit code: 0 when all rules hold, 1 when one is broken.`,
	options: {
		seeds: { value: 'NUMBER', help: 'how many seeds; default 1000' },
		seed: { value: 'NUMBER', help: 'the first seed; default 1' },
		keep: { help: 'goes on after a seed that breaks a rule' },
	},
}).options;
const [first, count] = [Number(seed ?? 1), Number(seeds ?? 1000)];
if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count) || count < 1)
	refuseArguments('simulate', '--seed and --seeds must be whole numbers, such as --seeds 1000 --seed 1');

// Loads most of Easel, which the help needs not.
const { simulate } = await import('./simulation.ts');
const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
const start = performance.now();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isStopped = true));
let [done, steps, requests, failures] = [0, 0, 0, 0];
for (let seed = first; seed < first + count && !isStopped; seed += 1) {
	const result = await simulate(seed, log);
	done += 1;
	steps += result.steps;
	requests += result.requests;
	if (result.violations.length === 0) continue;
	failures += 1;
	process.exitCode = 1;
	if (!keep) console.log(result.trace.join('\n'));
	console.log(`\nSeed ${seed} breaks rules (run it alone with --seeds 1 --seed ${seed}):`);
	for (const { rule, description } of result.violations) console.log(`- Rule ${rule}, ${RULES[rule]}: ${description}`);
	isStopped ||= !keep;
}
const seconds = (performance.now() - start) / 1000;
const rate = (done / seconds).toFixed(1);
console.log(
	`${done} seeds, ${failures} of which break a rule: ${requests} counted requests, ${steps} steps, ${seconds.toFixed(1)} s, ${rate} seeds/s`,
);
recordRun('simulation', { first, seeds: done, failures, requests, steps, seconds: Math.round(seconds) });
