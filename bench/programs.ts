import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { memoryOf, stop } from './runner.ts';

/** A program under test, measured from outside. */
export type Program = {
	/** Resident memory, MB. */
	memory(): number;
	/** Seconds of user and system time so far. */
	cpu(): number;
	/** Sends the program a message and returns its answer. */
	ask<Answer>(message: string): Promise<Answer>;
	stop(): Promise<void>;
};

/** Clock ticks a second in /proc, the same on every Linux that Node supports. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const TICKS = 100;

/** @param isReady is called for each line that the script prints; the start is complete when it returns true */
export async function startProgram(
	script: string,
	args: readonly string[],
	env: Record<string, string>,
	isReady: (line: string) => boolean,
	nodeOptions: readonly string[] = [],
): Promise<Program> {
	const child = spawn(process.execPath, [...nodeOptions, fileURLToPath(script), ...args], {
		env: { PATH: process.env['PATH'], ...env },
		stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
	});
	const ended = once(child, 'exit').then(([code]): never => {
		throw new Error(`${script} ended with ${code}`);
	});
	ended.catch(() => {});
	const lines = createInterface({ input: child.stdout! });
	const ready = new Promise<void>((resolve) => lines.on('line', (line) => isReady(line) && resolve()));
	await Promise.race([ready, ended]);
	const pid = child.pid ?? 0;
	return {
		memory: () => memoryOf(pid, 'VmRSS'),
		cpu() {
			const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
			return (Number(fields[11]) + Number(fields[12])) / TICKS;
		},
		async ask<Answer>(message: string) {
			const answered = once(child, 'message');
			child.send(message);
			const [answer] = await Promise.race([answered, ended]);
			return answer as Answer;
		},
		stop: () => stop(child),
	};
}
