import { mkdirSync, writeFileSync } from 'node:fs';
import * as client from './cases/client.ts';
import * as compose from './cases/compose.ts';
import * as discord from './cases/discord.ts';
import * as growth from './cases/growth.ts';
import * as ledger from './cases/ledger.ts';
import * as relay from './cases/relay.ts';
import * as slack from './cases/slack.ts';
import * as soak from './cases/soak.ts';
import * as start from './cases/start.ts';
import * as sustained from './cases/sustained.ts';
import * as waiting from './cases/waiting.ts';

/** A case prints its figures as Markdown tables, and returns them for `bench/results/`. */
export type Case = { description: string; run(): Promise<unknown> };

const CASES: Record<string, Case> = {
	client,
	compose,
	discord,
	growth,
	ledger,
	relay,
	slack,
	soak,
	start,
	sustained,
	waiting,
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in CASES));
if (unknown.length > 0) {
	console.error(`Unknown case: ${unknown.join(', ')}. Cases: ${Object.keys(CASES).join(', ')}.`);
	process.exit(64);
}

const results = new URL('./results/', import.meta.url);
mkdirSync(results, { recursive: true });
for (const [name, { description, run }] of Object.entries(CASES)) {
	if (chosen.length > 0 && !chosen.includes(name)) continue;
	console.log(`\n# ${name}\n\n${description}`);
	const figures = await run();
	const record = { case: name, at: new Date().toISOString(), node: process.version, figures };
	writeFileSync(new URL(`${name}.json`, results), `${JSON.stringify(record, undefined, '\t')}\n`);
}
