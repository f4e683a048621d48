import { type RateLimitData, RESTEvents, Routes } from 'discord.js';
import { expect, vi } from 'vitest';
import { DiscordError } from '../../../../packages/fakes/src/discord/api/errors.ts';
import { answersPictures, smallPng, startFaultyService } from '../../../../packages/fakes/src/service.ts';
import { test } from '../../../../test/harness/discord-platform.fixture.ts';
import { ServiceClient } from '../../../service/client.ts';
import { createRest } from './rest.ts';

test('warns when Discord refuses many requests', async ({ discord, logged, rest }) => {
	const rules = Routes.guildAutoModerationRules(discord.world.server().id);
	for (let count = 0; count < 100; count++) await rest.get(rules).catch(() => {});
	expect(logged).toEqual([
		expect.stringMatching(/refused many requests; it bans an address after 10,000 in ten minutes/),
	]);
});

test('does not count requests with an interaction’s token towards the bot’s limit of 50 a second', async ({
	discord,
	log,
}) => {
	const waits: number[] = [];
	const onRateLimitWait = (seconds: number) => waits.push(seconds);
	const rest = createRest({ token: discord.token, apiUrl: discord.api, onRateLimitWait, log });
	const tokens = Array.from({ length: 60 }, (_, number) => `token-${number}`);
	await Promise.allSettled(
		tokens.map((token) => rest.get(Routes.webhookMessage(discord.applicationId, token), { auth: false })),
	);
	expect(discord.requests.filter(({ status }) => status === 404)).toHaveLength(60);
	expect(waits).toEqual([]);
	rest.emit(RESTEvents.RateLimited, { timeToReset: 1500 } as RateLimitData);
	expect(waits).toEqual([1.5]);
});

test('waits as long as a refusal without a header says, before the request is repeated', async ({ discord, rest }) => {
	const path = Routes.guild(discord.world.server().id);
	const refusals = [{ text: '{"retry_after":0.001}' }, { text: '' }];
	for (const refusal of refusals)
		discord.faults.add({ path: /^\/guilds\/\d+$/ }, { proxy: { status: 429, ...refusal } });
	void rest.get(path).catch(() => {});
	const refused = () => discord.requests.filter(({ status }) => status === 429);
	await expect.poll(() => refused().length).toBe(2);
	for (let count = 0; count < 20; count++) await rest.get(Routes.gatewayBot());
	expect(discord.requests.filter(({ path }) => /^\/guilds\/\d+$/.test(path))).toHaveLength(2);
});

test('keeps its token after a 401', async ({ discord, rest }) => {
	discord.faults.add({ path: /bot$/ }, { answer: new DiscordError(401, 0, '401: Unauthorized') });
	await expect(rest.get(Routes.gatewayBot())).rejects.toMatchObject({ status: 401 });
	await expect(rest.get(Routes.gatewayBot())).resolves.toHaveProperty('url');
});

test('forgets the queue of an interaction after a minute', async ({ discord, log }) => {
	vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
	try {
		const rest = createRest({ token: discord.token, apiUrl: discord.api, log });
		const request = (token: string) => rest.get(Routes.webhookMessage(discord.applicationId, token), { auth: false });
		await Promise.allSettled(['token-1', 'token-2'].map(request));
		expect(rest.tokenless.handlers.size).toBe(2);
		vi.advanceTimersByTime(60_000);
		expect(rest.tokenless.handlers.size).toBe(0);
		await expect(request('token-3')).rejects.toMatchObject({ status: 404 });
	} finally {
		vi.useRealTimers();
	}
});

test('leaves no timer behind when it is ended', ({ discord, log }) => {
	vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
	try {
		const rest = createRest({ token: discord.token, apiUrl: discord.api, log });
		expect(vi.getTimerCount()).toBeGreaterThan(0);
		rest.end();
		expect(vi.getTimerCount()).toBe(0);
	} finally {
		vi.useRealTimers();
	}
});

test('uploads pictures while the client of the image service runs in the same process', async ({ discord, easel }) => {
	const service = await startFaultyService();
	const png = await smallPng('#e67e22', 640, 480);
	service.always(answersPictures(png));
	const client = new ServiceClient({
		baseUrl: service.url,
		apiKey: 'key',
		timeoutMs: 10_000,
		models: { image: 'alpha-image', chat: 'chat', embedding: 'embedding' },
	});
	const { taken, release } = await easel.hold();
	const sent = discord.user('ada').command('imagine', { prompt: 'a fox' });
	const { channel } = await taken;
	const post = await channel.post({ text: 'Drawing' }, 'k');
	await sent;
	const { images } = await client.generate({ prompt: 'a fox', n: 1 }, AbortSignal.timeout(10_000));
	await post.edit({
		text: 'A fox',
		pictures: images.map(({ bytes }, index) => ({ name: `${index}.png`, bytes, alt: 'a fox' })),
	});
	const [seen] = await discord.user('ada').look();
	expect(seen?.pictures).toEqual([{ bytes: new Uint8Array(png), alt: 'a fox' }]);
	release();
	await client.close();
	await service.close();
});
