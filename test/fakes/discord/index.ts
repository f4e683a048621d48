import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type APIAutoModerationRule, GatewayIntentBits, PermissionFlagsBits } from 'discord-api-types/v10';
import { createClock } from '../clock.ts';
import { createCdn } from './cdn.ts';
import { channelRoutes } from './channel-routes.ts';
import { createCommands } from './command-routes.ts';
import type { Discord, Settings } from './context.ts';
import { createFaults } from './faults.ts';
import { createGateway } from './gateway.ts';
import { interactionRoutes } from './interaction-routes.ts';
import { createInteractions } from './interactions.ts';
import { otherRoutes } from './other-routes.ts';
import { permissionsIn } from './permissions.ts';
import { createRest, type RecordedRequest } from './rest.ts';
import { createSnowflakes } from './snowflakes.ts';
import type { Channel } from './things.ts';
import { createThread, deleteChannel, updateThread } from './threads.ts';
import { createUsers, type DiscordUser } from './user.ts';
import { ATELIER, createWorld, type ServerDescription, type World } from './world.ts';

export type { RecordedRequest } from './rest.ts';
export type { DiscordUser } from './user.ts';
export type { ServerDescription } from './world.ts';

export type DiscordOptions = Partial<Settings> & {
	/** One server, Atelier, where Ada moderates and Björn does not, with channels `general` and `after-dark`, when not said. */
	servers?: readonly ServerDescription[];
};

/** A Discord on a loopback port. */
export type DiscordFake = {
	/** `http://127.0.0.1:PORT/api`, for `rest.api` of the client. The gateway's address comes from there. */
	api: string;
	/** `http://127.0.0.1:PORT/cdn`, for `rest.cdn`, and the origin of attachments' addresses. */
	cdn: string;
	token: string;
	/** The application's id, which is also its user's. */
	applicationId: string;
	/**
	 * What the application did that a well-behaved one does not, one sentence each: bodies out of limits, an interaction
	 * without an answer for 3 s or with two, tokens where they don't belong, pings of people who did not ask.
	 * Tests end with `expect(discord.violations).toEqual([])`.
	 */
	violations: string[];
	/** Every request to the REST API, in order. */
	requests: RecordedRequest[];
	/** Can be moved forward: the 3 s and 15 min of interactions, rate limits and addresses of files go by it. */
	clock: Discord['clock'];
	/** Token, intents' toggles, identify budget, shards, heartbeat, pace of rate limits: changed at any time. */
	settings: Settings;
	/** Connections, and `close`, `drop`, `askToReconnect`, `invalidate`, `forget`, `deafen`. */
	gateway: ReturnType<typeof createGateway>;
	/** `serverError`, `slow`, `loseAnswers`, `killTokens`, and `add` for others. */
	faults: Discord['faults'];
	/** Servers, channels, people; `rule` changes permissions at once. */
	world: World;
	/** Commands that are registered, as people see them in a server (by id). */
	commands(server?: string): ReturnType<ReturnType<typeof createCommands>['visible']>;
	/** Sits down as a person (by handle) in a channel (by name or id; the first server's first one when not said). */
	user(person: string, channel?: string | Channel): DiscordUser;
	/** What moderators do to threads and channels. */
	threads: {
		create(parent: Channel, name: string, owner: string): Channel;
		change(thread: Channel, changes: { archived?: boolean; locked?: boolean; name?: string }): void;
		/** Deletes a channel or a thread. */
		delete(channel: Channel): void;
	};
	/** Moderators make an AutoMod rule in the first server: one that blocks messages with words, where nothing else is said. */
	autoModerate(rule: Partial<APIAutoModerationRule>): void;
	/** Moderators take the application out of a server: the first one when not said. */
	expel(server?: string): void;
	close(): Promise<void>;
};

/**
 * Starts a Discord that a real, unmodified discord.js client can log in to, as strict as the real one:
 *
 *     const discord = await startDiscord({ pace: 0.02 });
 *     const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: discord.api, offset: 0 } });
 *     await client.login(discord.token);
 *     const ada = discord.user('ada');
 *     await ada.command('imagine', { prompt: 'a fox' });
 *     expect(await ada.look()).toEqual([…]);
 *     await client.destroy();
 *     await discord.close();
 *
 * Commands are registered by the client first (`client.application.commands.set(…)`, or a PUT), since users send what is
 * registered, in its types. They send also what Discord's own window would refuse, as clients with an old list of commands
 * do; `refuses` says what the window says. An act of a user resolves when it was acknowledged, or 3 s after it was not.
 */
export async function startDiscord({ servers = [ATELIER], ...options }: DiscordOptions = {}): Promise<DiscordFake> {
	const clock = createClock();
	const snowflake = createSnowflakes(clock.now);
	const settings: Settings = {
		token: 'MTIzNDU2Nzg5.Easel1.a-token-that-opens-nothing',
		privileged: { messageContent: true, members: false, presences: false },
		identifies: 1000,
		identifyResetMs: 86_400_000,
		shards: 1,
		heartbeatMs: 41_250,
		pace: 1,
		...options,
	};
	const violations: string[] = [];
	const requests: RecordedRequest[] = [];
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	const gateway = createGateway(() => discord);
	const discord: Discord = {
		clock,
		snowflake,
		settings,
		world: createWorld(servers, snowflake),
		cdn: createCdn(clock, () => url),
		gateway,
		interactions: createInteractions(() => discord),
		faults: createFaults(),
		violate: (what) => void violations.push(what),
		address: () => url,
	};
	const { world, cdn } = discord;
	const commands = createCommands();
	const rest = createRest(
		discord,
		[...commands.routes, ...interactionRoutes, ...otherRoutes, ...channelRoutes],
		requests,
	);
	const users = createUsers(discord, commands);

	server.on('upgrade', gateway.upgrade);
	server.on('request', (request, response) => {
		if (!request.url?.startsWith('/cdn/')) return void rest(request, response);
		if (request.headers.authorization) discord.violate('the token was sent to the CDN');
		const file = cdn.fetch(new URL(request.url, url));
		if (file === 404) return void response.writeHead(404).end('This content is no longer available.');
		response.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.length }).end(file.bytes);
	});

	return {
		api: `${url}/api`,
		cdn: `${url}/cdn`,
		token: settings.token,
		applicationId: world.me.id,
		violations,
		requests,
		clock,
		settings,
		gateway,
		faults: discord.faults,
		world,
		commands: (id) => commands.visible(id),
		user: (person, channel) =>
			users(world.person(person), typeof channel === 'object' ? channel : world.channel(channel)),
		threads: {
			create: (parent, name, owner) => createThread(discord, parent, { name, owner: world.person(owner) }),
			change: (thread, changes) => updateThread(discord, thread, changes),
			delete: (channel) => deleteChannel(discord, channel),
		},
		autoModerate(partial) {
			const server = world.server();
			const rule = world.addAutoModeration(server, partial);
			// Told to who may manage the server.
			if (permissionsIn(server, world.me) & PermissionFlagsBits.ManageGuild)
				gateway.dispatch('AUTO_MODERATION_RULE_CREATE', rule, {
					server: server.id,
					intent: GatewayIntentBits.AutoModerationConfiguration,
				});
		},
		expel(name) {
			const { id, members } = Object.assign(world.server(name), { joined: false });
			members.delete(world.me.id);
			gateway.dispatch('GUILD_DELETE', { id }, { server: id });
		},
		async close() {
			clock.stop();
			gateway.stop();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
