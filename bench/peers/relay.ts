import { setTimeout as pause } from 'node:timers/promises';
import { LiveText } from '../../src/bot/markdown/live-text.ts';
import type { Channel, Post, Reply } from '../../src/domain/channel.ts';
import { type Figures, startMeter } from '../runner.ts';

/** Measures one relay: `relay.ts easel|openai STUB`. Sends its figures to the parent process. */

const [name = '', stub = ''] = process.argv.slice(2);
const EDITS = { count: 5, perMs: 5000 };
const MAX_TEXT = 2000;
const LATENCY_MS = 50;
const messages = [{ role: 'user' as const, content: 'hello' }];

/** A channel that answers after `LATENCY_MS`, delays edits over its rate limit as the platforms' libraries do, and keeps only counts. */
function createChannel() {
	const counts = { posts: 0, edits: 0, shown: 0 };
	const sizes = new Map<string, number>();
	let answered: number[] = [];

	async function show(key: string, { text }: Reply): Promise<void> {
		if (text.length > MAX_TEXT) throw new Error('The text is too long.');
		await pause(LATENCY_MS);
		counts.shown += text.length - (sizes.get(key) ?? 0);
		sizes.set(key, text.length);
	}
	async function edit(key: string, reply: Reply): Promise<void> {
		counts.edits++;
		const wait = (answered.at(-EDITS.count) ?? Number.NEGATIVE_INFINITY) + EDITS.perMs - performance.now();
		answered = [...answered.slice(1 - EDITS.count), performance.now() + Math.max(0, wait)];
		if (wait > 0) await pause(wait);
		await show(key, reply);
	}
	const unused = () => {
		throw new Error('The benchmark does not use this.');
	};
	const place = { platform: 'bench', server: 's', channel: 'c' };
	const channel: Channel = {
		place,
		limits: { text: MAX_TEXT, pictures: 1, pictureBytes: 1, edits: EDITS },
		async post(reply, key): Promise<Post> {
			counts.posts++;
			await show(key, reply);
			return { handle: { place, key }, edit: (next) => edit(key, next), delete: unused };
		},
		openThread: unused,
		when: unused,
		refer: unused,
	};
	return { channel, counts };
}

/** @param onRead called when the service's answer has been read */
type Relay = (channel: Channel, onRead: () => void) => Promise<void>;

async function easel(baseUrl: string): Promise<Relay> {
	const { ServiceClient } = await import('../../src/service/client.ts');
	const models = { image: 'alpha-image', chat: 'chat', embedding: 'embedding' };
	const service = new ServiceClient({ baseUrl, apiKey: 'key', timeoutMs: 600_000, models });
	const { signal } = new AbortController();
	return async (channel, onRead) => {
		const live = new LiveText(channel, { key: 'a' });
		for await (const delta of service.chat({ messages }, signal)) if (typeof delta === 'string') live.push(delta);
		onRead();
		await live.end();
	};
}

/** The approach of many bots: every second the text so far, cut to the length of one message; the rest is never shown. */
async function openai(baseUrl: string): Promise<Relay> {
	const { OpenAI } = await import('openai');
	const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: 'key', maxRetries: 0 });
	return async (channel, onRead) => {
		const stream = await client.chat.completions.create({ model: 'chat', messages, stream: true });
		let text = '';
		let post: Post | undefined;
		let edited = 0;
		for await (const chunk of stream) {
			text += chunk.choices[0]?.delta.content ?? '';
			if (text === '' || performance.now() - edited < 1000) continue;
			edited = performance.now();
			if (post) await post.edit({ text: text.slice(0, MAX_TEXT) });
			else post = await channel.post({ text: text.slice(0, MAX_TEXT) }, 'a');
		}
		onRead();
		await post?.edit({ text: text.slice(0, MAX_TEXT) });
	};
}

const make = { easel, openai }[name];
if (!make) throw new Error(`no relay ${name}`);
// Some code is loaded for the first call.
await (await make(`${stub}/short`))(createChannel().channel, () => {});
const relay = await make(`${stub}/flood`);
const { channel, counts } = createChannel();
const meter = startMeter();
let read = 0;
await relay(channel, () => {
	read = meter.cpu();
});
process.send?.({
	'CPU until all is read, s': read,
	'CPU until all is shown, s': meter.cpu(),
	'peak, MB': meter.peak(),
	'shown, KB': counts.shown / 1000,
	posts: counts.posts,
	edits: counts.edits,
} satisfies Figures);
