import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryOf, resetPeak } from '../memory.ts';
import type { Figures } from '../runner.ts';

/** Measures one client in one scenario: `client.ts openai|fetch|easel SCENARIO STUB`. Sends its figures to the parent process. */

type Client = {
	/** Resolves to the bytes of every picture in one answer. `release` is called when they were handed on. */
	pictures(): Promise<{ pictures: Uint8Array[]; release?: (() => void) | undefined }>;
	/** Resolves to the UTF-16 units of a streamed answer. */
	chat(): Promise<number>;
};

const [name = '', scenario = '', stub = ''] = process.argv.slice(2);

async function easel(baseUrl: string): Promise<Client> {
	const { ServiceClient } = await import('../../src/service/client.ts');
	const models = { image: 'alpha-image', chat: 'chat', embedding: 'embedding' };
	const service = new ServiceClient({ baseUrl, apiKey: 'key', timeoutMs: 180_000, models });
	const { signal } = new AbortController();
	return {
		async pictures() {
			const { images, release } = await service.generate(
				{ prompt: 'a red fox', n: scenario === 'four' ? 4 : 1 },
				signal,
			);
			return { pictures: images.map(({ bytes }) => bytes), release };
		},
		async chat() {
			let length = 0;
			for await (const text of service.chat({ messages: [{ role: 'user', content: 'hello' }] }, signal))
				length += text.length;
			return length;
		},
	};
}

async function openai(baseUrl: string): Promise<Client> {
	const { OpenAI } = await import('openai');
	const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: 'key', maxRetries: 0 });
	return {
		async pictures() {
			const { data = [] } = await client.images.generate({ model: 'alpha-image', prompt: 'a red fox' });
			return { pictures: data.map(({ b64_json = '' }) => Buffer.from(b64_json, 'base64')) };
		},
		async chat() {
			const messages = [{ role: 'user' as const, content: 'hello' }];
			const stream = await client.chat.completions.create({ model: 'chat', messages, stream: true });
			let length = 0;
			for await (const chunk of stream) length += chunk.choices[0]?.delta.content?.length ?? 0;
			return length;
		},
	};
}

async function plainFetch(baseUrl: string): Promise<Client> {
	const post = (path: string) =>
		fetch(`${baseUrl}/v1/${path}`, {
			method: 'POST',
			headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
			body: JSON.stringify({ model: 'alpha-image', prompt: 'a red fox' }),
		});
	return {
		async pictures() {
			const { data } = JSON.parse(await (await post('images/generations')).text()) as { data: { b64_json: string }[] };
			return { pictures: data.map(({ b64_json }) => Buffer.from(b64_json, 'base64')) };
		},
		async chat() {
			let length = 0;
			let rest = '';
			const response = await post('chat/completions');
			for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
				const frames = (rest + text).split('\n\n');
				rest = frames.pop() ?? '';
				for (const frame of frames) {
					if (frame !== 'data: [DONE]') length += JSON.parse(frame.slice(6)).choices[0].delta.content.length;
				}
			}
			return length;
		},
	};
}

/** Returns the total of what came, to check that every peer did all the work. */
async function measured(client: Client, folder: string): Promise<number> {
	if (scenario === 'chat') return client.chat();
	const calls = Array.from({ length: scenario === 'many' ? 32 : 1 }, async (_, index) => {
		const { pictures, release } = await client.pictures();
		if (scenario === 'many')
			for (const bytes of pictures) await writeFile(join(folder, String(index)), bytes, { flush: true });
		release?.();
		return pictures.reduce((sum, { length }) => sum + length, 0);
	});
	return (await Promise.all(calls)).reduce((sum, length) => sum + length, 0);
}

const MB = 1024 * 1024;
const EXPECTED: Record<string, number> = { one: 2 * MB, four: 40 * MB, many: 128 * MB, chat: 1_200_000 };

const make = { easel, openai, fetch: plainFetch }[name];
if (!make) throw new Error(`no client ${name}`);
// Some code is loaded for the first call.
await (await make(`${stub}/tiny`)).pictures();
const client = await make(`${stub}/${scenario}`);
const folder = await mkdtemp(join(tmpdir(), 'easel-bench-'));
globalThis.gc?.();
resetPeak('self');
const idle = memoryOf('self', 'VmRSS');
const cpu = process.cpuUsage();
const began = performance.now();
const sum = await measured(client, folder);
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(cpu);
if (sum !== EXPECTED[scenario]) throw new Error(`${name} got ${sum} of ${EXPECTED[scenario]}`);

await rm(folder, { recursive: true });
process.send?.({
	'peak, MB': memoryOf('self', 'VmHWM') - idle,
	'CPU, s': (user + system) / 1e6,
	'last byte, ms': ms,
} satisfies Figures);
