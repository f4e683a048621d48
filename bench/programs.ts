import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stop } from './runner.ts';

/** A program that runs beside the benchmark, looked at from outside. */
export type Program = {
	/** Resident memory, MB. */
	memory(): number;
	/** The most since `forget`, MB. */
	peak(): number;
	/** Linux forgets the highest mark so far. https://www.kernel.org/doc/html/latest/filesystems/proc.html */
	forget(): void;
	/** Seconds of user and system time so far. */
	cpu(): number;
	stop(): Promise<void>;
};

/** Ticks a second in /proc; the same on every Linux that Node runs on. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const TICKS = 100;

/** @param isReady looks at each line that the script prints; resolves with the first that it says yes to */
export async function startProgram(
	script: string,
	args: readonly string[],
	env: Record<string, string>,
	isReady: (line: string) => boolean | Promise<boolean>,
): Promise<Program> {
	const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
		env: { PATH: process.env['PATH'], ...env },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`${script} ended with ${code} before it was ready`);
	});
	ended.catch(() => {});
	await Promise.race([firstLine(child, isReady), ended]);
	child.stdout.resume();
	const status = (field: 'VmRSS' | 'VmHWM') =>
		Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
	return {
		memory: () => status('VmRSS'),
		peak: () => status('VmHWM'),
		forget: () => writeFileSync(`/proc/${child.pid}/clear_refs`, '5'),
		cpu() {
			const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
			return (Number(fields[11]) + Number(fields[12])) / TICKS;
		},
		stop: () => stop(child),
	};
}

async function firstLine(child: ChildProcess, isReady: (line: string) => boolean | Promise<boolean>): Promise<void> {
	const lines = createInterface({ input: child.stdout! });
	for await (const line of lines) if (await isReady(line)) return;
}
