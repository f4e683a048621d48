import type { Figures } from './runner.ts';

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

/** Easel's figure divided by the peer's. */
const ratio =
	(peer: string, column: string, scenario?: string) =>
	(figures: CaseFigures): number | undefined => {
		const rows = scenario === undefined ? (figures as Rows) : scenarioOf(figures, scenario);
		return (rows?.['easel']?.[column] ?? Number.NaN) / (rows?.[peer]?.[column] ?? Number.NaN);
	};

const easel =
	(column: string, scenario?: string) =>
	(figures: CaseFigures): number | undefined =>
		(scenario === undefined ? (figures as Rows) : scenarioOf(figures, scenario))?.['easel']?.[column];

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
const AT_ONCE = '200 members at once';
const MANY = '10,000 commands';

const GOALS: readonly Goal[] = [
	goal('client', '32 answers of 4 MB at once: peak', 0.25, '×', ratio('openai', 'peak, MB', 'many')),
	goal('client', 'four pictures of 10 MB in one answer: peak', 0.15, '×', ratio('openai', 'peak, MB', 'four')),
	goal('client', 'four pictures of 10 MB in one answer: CPU', 0.35, '×', ratio('openai', 'CPU, s', 'four')),
	goal('client', 'chat stream: peak', 0.8, '×', ratio('openai', 'peak, MB', 'chat')),
	goal('compose', 'eight at once, three pictures of 10 MB each: peak', 0.3, '×', ratio(DISCORD, 'peak over idle, MB')),
	goal('discord', 'one command, 4 kB: posted p50', 1.5, '×', ratio(DISCORD, 'posted p50, ms', ONE_BY_ONE)),
	goal('discord', '200 members at once: CPU', 1, '×', ratio(DISCORD, 'CPU, s', AT_ONCE)),
	goal('discord', '10,000 commands: resident memory', 1.2, '×', ratio(DISCORD, 'after 10000, MB', MANY)),
	goal('discord', '10,000 commands: resident memory, of that after 1,000', 1.05, '×', (figures) => {
		const row = scenarioOf(figures, MANY)?.['easel'];
		return (row?.['after 10000, MB'] ?? Number.NaN) / (row?.['after 1000, MB'] ?? Number.NaN);
	}),
	goal('slack', 'one command, 4 kB: posted p50', 1.5, '×', ratio(SLACK, 'posted p50, ms', ONE_BY_ONE)),
	goal('slack', 'one command: calls of the Web API', 4, '', easel('API calls a command', ONE_BY_ONE)),
	goal('slack', '200 members at once: all posted', 1.3, '×', ratio(SLACK, 'all posted, ms', AT_ONCE)),
	goal('slack', '200 members at once: CPU', 1.2, '×', ratio(SLACK, 'CPU, s', AT_ONCE)),
	goal('slack', '10,000 commands: resident memory', 1.2, '×', ratio(SLACK, 'after 10000, MB', MANY)),
	goal(
		'relay',
		'200,000 deltas: CPU until all is shown',
		0.4,
		'×',
		ratio('openai', 'CPU until all is shown, s', 'flood'),
	),
	...['256 dimensions', '1024 dimensions'].map((row) =>
		goal(
			'find',
			`100,000 results, ${row}: missed of the best ten`,
			5,
			'%',
			(figures) => (figures as Rows)[row]?.['missed of ten, %'],
		),
	),
	...['256 dimensions', '1024 dimensions'].map((row) =>
		goal(
			'find',
			`100,000 results, ${row}: loop held`,
			50,
			'ms',
			(figures) => (figures as Rows)[row]?.['loop held, ms'],
		),
	),
	goal('burst', '60 pictures at once in a channel of Slack: all shown', 1, '×', ratio(SLACK, 'all shown, s')),
	goal('start', 'start to healthy, beside importing both SDKs', 0.9, '×', ratio('the SDKs alone', 'ready, ms')),
	goal('start', 'idle memory, beside importing both SDKs', 1, '×', ratio('the SDKs alone', 'idle, MB')),
	goal('size', 'packages after npm ci --omit=dev, of those before', 0.6, '×', ratio('before', 'packages, MB')),
	goal('soak', 'resident memory from 10,000 requests on: change', 5, '%', driftOf('resident, MB')),
	goal('soak', 'heap from 10,000 requests on: change', 5, '%', driftOf('heap, MB')),
	goal('soak', 'handles from 10,000 requests on: change', 5, '%', driftOf('handles')),
	goal('soak', 'timers from 10,000 requests on: change', 5, '%', driftOf('timers')),
	goal('soak', 'listeners from 10,000 requests on: change', 5, '%', driftOf('listeners')),
	goal('soak', 'rows of a request from 10,000 requests on: change', 5, '%', driftOf('rows a request')),
	goal('sustained', 'acknowledged p99', 250, 'ms', easel('acknowledged p99, ms')),
	goal('sustained', 'lost requests', 0, '', easel('lost')),
	goal('sustained', 'requests over the cap', 0, '', easel('over the cap')),
];

function goal(name: string, title: string, most: number, unit: Goal['unit'], figure: Goal['figure']): Goal {
	return { case: name, title, most, unit, figure };
}

/**
 * Formats a Markdown table of all goals: the most, the figure, and `pass` or `short`; `-` where a case was not run.
 *
 * @param figuresOf returns the last figures of a case, if there are any
 */
export function goalTable(figuresOf: (name: string) => CaseFigures | undefined): string {
	const rows = GOALS.map(({ case: name, title, most, unit, figure }) => {
		const figures = figuresOf(name);
		const value = (figures === undefined ? undefined : figure(figures)) ?? Number.NaN;
		const verdict = Number.isNaN(value) ? '-' : value <= most ? 'pass' : '**short**';
		const shown = Number.isNaN(value) ? '-' : `${value.toFixed(Math.abs(value) < 10 ? 2 : 0)} ${unit}`.trim();
		return [name, title, `≤ ${most} ${unit}`.trim(), shown, verdict];
	});
	const head = ['case', 'figure', 'goal', 'measured', ''];
	return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
