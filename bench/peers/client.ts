import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figures, startMeter } from '../runner.ts';

/** Measures one client in one scenario: `client.ts openai|easel SCENARIO STUB`. Sends its figures to the parent process. */

/** Resolves to the bytes of every picture in one answer. `release` is called when they were handed on. */
type Client = () => Promise<{ pictures: Uint8Array[]; release?: (() => void) | undefined }>;

const [name = '', scenario = '', stub = ''] = process.argv.slice(2);

async function easel(baseUrl: string): Promise<Client> {
	const { ServiceClient } = await import('../../src/service/client.ts');
	const models = { image: 'alpha-image', chat: 'chat', embedding: 'embedding' };
	const service = new ServiceClient({ baseUrl, apiKey: 'key', timeoutMs: 180_000, models });
	const { signal } = new AbortController();
	return async () => {
		const { images, release } = await service.generate({ prompt: 'a red fox', n: scenario === 'four' ? 4 : 1 }, signal);
		return { pictures: images.map(({ bytes }) => bytes), release };
	};
}

async function openai(baseUrl: string): Promise<Client> {
	const { OpenAI } = await import('openai');
	const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: 'key', maxRetries: 0 });
	return async () => {
		const { data = [] } = await client.images.generate({ model: 'alpha-image', prompt: 'a red fox' });
		return { pictures: data.map(({ b64_json = '' }) => Buffer.from(b64_json, 'base64')) };
	};
}

/** Returns the total of what came, to check that every peer did all the work. */
async function measured(client: Client, folder: string): Promise<number> {
	const calls = Array.from({ length: scenario === 'many' ? 32 : 1 }, async (_, index) => {
		const { pictures, release } = await client();
		if (scenario === 'many')
			for (const bytes of pictures) await writeFile(join(folder, String(index)), bytes, { flush: true });
		release?.();
		return pictures.reduce((sum, { length }) => sum + length, 0);
	});
	return (await Promise.all(calls)).reduce((sum, length) => sum + length, 0);
}

const MB = 1024 * 1024;
const EXPECTED: Record<string, number> = { four: 40 * MB, many: 128 * MB };

const make = { easel, openai }[name];
if (!make) throw new Error(`no client ${name}`);
// Some code is loaded for the first call.
await (await make(`${stub}/tiny`))();
const client = await make(`${stub}/${scenario}`);
const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
const meter = startMeter();
const began = performance.now();
const sum = await measured(client, folder);
const ms = performance.now() - began;
const figures: Figures = { 'peak, MB': meter.peak(), 'CPU, s': meter.cpu(), 'last byte, ms': ms };
if (sum !== EXPECTED[scenario]) throw new Error(`${name} got ${sum} of ${EXPECTED[scenario]}`);
await rm(folder, { recursive: true });
process.send?.(figures);
