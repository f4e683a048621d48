import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { goalTable, lastRun, type Run } from '../../bench/goals.ts';
import { readArguments } from '../../src/cli/arguments.ts';
import { RULES } from '../simulation/rules/rules.ts';

/** A promise, the suites that check it, and the rules of the simulator that do. */
type Promised = [text: string, suites: readonly string[], rules?: readonly number[]];

const PROMISES: readonly Promised[] = [
	[
		'One command is one paid call: a repeated delivery, a retry or a restart never buys a second picture.',
		['test/contract/platform/picture-requests.ts', 'src/jobs/call-once.test.ts', 'test/slack-kill.test.ts'],
		[2],
	],
	[
		'A cap is hard, in calls and in money: however many ask at once, in however many processes, what is used never passes it.',
		[
			...['test/contract/platform/caps.ts', 'test/contract/platform/money.ts', 'test/ledger-processes.test.ts'],
			...['src/usage/caps.test.ts', 'src/usage/money.test.ts'],
		],
		[1, 5, 10, 17],
	],
	[
		'A call that failed is given back to the window that it was taken from. One whose outcome is unknown is never sent again, and stays counted.',
		['test/contract/platform/failures.ts', 'src/jobs/outcome.test.ts', 'src/usage/refunds.test.ts'],
		[3, 6, 11],
	],
	[
		'Pictures are posted as the bytes that the service returned, with alt text.',
		['test/contract/platform/picture-requests.ts', 'src/jobs/marked-pictures.test.ts'],
		[8],
	],
	[
		'Nothing that a model or a person writes pings anyone.',
		['test/contract/platform/chat-answers.ts', 'src/bot/markdown/sanitize-markdown.test.ts'],
	],
	[
		"Attachments are read only from the platforms' own origins, and a token goes to its platform alone.",
		['src/platforms/slack/outbound/reach.test.ts', 'src/service/picture-fetcher.test.ts'],
	],
	['No secret, no prompt and no picture is in a log line.', ['src/log.test.ts', 'test/process.test.ts']],
	[
		'Every request ends in a visible answer, also while the store is gone, frozen or full, and after a crash within 20 seconds.',
		['test/contract/store-failures.ts', 'src/jobs/recovery.test.ts', 'test/discord-process.test.ts'],
		[4, 7, 12, 13, 14],
	],
	[
		'Others edit no pictures of a person who does not want that.',
		['test/contract/platform/consent.ts', 'src/pictures/fingerprint.test.ts'],
	],
	[
		'What one person sees alone stays so.',
		['test/contract/platform/refusals.ts', 'test/contract/platform/moderation-log.ts'],
		[9, 15],
	],
	[
		'What is kept is bounded, and has an end.',
		['src/collections.test.ts', 'test/memory.test.ts', 'test/contract/platform/privacy.ts'],
	],
	[
		'Nothing that anybody sends stops, stalls or fills the process.',
		['test/patterns/patterns.test.ts', 'src/listener.test.ts', 'src/watchdog.test.ts'],
		[16],
	],
	['Nothing in a picture claims what is not so.', ['src/pictures/marks.test.ts', 'src/jobs/marked-pictures.test.ts']],
	['A store of an earlier version comes up whole.', ['test/upgrade.test.ts', 'src/store/migrate.test.ts']],
];

const FILE = new URL('../../docs/proof.md', import.meta.url);
const FIGURES = '\n## Figures\n';

/** Returns what is promised, and by what each promise is checked. */
export function promises(): string {
	const rows = PROMISES.map(([text, suites, rules = []]) => {
		const links = suites.map((path) => `[${path}](../${path})`);
		return `| ${text} | ${links.join('<br>')} | ${rules.join(', ')} |`;
	});
	const list = Object.entries(RULES).map(([number, rule]) => `${number}. ${rule}`);
	return `# Proof

What Easel promises, what checks it, and how to run that yourself. Nothing here needs an account, a key or the network. \`npm run docs:proof\` writes
this page.

\`\`\`
git clone https://github.com/easel-bot/easel && cd easel && npm ci
npm test                                # every suite
npm run simulate -- --seeds 20000       # the ledger under faults: processes are killed, stores fail, clocks disagree
npm run bench                           # each case beside its peer, in one run
\`\`\`

| promise | suites | rules |
| --- | --- | --- |
${rows.join('\n')}

The suites in \`test/contract\` run on Discord, Slack and the sandbox: a person types, the real discord.js and Bolt talk to strict fakes over sockets, and a
picture arrives. The simulator runs ledger, jobs and recovery in several processes under faults that follow from a seed, and holds these rules
against each run:

${list.join('\n')}

Mutations of the code, at least one for each rule, have to be detected by it (\`test/simulation/mutations.ts\`).
`;
}

function figures(): string {
	const run = lastRun('simulation') as (Run & { figures: Record<string, number> }) | undefined;
	const { first = 0, seeds = 0, failures = 0, requests = 0, steps = 0, seconds = 0 } = run?.figures ?? {};
	const number = new Intl.NumberFormat('en');
	const simulated = run
		? `The simulator's last run was on ${run.at.slice(0, 10)}: ${number.format(seeds)} seeds from ${first} on, ${number.format(requests)} counted
requests, ${number.format(steps)} steps, ${seconds} s, **${failures} seeds that break a rule**.`
		: 'The simulator was not run on this machine.';
	const [cpu] = cpus();
	return `${FIGURES}
${simulated}

The bench, on ${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory, Node.js ${process.version}. A figure is Easel's beside the same of a peer that
does only that, such as a minimal bot; \`short\` misses its goal.

${goalTable()}

---

[All documentation](README.md)
`;
}

if (import.meta.main) {
	readArguments({
		name: 'docs:proof',
		does: 'Writes docs/proof.md, with the figures of the last runs of the simulator and the bench.',
	});
	writeFileSync(FILE, promises() + figures());
}

/** The promises as they are on the page. */
export const written = (): string => readFileSync(FILE, 'utf8').split(FIGURES)[0] ?? '';
