import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { noise } from '../pictures.ts';
import { startProgram } from '../programs.ts';
import { type Figures, table } from '../runner.ts';

export const description = `Resident memory of Easel (sandbox, records in SQLite) while 100 compositions of three pictures of 10 MB wait, because the image
service does not answer. One member's compositions: two run, the others wait.`;

const WAITING = 100;
/** A member's compositions that run at once. */
const RUNNING = 2;
const TIMEOUT_MS = 300_000;

export async function run(): Promise<Record<string, Figures>> {
	const service = createServer((request) => void request.resume());
	service.listen(0, '127.0.0.1');
	await once(service, 'listening');
	const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
	let address = '';
	const easel = await startProgram(
		import.meta.resolve('../../src/main.ts'),
		[],
		{
			...{ PORT: '0', SANDBOX: 'on', LOG_FORMAT: 'json', STORE_URL: `sqlite:${join(folder, 'easel.db')}` },
			...{ SERVICE_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, SERVICE_API_KEY: 'key' },
			SERVICE_TIMEOUT_SECONDS: '3600',
		},
		(line) => {
			address = /http:\/\/[^"\s]+:\d+/.exec(line)?.[0] ?? '';
			return address !== '';
		},
	);
	try {
		await pause(1000);
		const idle = easel.memory();
		easel.resetPeak();
		const pictures = await Promise.all([1, 2, 3].map(() => noise()));
		for (let index = 0; index < WAITING + RUNNING; index++) await compose(address, index, pictures);
		await allWait(address);
		const last = easel.memory();
		await pause(5000);
		const figures: Figures = {
			'picture, MB': (pictures[0]?.length ?? 0) / 1e6,
			'idle, MB': idle,
			'over idle when the last waits, MB': last - idle,
			'over idle 5 s later, MB': easel.memory() - idle,
			'peak over idle, MB': easel.peak() - idle,
		};
		console.log(`\n${table({ easel: figures })}`);
		return { easel: figures };
	} finally {
		await easel.stop();
		service.closeAllConnections();
		service.close();
		await rm(folder, { recursive: true, maxRetries: 5 });
	}
}

async function compose(address: string, index: number, pictures: readonly Buffer[]): Promise<void> {
	const form = new FormData();
	const id = `waiting-${index}`;
	const input = {
		as: 'ada',
		channel: 'atelier-general',
		id,
		command: 'compose',
		options: { prompt: `number ${index}` },
	};
	form.append('input', JSON.stringify(input));
	for (const [at, bytes] of pictures.entries())
		form.append(`image${at + 1}`, new File([bytes as Uint8Array<ArrayBuffer>], `${at}.png`));
	const response = await fetch(`${address}/sandbox/api/commands`, { method: 'POST', body: form });
	if (response.status !== 202) throw new Error(`A composition was answered with ${response.status}`);
}

/** Resolves once the last composition shows its position in line. */
async function allWait(address: string): Promise<void> {
	const path = '/sandbox/api/channels/atelier-general/messages?as=ada&limit=100';
	for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await pause(500)) {
		const { messages } = (await (await fetch(address + path)).json()) as { messages: { text: string }[] };
		if (messages.filter(({ text }) => /in line/.test(text)).length >= WAITING) return;
	}
	throw new Error('The compositions do not wait');
}
