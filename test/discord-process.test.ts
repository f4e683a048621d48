import { setImmediate } from 'node:timers/promises';
import { test as base, describe, vi } from 'vitest';
import { commands } from '../commands/index.ts';
import { Actor } from '../packages/fakes/src/actor.ts';
import { answersChat } from '../packages/fakes/src/chat.ts';
import { type DiscordFake, startDiscord } from '../packages/fakes/src/discord/index.ts';
import { shardOf } from '../packages/fakes/src/discord/world/snowflakes.ts';
import { eventually } from '../packages/fakes/src/eventually.ts';
import { answersPictures, held, smallPng, startFaultyService } from '../packages/fakes/src/service.ts';
import { describeCommands } from '../src/bot/declaration/options.ts';
import { createLog } from '../src/log.ts';
import { createRest, registerCommands } from '../src/platforms/discord/index.ts';
import { PROFILES } from '../src/service/profiles.ts';
import { hasRedis, startRedis } from './harness/redis.ts';
import { Site } from './harness/site.ts';

/** The number of concurrent calls; further ones wait in the queue. */
const MAX_CONCURRENT = 16;

class DiscordSite extends Site<DiscordFake> {
	get discord(): DiscordFake {
		return this.platform;
	}

	static async open(): Promise<DiscordSite> {
		const discord = await startDiscord({ pace: 0.02 });
		const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
		const rest = createRest({ token: discord.token, apiUrl: discord.api, log });
		await registerCommands({ rest, commands: describeCommands(commands, PROFILES.easel.capabilities) });
		return new DiscordSite(discord, await startFaultyService());
	}

	run(env: Record<string, string> = {}) {
		const { token, api } = this.discord;
		return this.start({ DISCORD_TOKEN: token, DISCORD_API_URL: api, ...env });
	}
}

const test = base.extend<{ site: DiscordSite }>({
	// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which other fixtures this one needs.
	site: async ({}, use) => {
		const site = await DiscordSite.open();
		await use(site);
		await site.close();
	},
});

async function health(address: string) {
	const response = await fetch(`${address}/healthz`);
	return { code: response.status, ...((await response.json()) as { platforms: object }) };
}

test('stops in time under load, and answers every request', { timeout: 40_000 }, async ({ site, expect }) => {
	const { discord, service } = site;
	const { behaviour } = held(answersPictures(await smallPng()));
	service.always(behaviour);
	const easel = site.run();
	await easel.address;
	const people = Array.from({ length: 20 }, (_, index) => `person-${index}`);
	for (const name of people) discord.world.addMember(discord.world.server(), name, {});
	await Promise.all(people.map((name) => discord.user(name).command('imagine', { prompt: `for ${name}` })));
	await service.arrived(MAX_CONCURRENT);
	easel.child.kill('SIGTERM');
	expect(await easel.ended).toBe(0);
	const texts = (await discord.user('ada').look()).map(({ text }) => text);
	const saying = (words: RegExp) => texts.filter((text) => words.test(text)).length;
	expect(saying(/Easel was stopped while this ran. The call stays counted/)).toBe(MAX_CONCURRENT);
	expect(saying(/Easel was stopped while this ran. Nothing was counted/)).toBe(people.length - MAX_CONCURRENT);
	expect(texts).toHaveLength(people.length);
	expect(service.requests).toHaveLength(MAX_CONCURRENT);
});

