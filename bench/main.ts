import { readArguments, refuseArguments } from '../src/cli/arguments.ts';
import * as client from './cases/client.ts';
import * as discord from './cases/discord.ts';
import * as growth from './cases/growth.ts';
import * as ledger from './cases/ledger.ts';
import * as relay from './cases/relay.ts';
import * as slack from './cases/slack.ts';
import * as soak from './cases/soak.ts';
import * as walk from './cases/walk.ts';
import { goalTable, recordRun } from './goals.ts';

/** A case prints its figures as Markdown tables, and returns them for `bench/results/`. */
export type Case = { description: string; run(): Promise<unknown> };

const CASES: Record<string, Case> = { client, discord, growth, ledger, relay, slack, soak, walk };

/** Prints the goals beside the last results, without measuring. */
const GOALS_ONLY = 'goals';

const { words: chosen } = readArguments({
	name: 'bench',
	does: `Runs the benchmarks beside their peers, all or the given cases, and prints the goals beside the results:
${Object.keys(CASES).join(', ')};
or ${GOALS_ONLY}, which measures nothing and prints those of the last run.`,
	words: { name: 'CASE', count: 'any' },
});
const unknown = chosen.filter((name) => !Object.hasOwn(CASES, name) && name !== GOALS_ONLY);
if (unknown.length > 0) refuseArguments('bench', `Unknown case: ${unknown.join(', ')}`);

for (const [name, { description, run }] of Object.entries(CASES)) {
	if (chosen.length > 0 && !chosen.includes(name)) continue;
	console.log(`\n# ${name}\n\n${description}`);
	recordRun(name, await run());
}
console.log(`\n# Goals\n\nOf the last run of each case.\n\n${goalTable()}`);
