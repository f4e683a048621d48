import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commands } from '../commands/index.ts';
import { describeCommands } from '../src/bot/declaration/catalogue.ts';
import { createLog } from '../src/log.ts';
import { createRest, registerCommands } from '../src/platforms/discord/index.ts';
import { PROFILES } from '../src/service/profiles.ts';
import { Actor } from './fakes/actor.ts';
import { answersChat } from './fakes/chat.ts';
import { type DiscordFake, startDiscord } from './fakes/discord/index.ts';
import { shardOf } from './fakes/discord/world/snowflakes.ts';
import { hasRedis, startRedis } from './fakes/redis.ts';
import { answersPictures, type FaultyService, held, smallPng, startFaultyService } from './fakes/service.ts';
import { eventually } from './harness/eventually.ts';
import { startProcess } from './harness/process.ts';

/** The number of concurrent calls; further ones wait in the queue. */
const MAX_CONCURRENT = 16;

let folder: string;
let discord: DiscordFake;
let service: FaultyService;
const running = new Set<ChildProcess>();

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'easel-'));
	discord = await startDiscord({ pace: 0.02 });
	service = await startFaultyService();
	const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
	const rest = createRest({ token: discord.token, apiUrl: discord.api, log });
	await registerCommands({ rest, commands: describeCommands(commands, PROFILES.easel.capabilities) });
});
afterEach(async () => {
	for (const child of running) child.kill('SIGKILL');
	running.clear();
	await discord.close();
	await service.close();
	await rm(folder, { recursive: true, maxRetries: 5 });
	expect(discord.violations).toEqual([]);
});

function run(env: Record<string, string> = {}) {
	const easel = startProcess(folder, {
		...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.api },
		...{ SERVICE_BASE_URL: service.url, SERVICE_PROFILE: 'easel', SERVICE_API_KEY: 'key', ...env },
	});
	running.add(easel.child);
	return easel;
}

async function health(address: string) {
	const response = await fetch(`${address}/healthz`);
	return { code: response.status, ...((await response.json()) as { platforms: object }) };
}

test('stops in time under load, and answers every request', { timeout: 40_000 }, async () => {
	const { behaviour } = held(answersPictures(await smallPng()));
	service.always(behaviour);
	const easel = run();
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

test('answers a chat message after a restart when it was killed before', async () => {
	service.always(answersChat('Foxes are red.'));
	const first = run();
	await first.address;
	const ada = discord.user('ada');
	const greeting = { method: 'POST', path: /^\/channels\/\d+\/messages$/ };
	discord.faults.slow(greeting);
	await ada.command('chat', { prompt: 'Tell me of foxes' });
	await eventually(() => expect(discord.requests.some(({ path }) => greeting.path.test(path))).toBe(true));
	first.child.kill('SIGKILL');
	await first.ended;
	await run().address;
	await new Actor(ada).enters(/foxes/);
	await new Actor(ada).finds(/Foxes are red/);
	expect(service.requests).toHaveLength(1);
});

test('answers once and pays once when it is killed while it posts the picture', async () => {
	service.always(answersPictures(await smallPng()));
	const first = run();
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
	await run().address;
	const shown = async () => (await ada.look()).map(({ text, pictures }) => ({ text, pictures: pictures.length }));
	await expect.poll(shown).toEqual([{ text: expect.stringMatching(/AI-generated/), pictures: 1 }]);
	expect(service.requests).toHaveLength(1);
});

test('reports the state of the gateway in its health check', async () => {
	const easel = run();
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

test.runIf(hasRedis)('shares caps and home servers between the processes of different shards', async () => {
	const redis = await startRedis();
	let server = discord.world.server();
	// Direct messages are events of shard 0, so that the server has to be on shard 1.
	while (shardOf(server.id, 2) !== 1) {
		await setImmediate();
		server = discord.world.addServer({ members: { ada: { permissions: ['ManageGuild'] }, bjorn: {} } });
	}
	const processes = ['0-0/2', '1-1/2'].map((shards) => run({ STORE_URL: redis.url, DISCORD_SHARDS: shards }));
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
});
