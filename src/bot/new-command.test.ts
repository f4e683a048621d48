import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { commands } from '../../commands/index.ts';
import type { Channel } from '../domain/channel.ts';
import type { Platform } from '../domain/platform.ts';
import type { Reply } from '../domain/reply.ts';
import { createLog } from '../log.ts';
import { easelProfile } from '../service/profiles/easel.ts';
import type { GenerateRequest, Service } from '../service/service.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { createBot } from './create-bot.ts';
import { defineCommand } from './declaration/command.ts';

/** A command that shares no option name with the others. */
const paint = defineCommand({
	name: 'paint',
	description: 'imagine.description',
	makes: 'pictures',
	status: 'imagine.status',
	options: z.strictObject({
		motif: z.string().max(100).describe('imagine.options.prompt'),
		style: z.string().max(100).describe('edit.options.prompt').optional(),
		secret: z.boolean().describe('options.private').optional(),
	}),
	texts: { motif: 'screened', style: 'screened' },
	request: ({ motif, secret = false }) => ({ prompt: motif, private: secret, count: 1 }),
	run: ({ options: { motif, style }, service, signal }) =>
		service.generate({ prompt: [motif, style].join(', ') }, signal),
});

/** Options are known by their declarations alone. */
describe('a new picture command', () => {
	const place = { platform: 'test', server: 'server', channel: 'channel' };
	const ada = { id: 'ada', name: 'Ada', moderator: true };
	let store: Store;
	let posts: Reply[];
	let channel: Channel;
	let requests: GenerateRequest[];
	let invoke: (command: string, options: Record<string, unknown>) => Promise<string>;

	beforeEach(async () => {
		posts = [];
		requests = [];
		store = await openStore('memory:');
		channel = {
			place,
			limits: { text: 2000, pictures: 10, pictureBytes: 10 ** 7, edits: { count: 5, perMs: 5000 } },
			async post(reply, key) {
				posts.push(reply);
				return { handle: { place, key }, edit: async (edited) => void posts.push(edited), delete: async () => {} };
			},
			openThread: async () => channel,
			when: String,
			refer: (_, id) => id,
		};
		const platform: Platform = {
			name: 'test',
			start: async () => {},
			stop: async () => {},
			state: () => 'ready',
			find: async () => undefined,
			channel: async () => channel,
			direct: async () => undefined,
		};
		const service = {
			capabilities: easelProfile.capabilities,
			async generate(request: GenerateRequest) {
				requests.push(request);
				return { created: 0, images: [{ bytes: new Uint8Array(8) }] };
			},
		} as unknown as Service;
		const bot = createBot({
			commands: [...commands, paint],
			service,
			store,
			platforms: [platform],
			log: await createLog({ level: 'silent', format: 'json', secrets: [] }),
			plan: { price: 30 },
		});
		await bot.start();
		invoke = async (command, options) => {
			await bot.invoke({ id: crypto.randomUUID(), command, options, person: ada, channel });
			return posts.at(-1)?.text ?? '';
		};
	});
	afterEach(() => store.close());

	test('shows its prompt, and keeps a private result private', async () => {
		expect(await invoke('paint', { motif: 'a pond', secret: true })).toMatch(/^\*\*a pond\*\*/);
		expect(posts.map(({ visibility }) => visibility)).toEqual(['private', 'private']);
		expect(posts[0]?.text).toMatch(/^Drawing \*\*a pond\*\*/);
	});

	test('refuses banned words in every text that is screened', async () => {
		await invoke('limits ban', { words: 'gloomy' });
		expect(await invoke('paint', { motif: 'a pond', style: 'gloomy' })).toMatch(/moderators have banned/);
		expect(requests).toEqual([]);
	});

	test("screens its texts by the server's own rules together", async () => {
		const screened: string[] = [];
		channel.screen = async (text) => {
			screened.push(text);
			return 'No gloom, please.';
		};
		expect(await invoke('paint', { motif: 'a pond', style: 'gloomy' })).toBe('No gloom, please.');
		expect(screened).toEqual(['a pond\ngloomy']);
		expect(requests).toEqual([]);
	});
});
