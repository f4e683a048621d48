import { readArguments, refuseArguments } from '../src/cli/arguments.ts';
import { goalTable, recordRun } from './goals.ts';

/** A case prints its figures as Markdown tables, and returns them for `bench/results/`. */
export type Case = { description: string; run(): Promise<unknown> };

/** Each is loaded only when it is run. */
const CASES: Record<string, () => Promise<Case>> = {
	client: () => import('./cases/client.ts'),
	discord: () => import('./cases/discord.ts'),
	growth: () => import('./cases/growth.ts'),
	ledger: () => import('./cases/ledger.ts'),
	relay: () => import('./cases/relay.ts'),
	slack: () => import('./cases/slack.ts'),
	soak: () => import('./cases/soak.ts'),
	walk: () => import('./cases/walk.ts'),
};

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

for (const [name, load] of Object.entries(CASES)) {
	if (chosen.length > 0 && !chosen.includes(name)) continue;
	const { description, run } = await load();
	console.log(`\n# ${name}\n\n${description}`);
	recordRun(name, await run());
}
console.log(`\n# Goals\n\nOf the last run of each case.\n\n${goalTable()}`);
