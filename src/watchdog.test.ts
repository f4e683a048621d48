import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

const WATCHDOG = join(import.meta.dirname, 'watchdog.ts');

/** Starts a program whose event loop may be held for `heldMs`. Its code says what it does. */
function start(heldMs: number, code: string) {
	const program = `import { watchEventLoop } from ${JSON.stringify(WATCHDOG)}; watchEventLoop(${heldMs}); ${code}`;
	const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	const ended = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
	return { child, ended, errors: text(child.stderr), said: text(child.stdout) };
}

test('ends a process whose event loop is held, and says so', async () => {
	const { ended, errors } = start(900, 'setTimeout(() => { for (;;); }, 100)');
	expect(await ended).toEqual([null, 'SIGKILL']);
	const { time, ...line } = JSON.parse(await errors);
	expect(line).toEqual({
		level: 60,
		msg: 'The event loop was held for 1 seconds: the process ends, to be started again',
	});
	expect(Date.now() - time).toBeLessThan(60_000);
});

test('leaves alone a process that works much and lets others go first, and does not keep it running', async () => {
	const hold = 'const until = Date.now() + 200; while (Date.now() < until);';
	const { ended, said } = start(2000, `for (let i = 0; i < 20; i++) { ${hold} await new Promise(setImmediate); }`);
	expect(await ended).toEqual([0, null]);
	expect(await said).toBe('');
});

test('leaves alone a process that was suspended', async () => {
	const code = 'console.log("up"); setTimeout(() => { console.log("woke up"); process.exit(5); }, 3500)';
	const { child, ended } = start(900, code);
	await once(child.stdout, 'data');
	child.kill('SIGSTOP');
	// Longer than the loop may be held: what is tested is that this time does not count.
	await new Promise((resolve) => setTimeout(resolve, 2500));
	child.kill('SIGCONT');
	expect(await ended).toEqual([5, null]);
});