/** Each waits for the lease of the process that was killed. */
describe.concurrent('after a kill', () => {
	test('answers a chat message after a restart when it was killed before', async ({ site, expect }) => {
		const { discord, service } = site;
		service.always(answersChat('Foxes are red.'));
		const first = site.run();
		await first.address;
		const ada = discord.user('ada');
		const greeting = { method: 'POST', path: /^\/channels\/\d+\/messages$/ };
		discord.faults.slow(greeting);
		await ada.command('chat', { prompt: 'Tell me of foxes' });
		await eventually(() => expect(discord.requests.some(({ path }) => greeting.path.test(path))).toBe(true));
		first.child.kill('SIGKILL');
		await first.ended;
		await site.run().address;
		await new Actor(ada).enters(/foxes/);
		await new Actor(ada).finds(/Foxes are red/);
		expect(service.requests).toHaveLength(1);
	});

	test('answers once and pays once when it is killed while it posts the picture', async ({ site, expect }) => {
		const { discord, service } = site;
		service.always(answersPictures(await smallPng()));
		const first = site.run();
		await first.address;
		const ada = discord.user('ada');
		const answer = /^\/webhooks\//;
		const release = discord.faults.slow({ path: answer });
		await ada.command('imagine', { prompt: 'a fox' });
		// At once: what must outlive the kill was stored before the request.
		await expect.poll(() => discord.requests.some(({ path }) => answer.test(path)), { interval: 1 }).toBe(true);
		first.child.kill('SIGKILL');
		await first.ended;
		release();
		await site.run().address;
		const shown = async () => (await ada.look()).map(({ text, pictures }) => ({ text, pictures: pictures.length }));
		await expect.poll(shown).toEqual([{ text: expect.stringMatching(/AI-generated/), pictures: 1 }]);
		expect(service.requests).toHaveLength(1);
	});
});

test('reports the state of the gateway in its health check', async ({ site, expect }) => {
	const { discord } = site;
	const easel = site.run();
	const address = await easel.address;
	expect(await health(address)).toMatchObject({ code: 200, platforms: { discord: 'ready' } });
	discord.gateway.refuseConnections();
	discord.gateway.drop();
	await eventually(async () =>
		expect(await health(address)).toMatchObject({ code: 503, platforms: { discord: 'reconnecting' } }),
	);
	discord.gateway.refuseConnections(false);
	await vi.waitFor(
		async () => expect(await health(address)).toMatchObject({ code: 200, platforms: { discord: 'ready' } }),
		{ timeout: 15_000, interval: 100 },
	);
	await new Actor(discord.user('ada')).does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
});

test.runIf(hasRedis)(
	'shares caps and home servers between the processes of different shards',
	async ({ site, expect }) => {
		const { discord, service } = site;
		const redis = await startRedis();
		let server = discord.world.server();
		// Direct messages are events of shard 0, so that the server has to be on shard 1.
		while (shardOf(server.id, 2) !== 1) {
			await setImmediate();
			server = discord.world.addServer({ members: { ada: { permissions: ['ManageGuild'] }, bjorn: {} } });
		}
		const processes = ['0-0/2', '1-1/2'].map((shards) => site.run({ STORE_URL: redis.url, DISCORD_SHARDS: shards }));
		await Promise.all(processes.map(({ address }) => address));
		const [channel] = server.channels.values();
		const ada = new Actor(discord.user('ada', channel));
		const bjorn = new Actor(discord.user('bjorn', channel));
		const direct = new Actor(discord.user('bjorn').directMessages());
		await ada.does('/limits set', { scope: 'server', period: 'day', images: 3 }).sees(/Set/);
		await bjorn.does('/imagine', { prompt: 'one' }).sees({ pictures: 1 });
		await direct.does('/imagine', { prompt: 'two' }).sees({ pictures: 1 });
		await Promise.all([
			...['three', 'four'].map((prompt) => bjorn.does('/imagine', { prompt })),
			...['five', 'six'].map((prompt) => direct.does('/imagine', { prompt })),
		]);
		await eventually(async () => {
			const seen = [...(await bjorn.looks()), ...(await direct.looks())].map(({ text }) => text);
			expect(seen.filter((text) => /This server has used 3 of 3 calls today/.test(text))).toHaveLength(3);
		});
		await service.arrived(3);
		for (const { child } of processes) child.kill('SIGTERM');
		expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0]);
		expect(service.requests).toHaveLength(3);
		await redis.close();
	},
);
