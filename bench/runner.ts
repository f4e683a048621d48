import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The results of one run of one peer, by column. */
export type Figures = Record<string, number>;

/** Runs with a stub of the image service in a process of its own. @param run takes its address */
export async function withStub<Result>(run: (address: string) => Promise<Result>): Promise<Result> {
	const stub = await start<string>(import.meta.resolve('./peers/stub.ts'));
	try {
		return await run(stub.message);
	} finally {
		await stop(stub.process);
	}
}

/** Starts a script in a process of its own, and waits for its one message. */
async function start<T>(script: string, ...args: string[]): Promise<{ process: ChildProcess; message: T }> {
	const child = fork(fileURLToPath(script), args, { execArgv: ['--expose-gc'] });
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

/**
 * Runs a script for each peer in turn, each time in a fresh process, and prints the medians.
 *
 * @param script takes the peer's name and `args`, and sends its figures
 */
export async function comparePeers(
	{ title, script, peers, rounds }: { title: string; script: string; peers: readonly string[]; rounds: number },
	args: readonly string[],
	before = async () => {},
): Promise<Record<string, Figures>> {
	const rows = await alternate(peers, rounds, async (name) => {
		await before();
		const { process, message } = await start<Figures>(script, name, ...args);
		await stop(process);
		return message;
	});
	console.log(`\n## ${title}\n\n${table(rows, Object.keys(Object.values(rows)[0] ?? {}))}`);
	return rows;
}

/** Runs every peer in turn, `rounds` times. Returns the medians by peer. */
export async function alternate(
	peers: readonly string[],
	rounds: number,
	run: (peer: string) => Promise<Figures>,
): Promise<Record<string, Figures>> {
	const runs: Record<string, Figures[]> = {};
	for (let round = 0; round < rounds; round++)
		for (const peer of peers) {
			runs[peer] ??= [];
			runs[peer].push(await run(peer));
		}
	return Object.fromEntries(Object.entries(runs).map(([peer, all]) => [peer, medians(all)]));
}

const medians = (runs: readonly Figures[]): Figures =>
	Object.fromEntries(Object.keys(runs[0]!).map((column) => [column, median(runs.map((run) => run[column]!))]));

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
	const lines = Object.entries(rows).map(([name, figures]) => [
		name,
		...columns.map((column) => figures[column]!.toFixed(figures[column]! < 10 ? 2 : 0)),
		...ratios.map((column) => (figures[column]! / first![column]!).toFixed(2)),
	]);
	return markdownTable([['', ...columns, ...ratios.map((column) => `${column.split(',')[0]} ×`)], ...lines]);
}

/** @param rows the first is the head */
export const markdownTable = ([head = [], ...rows]: readonly (readonly string[])[]): string =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Resident memory of a process now (`VmRSS`), and its peak (`VmHWM`), in MB. https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
export function memoryOf(process: number | 'self', field: 'VmRSS' | 'VmHWM'): number {
	const status = readFileSync(`/proc/${process}/status`, 'utf8');
	return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** What a measured part takes of this process: how much its memory grows at the peak, in MB, and the seconds of CPU so far. */
export function startMeter(): { peak(): number; cpu(): number } {
	globalThis.gc?.();
	// Makes the current memory the peak. https://www.kernel.org/doc/html/latest/filesystems/proc.html
	writeFileSync('/proc/self/clear_refs', '5');
	const idle = memoryOf('self', 'VmRSS');
	const before = process.cpuUsage();
	return {
		peak: () => memoryOf('self', 'VmHWM') - idle,
		cpu() {
			const { user, system } = process.cpuUsage(before);
			return (user + system) / 1e6;
		},
	};
}
