import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { INHERITED } from '../../test/harness/process.ts';

const MAIN = join(import.meta.dirname, 'easel.ts');

async function startProcess(env: Record<string, string>) {
	const folder = await mkdtemp(join(tmpdir(), 'studio-'));
	const child = spawn(process.execPath, [MAIN, 'studio'], {
		// Away from any .env file of the checkout.
		cwd: folder,
		env: { ...INHERITED, PORT: '0', LOG_FORMAT: 'json', STORE_URL: 'sqlite:studio.db', ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	onTestFinished(async () => {
		child.kill('SIGKILL');
		await rm(folder, { recursive: true, force: true });
	});
	return { child, folder, exited: once(child, 'exit') };
}

async function startStudioProcess(env: Record<string, string>) {
	const { child, folder, exited } = await startProcess(env);
	for await (const line of createInterface(child.stdout)) {
		const { address } = JSON.parse(line) as { address?: string };
		if (address) return { child, folder, exited, address };
	}
	throw new Error('The studio did not start.');
}

const RIGHT = 'the-key-of-this-studio-32-letters';

function draw(address: string, key = RIGHT) {
	return fetch(`${address}/v1/images/generations`, {
		method: 'POST',
		headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
		body: JSON.stringify({ prompt: 'a fox', size: '64x64' }),
	});
}

it('serves as configured, counts across restarts and stops in order', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'studio-store-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const env = {
		STORE_URL: `sqlite:${join(folder, 'studio.db')}`,
		STUDIO_API_KEY: RIGHT,
		STUDIO_IMAGES_PER_MONTH: '1',
		STUDIO_BALANCE_USD: '0.03',
	};
	const statuses: number[] = [];
	for (let start = 0; start < 3; start++) {
		const { child, exited, address } = await startStudioProcess(env);
		statuses.push((await draw(address, 'wrong')).status, (await draw(address)).status);
		child.kill('SIGTERM');
		expect(await exited).toEqual([0, null]);
	}
	expect(statuses).toEqual([401, 200, 401, 200, 401, 402]);
});

it('finishes what it is saying when told to stop', async () => {
	const { child, exited, address } = await startStudioProcess({});
	const answer = fetch(`${address}/v1/chat/completions`, {
		method: 'POST',
		headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
		body: JSON.stringify({ messages: [{ role: 'user', content: 'thanks' }], stream: true }),
	});
	const stream = await answer;
	child.kill('SIGTERM');
	expect(await stream.text()).toMatch(/\[DONE\]\n\n$/);
	expect(await exited).toEqual([0, null]);
});

it('answers a text that it still reads when told to stop', async () => {
	const { child, exited, address } = await startStudioProcess({});
	/** Begins to ask. Resolves once the studio has the head of the request, to the status of its answer. */
	const ask = async (texts: string[]) => {
		const headers = { authorization: 'Bearer any', 'content-type': 'application/json', expect: '100-continue' };
		const sent = request(`${address}/v1/chat/completions`, { method: 'POST', headers });
		const status = once(sent, 'response').then(([{ statusCode }]) => statusCode as number);
		await once(sent, 'continue');
		sent.end(JSON.stringify({ messages: texts.map((content) => ({ role: 'user', content })) }));
		return { status };
	};
	await (await ask(['hello'])).status;
	const answer = await ask(Array(40).fill('a '.repeat(50_000)));
	// The second text waits for the first.
	const stopped = await ask(Array(40).fill('b '.repeat(50_000)));
	child.kill('SIGTERM');
	expect([await answer.status, await stopped.status]).toEqual([200, 200]);
	expect(await exited).toEqual([0, null]);
});

it('says what is wrong with its configuration', async () => {
	const { child, exited } = await startProcess({ STUDIO_BALANCE_USD: 'much', PORT: '-1', STUDIO_API_KEY: 'short' });
	const faults: string[] = [];
	for await (const line of createInterface(child.stderr)) faults.push(line);
	expect(await exited).toEqual([78, null]);
	expect(faults.map((line) => line.split(' ')[0]).sort()).toEqual(['PORT', 'STUDIO_API_KEY', 'STUDIO_BALANCE_USD']);
});
