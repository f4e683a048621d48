import { describe, expect, vi } from 'vitest';
import { DiscordError } from '../../../../packages/fakes/src/discord/api/errors.ts';
import type { DiscordFake } from '../../../../packages/fakes/src/discord/index.ts';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { test } from '../../../../test/harness/discord-platform.fixture.ts';
import type { Inbox } from '../../../domain/platform.ts';

describe('the connection', () => {
	test('is resumed after it is closed, with the events meanwhile', async ({ discord, easel }) => {
		const heard: string[] = [];
		const platform = await easel.start({ hear: async ({ text }) => void heard.push(text) });
		discord.gateway.close(4000);
		await eventually(() => expect(platform.state()).toBe('reconnecting'));
		expect(platform.connections?.()).toEqual({ open: 0, expected: 1 });
		await discord.user('ada').say('@Easel meanwhile');
		await eventually(() => expect(heard).toEqual(['meanwhile']));
		expect(platform.state()).toBe('ready');
		expect(platform.connections?.()).toEqual({ open: 1, expected: 1 });
		expect(discord.gateway.counts).toMatchObject({ identified: 1, resumed: 1 });
	});

	test.for([
		['breaks without a close frame', (discord: DiscordFake) => discord.gateway.drop(), { identified: 1, resumed: 1 }],
		[
			'is asked to reconnect',
			(discord: DiscordFake) => discord.gateway.requestReconnect(),
			{ identified: 1, resumed: 1 },
		],
		['cannot be resumed', (discord: DiscordFake) => discord.gateway.invalidate(false), { identified: 2, resumed: 0 }],
	] as const)(
		'is established again after it %s',
		{ timeout: 15_000 },
		async ([_, interrupt, counts], { discord, easel }) => {
			const heard: string[] = [];
			const platform = await easel.start({ hear: async ({ text }) => void heard.push(text) });
			interrupt(discord);
			await vi.waitFor(() => expect(discord.gateway.counts).toMatchObject(counts), { timeout: 10_000 });
			await eventually(() => expect(platform.state()).toBe('ready'));
			await discord.user('ada').say('@Easel still there?');
			await eventually(() => expect(heard).toEqual(['still there?']));
		},
	);

	test.for([
		[
			'the token',
			(discord: DiscordFake) => Object.assign(discord.settings, { token: 'another.one' }),
			'auto',
			/reset the token/,
		],
		[
			'the number of shards',
			(discord: DiscordFake) => Object.assign(discord.settings, { shards: 1 }),
			{ shards: [0], shardCount: 1 },
			undefined,
		],
	] as const)('is refused for %s in one sentence', async ([_, change, shards, sentence], { discord, easel }) => {
		const platform = easel.create({ shards });
		change(discord);
		if (!sentence) return void (await platform.start({ talks: async () => [] } as Partial<Inbox> as Inbox));
		await expect(platform.start({ talks: async () => [] } as Partial<Inbox> as Inbox)).rejects.toThrow(sentence);
		expect(platform.state()).toBe('refused');
	});

	test.for([
		['closes connections', { disconnect: true } as const, 2],
		// The library tries each request four times.
		['returns errors', { answer: new DiscordError(502, 0, 'Bad Gateway') }, 8],
	] as const)('is tried again in the background while Discord %s', async ([_, fault, times], { discord, easel }) => {
		discord.faults.add({ path: /^\/gateway\/bot$/ }, fault, times);
		const heard: string[] = [];
		const platform = await easel.start({ hear: async ({ text }) => void heard.push(text) }, { firstWaitMs: 20 });
		expect(platform.state()).toBe('unreachable');
		await eventually(() => expect(platform.state()).toBe('ready'));
		await discord.user('ada').say('@Easel there you are');
		await eventually(() => expect(heard).toEqual(['there you are']));
	});

	test('is refused when that is known only after a retry', async ({ discord, easel }) => {
		discord.faults.add({ path: /^\/gateway\/bot$/ }, { disconnect: true });
		discord.settings.token = 'another.one';
		const platform = await easel.start({}, { firstWaitMs: 20 });
		await eventually(() => expect(platform.state()).toBe('refused'));
	});

	test('is not tried again after a stop', async ({ discord, easel, requestsTo }) => {
		discord.faults.add({ path: /^\/gateway\/bot$/ }, { disconnect: true }, 100);
		const platform = await easel.start({}, { firstWaitMs: 60_000 });
		await platform.stop();
		expect(platform.state()).toBe('stopped');
		expect(requestsTo(/gateway\/bot/)).toHaveLength(1);
	});

	test('waits for the session start limit to reset', async ({ discord, easel }) => {
		Object.assign(discord.settings, { identifies: 1, identifyResetMs: 300, shards: 2 });
		const platform = await easel.start({});
		expect(platform.state()).toBe('waiting');
		expect(discord.gateway.counts.identified).toBe(0);
		discord.settings.identifies = 2;
		await eventually(() => expect(platform.state()).toBe('ready'));
		expect(discord.gateway.counts.identified).toBe(2);
	});

	test('is refused when Discord closes it for good', async ({ discord, easel }) => {
		const platform = await easel.start({});
		discord.settings.token = 'another.one';
		discord.gateway.close(4004);
		await eventually(() => expect(platform.state()).toBe('refused'));
	});

	test('falls back to no Message Content intent with several shards', async ({ discord, easel }) => {
		Object.assign(discord.settings, { shards: 2 });
		discord.settings.privileged.messageContent = false;
		const platform = await easel.start({});
		await eventually(() => expect(platform.state()).toBe('ready'));
		expect(discord.gateway.connected()).toHaveLength(2);
	});

	test('continues without the Message Content intent when Discord withdraws it', async ({ discord, easel, logged }) => {
		const heard: string[] = [];
		const platform = await easel.start({ hear: async ({ text }) => void heard.push(text) });
		discord.settings.privileged.messageContent = false;
		discord.gateway.close(4014);
		await eventually(() => expect(logged.at(-1)).toMatch(/chat threads answer only what mentions the bot/));
		await eventually(() => expect(platform.state()).toBe('ready'));
		await discord.user('ada').say('@Easel still there?');
		await eventually(() => expect(heard).toEqual(['still there?']));
	});

	test('has more shards after Discord requires them', async ({ discord, easel }) => {
		const platform = await easel.start({});
		Object.assign(discord.settings, { shards: 2, requiredShards: 2 });
		discord.gateway.close(4011);
		await eventually(() => expect(discord.gateway.connected()).toHaveLength(2));
		await eventually(() => expect(platform.state()).toBe('ready'));
	});

	test('is refused with fewer shards than Discord requires', async ({ discord, easel }) => {
		Object.assign(discord.settings, { shards: 2, requiredShards: 2 });
		const platform = easel.create({ shards: { shards: [0], shardCount: 1 } });
		await expect(platform.start({ talks: async () => [] } as Partial<Inbox> as Inbox)).rejects.toThrow(
			/too many servers for this number of shards/,
		);
	});

	test('runs the configured shards', async ({ discord, easel }) => {
		const platform = await easel.start({}, { shards: { shards: [0, 1], shardCount: 2 } });
		expect(platform.state()).toBe('ready');
		expect(discord.gateway.connected()).toHaveLength(2);
	});

	test('passes no events after a stop, while running requests can still post', async ({ easel, texts }) => {
		const { platform, channel, release } = await easel.holdWithResponse();
		await platform.stop();
		expect(platform.state()).toBe('stopped');
		await channel.post({ text: 'A fox' }, 'k');
		const other = await channel.post({ text: 'Said as the bot' }, 'other');
		expect(await texts()).toEqual(['A fox', 'Said as the bot']);
		await other.delete();
		release();
	});

	test('outlives a core that fails', async ({ discord, easel }) => {
		const platform = await easel.start({
			invoke: () => Promise.reject(new Error('no')),
			hear: () => {
				throw new Error('no');
			},
		});
		await discord.user('ada').say('@Easel hello');
		void discord.user('ada').command('imagine', { prompt: 'a fox' });
		await eventually(() => expect(discord.user('ada').last).toBeDefined());
		expect(platform.state()).toBe('ready');
		discord.violations.length = 0;
	});
});
