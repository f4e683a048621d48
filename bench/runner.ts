import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** The results of one run of one peer, by column. */
export type Figures = Record<string, number>;

/** Starts a script in a process of its own, and waits for its one message. */
export async function start<T>(script: string, ...args: string[]): Promise<{ process: ChildProcess; message: T }> {
	const child = fork(script, args, { execArgv: ['--expose-gc'] });
	const failed = once(child, 'exit').then(([code]) => {
		throw new Error(`${script} ${args.join(' ')} exited with ${code} without a message`);
	});
	const [message] = await Promise.race([once(child, 'message'), failed]);
	failed.catch(() => {});
	return { process: child, message: message as T };
}

export async function stop(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, 'exit');
	child.kill('SIGTERM');
	await ended;
}

/** Runs every peer in turn, `rounds` times. Returns the medians by peer. */
export async function alternate(...args: Parameters<typeof allRounds>): Promise<Record<string, Figures>> {
	const runs = await allRounds(...args);
	return Object.fromEntries(Object.entries(runs).map(([peer, all]) => [peer, medians(all)]));
}

/** Runs every peer in turn, `rounds` times. Returns the figures of all rounds by peer. */
export async function allRounds(
	peers: readonly string[],
	rounds: number,
	run: (peer: string) => Promise<Figures>,
): Promise<Record<string, Figures[]>> {
	const runs: Record<string, Figures[]> = {};
	for (let round = 0; round < rounds; round++) {
		for (const peer of peers) {
			runs[peer] ??= [];
			runs[peer].push(await run(peer));
		}
	}
	return runs;
}

function medians(runs: readonly Figures[]): Figures {
	return Object.fromEntries(Object.keys(runs[0]!).map((column) => [column, median(runs.map((run) => run[column]!))]));
}

function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** @param share 0.5 for the median */
export const quantile = (values: readonly number[], share: number): number =>
	values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/** Formats figures as a Markdown table, with ratios to the first row for the columns in `ratios`. */
export function table(rows: Record<string, Figures>, ratios: readonly string[] = []): string {
	const [first] = Object.values(rows);
	const columns = Object.keys(first!);
	const head = ['', ...columns, ...ratios.map((column) => `${column.split(',')[0]} ×`)];
	const lines = Object.entries(rows).map(([name, figures]) => [
		name,
		...columns.map((column) => figures[column]!.toFixed(figures[column]! < 10 ? 2 : 0)),
		...ratios.map((column) => (figures[column]! / first![column]!).toFixed(2)),
	]);
	return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
