import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** Easel as `npm start` starts it, with this folder as its own, on a free port. */
export function startProcess(folder: string, env: Record<string, string> = {}) {
	const child = spawn(process.execPath, [MAIN], {
		cwd: folder,
		env: { PATH: process.env['PATH'], PORT: '0', LOG_FORMAT: 'json', ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const lines: string[] = [];
	const errors: string[] = [];
	createInterface(child.stderr).on('line', (line) => errors.push(line));
	const told = new Promise<string>((resolve) => {
		createInterface(child.stdout).on('line', (line) => {
			lines.push(line);
			const { address } = JSON.parse(line);
			if (address) resolve(address);
		});
	});
	/** The exit code. */
	const ended = once(child, 'close').then(([code]) => code as number);
	/** Where it listens; rejects when it ends before that. */
	const address = Promise.race([told, ended.then(() => Promise.reject(errors))]);
	return { child, lines, errors, ended, address };
}
