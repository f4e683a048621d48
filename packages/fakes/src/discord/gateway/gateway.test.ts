import { Events, GatewayCloseCodes, GatewayOpcodes, GatewayIntentBits as Intent, Partials } from 'discord.js';
import { describe, expect } from 'vitest';
import { eventually } from '../../eventually.ts';
import { fetchChannel, INTENTS, test } from '../client.fixture.ts';
import type { DiscordFake } from '../index.ts';

describe('the gateway', () => {
	test('sends content with the intent, and of messages that address the application', async ({ discord, login }) => {
		const { client } = await login(undefined, { partials: [Partials.Channel] });
		const heard: string[] = [];
		client.on(Events.MessageCreate, ({ content, author }) => void (author.bot || heard.push(content)));
		const channel = await fetchChannel(discord, client);
		await channel.send('ask me');
		const ada = discord.user('ada');
		await ada.say('a secret');
		await ada.say('@Easel hello');
		const [post] = await ada.look();
		await ada.reply(post!, 'an answer');
		await ada.reply(post!, 'a quiet answer', { ping: false });
		await ada.directMessages().say('direct');
		await eventually(() => expect(heard).toEqual(['', `<@${discord.applicationId}> hello`, 'an answer', '', 'direct']));
	});

	test('refuses intents that are not enabled', async ({ discord, login }) => {
		discord.settings.privileged.messageContent = false;
		const intents = [...INTENTS, Intent.MessageContent];
		await expect(login(undefined, { intents })).rejects.toThrow(/disallowed intents/i);
	});

	test('refuses an invalid token', async ({ discord, login }) => {
		discord.settings.token = 'another';
		await expect(login()).rejects.toThrow(/token/i);
	});

	test.for([
		['closed', (discord: DiscordFake) => discord.gateway.close(4000)],
		['dropped', (discord: DiscordFake) => discord.gateway.drop()],
		['asked to reconnect', (discord: DiscordFake) => discord.gateway.requestReconnect()],
	] as const)('resumes a client that was %s, which misses no event', async ([_, interrupt], { discord, login }) => {
		const { client } = await login();
		const heard: string[] = [];
		client.on(Events.MessageCreate, ({ id }) => void heard.push(id));
		const resumed = new Promise((resolve) => client.once(Events.ShardResume, (_, replayed) => resolve(replayed)));
		interrupt(discord);
		const ada = discord.user('ada');
		await ada.say('in between');
		await resumed;
		await ada.say('afterwards');
		const said = (await ada.look()).map(({ id }) => id);
		await eventually(() => expect(heard).toEqual(said));
		expect(discord.gateway.counts).toMatchObject({ identified: 1, resumed: 1 });
		expect(discord.violations).toEqual([]);
	});

	test('acknowledges heartbeats, and refuses unknown sessions and unauthenticated payloads', async ({ discord }) => {
		const socket = new WebSocket(`${discord.api.replace(/^http/, 'ws').replace('/api', '/resume')}?v=10&encoding=json`);
		const received: unknown[] = [];
		socket.addEventListener('message', ({ data }) => {
			const { op, d } = JSON.parse(String(data));
			received.push(op === GatewayOpcodes.InvalidSession ? [op, d] : op);
		});
		const closed = new Promise((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
		await new Promise((resolve) => socket.addEventListener('open', resolve));
		const resume = { token: discord.token, session_id: 'gone', seq: 3 };
		socket.send(JSON.stringify({ op: GatewayOpcodes.Heartbeat, d: null }));
		socket.send(JSON.stringify({ op: GatewayOpcodes.Resume, d: resume }));
		socket.send(JSON.stringify({ op: GatewayOpcodes.PresenceUpdate, d: {} }));
		expect(await closed).toBe(GatewayCloseCodes.NotAuthenticated);
		expect(received).toEqual([
			GatewayOpcodes.Hello,
			GatewayOpcodes.HeartbeatAck,
			[GatewayOpcodes.InvalidSession, false],
		]);
	});

	test('sends the events of a server to its shard', { timeout: 15_000 }, async ({ discord, login }) => {
		discord.settings.shards = 2;
		const { client } = await login(undefined, { shards: 'auto' });
		const heard = new Promise((resolve) => client.once(Events.MessageCreate, ({ guild }) => resolve(guild?.shardId)));
		await discord.user('ada').say('hello');
		expect(await heard).toBe(Number((BigInt(discord.world.server().id) >> 22n) % 2n));
		expect(discord.gateway.counts.identified).toBe(2);
	});
});
