import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** What every process of a test has of the environment: the other variables of this machine may configure Easel. */
export const INHERITED = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

/**
 * Starts Easel as `npm start` does, in this folder and on a free port.
 *
 * @param prefix a program that starts it, with its arguments
 */
export function startProcess(folder: string, env: Record<string, string> = {}, prefix: readonly string[] = []) {
	const [command = '', ...options] = [...prefix, process.execPath, MAIN];
	const child = spawn(command, options, {
		cwd: folder,
		env: { ...INHERITED, PORT: '0', LOG_FORMAT: 'json', ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	/** Its log lines. */
	const lines: string[] = [];
	const errors: string[] = [];
	createInterface(child.stderr).on('line', (line) => errors.push(line));
	const listening = new Promise<string>((resolve) => {
		createInterface(child.stdout).on('line', (line) => {
			lines.push(line);
			const { address } = JSON.parse(line);
			if (address) resolve(address);
		});
	});
	/** Resolves with the exit code. */
	const ended = once(child, 'close').then(([code]) => code as number);
	/** Resolves with the URL that it listens at. Rejects when it ends before that. */
	const address = Promise.race([listening, ended.then(() => Promise.reject(errors))]);
	return { child, lines, errors, ended, address };
}
