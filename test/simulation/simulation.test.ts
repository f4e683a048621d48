import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import { MUTATIONS } from './mutations.ts';
import { RULES } from './rules/rules.ts';
import { simulate } from './simulation.ts';

/** A few of the thousands that `npm run simulate` runs before a release. */
const SEEDS = 60;

/** How many seeds may be needed to detect a mutation. Most are detected by the first few. */
const MAX_SEEDS = 1500;

const log = await createLog({ level: 'silent', format: 'json', secrets: [] });

test(`${SEEDS} runs of ledger, jobs and recovery break no rule`, { timeout: 300_000 }, async () => {
	for (let seed = 1; seed <= SEEDS; seed += 1) {
		const { violations, trace } = await simulate(seed, log);
		expect(violations, `Seed ${seed}:\n${trace.join('\n')}`).toEqual([]);
	}
});

test('a run is the same each time', async () => {
	for (const seed of [7, 8]) expect((await simulate(seed, log)).trace).toEqual((await simulate(seed, log)).trace);
});

describe('the simulator detects that', () => {
	test.each(MUTATIONS)('$title', { timeout: 180_000 }, async ({ rule, seed: first = 1, mutation }) => {
		const broken = new Set<number>();
		for (let seed = first, tried = 0; tried < MAX_SEEDS && !broken.has(rule); seed = ++tried)
			for (const violation of (await simulate(seed, log, mutation)).violations) broken.add(violation.rule);
		expect(broken, RULES[rule]).toContain(rule);
	});

	test('each of its rules is broken by a mutation', () => {
		expect(new Set(MUTATIONS.map(({ rule }) => String(rule)))).toEqual(new Set(Object.keys(RULES)));
	});
});
