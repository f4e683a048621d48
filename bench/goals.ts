import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Figures, markdownTable } from './runner.ts';

/** The figures of a case, as it returned them: rows of figures, for most cases within scenarios. */
type CaseFigures = unknown;

/** A figure of a case and the most that it should be. No time by itself is a goal, because it depends on the machine. */
type Goal = {
	case: string;
	title: string;
	most: number;
	unit: '×' | '' | 'MB' | 'ms' | '%';
	/** Undefined or NaN when the case has not measured it. */
	figure(figures: CaseFigures): number | undefined;
};

type Rows = Record<string, Figures>;
type Scenarios = Record<string, Rows>;

/** Easel's figure. */
const easel = (column: string, scenario: string) => (figures: CaseFigures) =>
	scenarioOf(figures, scenario)?.['easel']?.[column];

/** Easel's figure divided by the peer's. */
const ratio = (peer: string, column: string, scenario: string) => (figures: CaseFigures) =>
	(easel(column, scenario)(figures) ?? Number.NaN) / (scenarioOf(figures, scenario)?.[peer]?.[column] ?? Number.NaN);

/** @param title the title or its beginning */
const scenarioOf = (figures: CaseFigures, title: string): Rows | undefined =>
	Object.entries(figures as Scenarios).find(([name]) => name.startsWith(title))?.[1];

/** How far a column of the soak is from its value after 10,000 requests at most, in percent. */
const driftOf = (column: string) => (figures: CaseFigures) => {
	const settled = Object.entries(figures as Rows).filter(([requests]) => Number(requests) >= 10_000);
	const [first = Number.NaN, ...later] = settled.map(([, row]) => row[column] ?? Number.NaN);
	if (later.length === 0) return undefined;
	return Math.max(...later.map((value) => (value === first ? 0 : (100 * Math.abs(value - first)) / first)));
};

const DISCORD = 'discord.js + openai';
const SLACK = 'Bolt + openai';
const ONE_BY_ONE = '300 commands';
const MANY = '10,000 commands';

/** A transaction of SQLite waits for the disk: several requests at once share one. */
const LEDGER: Record<string, number> = { 'SQLite, 1': 1.43, 'SQLite, 32': 1, 'Redis, 1': 2, 'Redis, 32': 2 };

/** The most that one warm request may run. */
const WALK: Record<string, Figures> = {
	'/imagine': { functions: 300, files: 70, transactions: 4, 'row writes': 10 },
	'/limits set': { files: 45 },
	'/usage': { files: 45 },
	'a chat message': { files: 65 },
};

const GOALS: readonly Goal[] = [
	goal('client', '32 answers of 4 MB at once: peak', 0.3, '×', ratio('openai', 'peak, MB', 'many')),
	goal('client', 'four pictures of 10 MB in one answer: peak', 0.3, '×', ratio('openai', 'peak, MB', 'four')),
	goal('client', 'four pictures of 10 MB in one answer: CPU', 0.6, '×', ratio('openai', 'CPU, s', 'four')),
	goal('discord', 'one command, 4 kB: posted p50', 1.3, '×', ratio(DISCORD, 'posted p50, ms', ONE_BY_ONE)),
	goal('discord', '10,000 commands: resident memory', 1.2, '×', ratio(DISCORD, 'after 10000, MB', MANY)),
	goal('slack', 'one command, 4 kB: posted p50', 1.5, '×', ratio(SLACK, 'posted p50, ms', ONE_BY_ONE)),
	goal('slack', 'one command: calls of the Web API', 4, '', easel('API calls a command', ONE_BY_ONE)),
	goal('slack', '10,000 commands: resident memory', 1.2, '×', ratio(SLACK, 'after 10000, MB', MANY)),
	...['SQLite, 1', 'SQLite, 32', 'Redis, 1', 'Redis, 32'].map((scenario) =>
		goal('ledger', `${scenario} in flight: raw calls for one of the ledger`, LEDGER[scenario] ?? 2, '×', (figures) => {
			const rows = scenarioOf(figures, `${scenario} in flight`);
			return (rows?.['raw']?.['calls/s'] ?? Number.NaN) / (rows?.['easel']?.['calls/s'] ?? Number.NaN);
		}),
	),
	goal(
		'relay',
		'200,000 deltas: CPU until all is shown',
		1,
		'×',
		ratio('openai', 'CPU until all is shown, s', 'flood'),
	),
	...['posted p50, ms', 'CPU a picture, ms', 'idle CPU, s'].map((column) =>
		goal('growth', `the most earlier pictures beside none: ${column}`, 1.3, '×', (figures) => {
			const rows = Object.values(figures as Rows);
			return (rows.at(-1)?.[column] ?? Number.NaN) / (rows[0]?.[column] ?? Number.NaN);
		}),
	),
	...['resident, MB', 'heap, MB', 'handles', 'timers', 'listeners', 'rows a request'].map((column) =>
		goal('soak', `${column} from 10,000 requests on: change`, 5, '%', driftOf(column)),
	),
	...Object.entries(WALK).flatMap(([request, most]) =>
		Object.entries(most).map(([column, value]) =>
			goal('walk', `${request}: ${column}`, value, '', (figures) => (figures as Rows)[request]?.[column]),
		),
	),
];

function goal(name: string, title: string, most: number, unit: Goal['unit'], figure: Goal['figure']): Goal {
	return { case: name, title, most, unit, figure };
}

/** The file of the last run of a case. */
const fileOf = (name: string): URL => new URL(`./results/${name}.json`, import.meta.url);

export type Run = { at: string; node: string; figures: CaseFigures };

export function lastRun(name: string): Run | undefined {
	return existsSync(fileOf(name)) ? (JSON.parse(readFileSync(fileOf(name), 'utf8')) as Run) : undefined;
}

export function recordRun(name: string, figures: CaseFigures): void {
	const run: Run = { at: new Date().toISOString(), node: process.version, figures };
	mkdirSync(new URL('.', fileOf(name)), { recursive: true });
	writeFileSync(fileOf(name), `${JSON.stringify(run, undefined, '\t')}\n`);
}

/** Formats a Markdown table of all goals with the figures of the last run of each case, and `pass` or `short`; `-` where there is none. */
export function goalTable(): string {
	const rows = GOALS.map(({ case: name, title, most, unit, figure }) => {
		const run = lastRun(name);
		const value = (run && figure(run.figures)) ?? Number.NaN;
		const verdict = Number.isNaN(value) ? '-' : value <= most ? 'pass' : '**short**';
		const shown = Number.isNaN(value) ? '-' : `${value.toFixed(Math.abs(value) < 10 ? 2 : 0)} ${unit}`.trim();
		return [name, title, `≤ ${most} ${unit}`.trim(), shown, verdict, run?.at.slice(0, 10) ?? ''];
	});
	return markdownTable([['case', 'figure', 'goal', 'measured', '', 'on'], ...rows]);
}
