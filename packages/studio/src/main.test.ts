import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';

function start(...args: string[]) {
	const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	return child;
}

it('answers alone at a free port, and ends at a signal', async () => {
	const child = start('--key', 'the-key', '--images', '1');
	const exited = once(child, 'exit');
	const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
	const address = /http:\S+\/v1$/.exec(line)?.[0];
	const ask = (key: string) =>
		fetch(`${address}/images/generations`, {
			method: 'POST',
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
			body: JSON.stringify({ prompt: 'a fox', size: '64x64' }),
		});
	expect([(await ask('wrong')).status, (await ask('the-key')).status, (await ask('the-key')).status]).toEqual([
		401, 200, 402,
	]);
	child.kill('SIGTERM');
	expect(await exited).toEqual([0, null]);
});

it.each([['--port', 'many'], ['--what'], ['--images', '-1']])('refuses %s', async (...args) => {
	const [code] = await once(start(...args), 'exit');
	expect(code).toBe(64);
});
