import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import { BROKEN } from './mutations.ts';
import { RULES } from './rules.ts';
import { simulate } from './run.ts';

const SEEDS = 300;

/** A broken rule has to be noticed within so many seeds; most are in the first few. */
const PATIENCE = 1500;

const log = await createLog({ level: 'silent', format: 'json', secrets: [] });

test(`${SEEDS} runs of the ledger, jobs and recovery break no rule`, { timeout: 60_000 }, async () => {
	for (let seed = 1; seed <= SEEDS; seed += 1) {
		const { violations, trace } = await simulate(seed, log);
		expect(violations, `Seed ${seed}:\n${trace.join('\n')}`).toEqual([]);
	}
});

test('a run is the same each time', async () => {
	for (const seed of [7, 8]) expect((await simulate(seed, log)).trace).toEqual((await simulate(seed, log)).trace);
});

describe('the simulator notices when', () => {
	test.each(BROKEN)('$what', { timeout: 60_000 }, async ({ rule, mutation }) => {
		const noticed = new Set<number>();
		for (let seed = 1; seed <= PATIENCE && !noticed.has(rule); seed += 1)
			for (const violation of (await simulate(seed, log, mutation)).violations) noticed.add(violation.rule);
		expect(noticed, RULES[rule]).toContain(rule);
	});

	test('each of its rules is broken', () => {
		expect(new Set(BROKEN.map(({ rule }) => String(rule)))).toEqual(new Set(Object.keys(RULES)));
	});
});
