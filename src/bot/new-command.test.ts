import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { commands } from '../../commands/index.ts';
import { ada, BotHarness, moderator } from '../../test/harness/bot-harness.ts';
import type { Bot } from './bot.ts';
import { defineCommand } from './declaration/command.ts';

/** A command that shares no option name with the others. */
const paint = defineCommand({
	name: 'paint',
	description: 'imagine.description',
	makes: 'pictures',
	status: 'imagine.status',
	options: z.strictObject({
		motif: z.string().max(100).describe('imagine.options.prompt'),
		style: z.string().max(100).describe('imagine.options.prompt').optional(),
		secret: z.boolean().describe('options.private').optional(),
	}),
	texts: { motif: 'screened', style: 'screened' },
	request: ({ motif, secret = false }) => ({ prompt: motif, private: secret, count: 1 }),
	run: ({ options: { motif, style }, service, signal }) =>
		service.generate({ prompt: [motif, style].join(', ') }, signal),
});

describe('a new picture command', () => {
	let harness: BotHarness;
	let bot: Bot;

	beforeEach(async () => {
		harness = await BotHarness.create();
		bot = await harness.start({ commands: [...commands, paint] });
	});
	afterEach(() => harness.close());

	const run = async (command: string, options: Record<string, unknown>, person = ada) => {
		await bot.invoke({ id: 'job', command, options, person, channel: harness.channel });
		return harness.seen('job');
	};

	test('shows its prompt, and keeps a private result private', async () => {
		const { post } = harness.channel;
		const visibilities: unknown[] = [];
		harness.channel.post = (reply, key, options) => {
			visibilities.push(reply.visibility);
			return post(reply, key, options);
		};
		const result = await run('paint', { motif: 'a pond', secret: true });
		expect(visibilities).toEqual(['private']);
		expect(result).toMatchObject({ text: expect.stringMatching(/^\*\*a pond\*\*/), visibility: 'private' });
		expect(result?.pictures).toMatchObject([{ alt: 'a pond' }]);
	});

	test('refuses banned words in every text that is screened', async () => {
		await bot.invoke({
			id: 'ban',
			command: 'limits ban',
			options: { words: 'gloomy' },
			person: moderator,
			channel: harness.channel,
		});
		expect((await run('paint', { motif: 'a pond', style: 'gloomy' }))?.text).toMatch(/moderators have banned/);
		expect(harness.faulty.requests).toEqual([]);
	});

	test("screens its texts together by the server's own rules", async () => {
		const screened: string[] = [];
		harness.channel.screen = async (text) => {
			screened.push(text);
			return { name: 'Gloom', message: 'No gloom, please.' };
		};
		expect((await run('paint', { motif: 'a pond', style: 'gloomy' }))?.text).toBe('No gloom, please.');
		expect(screened).toEqual(['a pond\ngloomy']);
		expect(harness.faulty.requests).toEqual([]);
	});
});
