import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type APIAutoModerationRule, GatewayIntentBits, PermissionFlagsBits } from 'discord-api-types/v10';
import { createClock } from '../clock.ts';
import type { PictureFile } from '../test-user.ts';
import { FakeRest, type RecordedRequest } from './api/rest.ts';
import { applicationRoutes } from './api/routes/application.ts';
import { channelMessageRoutes } from './api/routes/channel-messages.ts';
import { channelRoutes } from './api/routes/channels.ts';
import { commandRoutes } from './api/routes/commands.ts';
import { interactionCallbackRoute } from './api/routes/interaction-callback.ts';
import { serverRoutes } from './api/routes/servers.ts';
import { threadRoutes } from './api/routes/threads.ts';
import { webhookMessageRoutes } from './api/routes/webhook-messages.ts';
import type { Discord, Settings } from './context.ts';
import { Faults } from './faults.ts';
import { FakeGateway } from './gateway/gateway.ts';
import { renderServer } from './render/objects.ts';
import type { MessageBody } from './schemas/messages.ts';
import { DiscordUser } from './user/user.ts';
import { createCdn, typeOf } from './world/cdn.ts';
import { CommandRegistry, GLOBAL, type RegisteredCommand } from './world/command-registry.ts';
import { ATELIER, type ServerDescription } from './world/description.ts';
import { InteractionStore } from './world/interactions.ts';
import { createMessage } from './world/messages.ts';
import type { Channel } from './world/model.ts';
import { permissionsIn } from './world/permissions.ts';
import { removeApplication } from './world/remove-application.ts';
import { createSnowflakes } from './world/snowflakes.ts';
import { createThread, deleteChannel, updateChannel, updateThread } from './world/threads.ts';
import { World } from './world/world.ts';

export type { RecordedRequest } from './api/rest.ts';
export type { DiscordUser } from './user/user.ts';
export type { ServerDescription } from './world/description.ts';

export type DiscordOptions = Partial<Settings> & {
	/** By default one server, Atelier, with Ada as a moderator, Björn as a member, and the channel `general` among others. */
	servers?: readonly ServerDescription[];
	/** Commands that are registered already, such as those of another fake. */
	commands?: readonly RegisteredCommand[];
};

/** A fake Discord on a loopback port. */
export type DiscordFake = {
	/** `http://127.0.0.1:PORT/api`, for `rest.api` of the client. It returns the URL of the gateway. */
	api: string;
	/** `http://127.0.0.1:PORT/cdn`, for `rest.cdn`, and the origin of attachments' URLs. */
	cdn: string;
	token: string;
	/** The id of the application, and of its user. */
	applicationId: string;
	/**
	 * Violations by the application, one sentence each: a body that exceeds a limit, an interaction without
	 * a response for 3 s or with two, a token where it does not belong, a ping of somebody who has not made a request.
	 * Tests end with `expect(discord.violations).toEqual([])`.
	 */
	violations: string[];
	/** All requests to the REST API, in order. */
	requests: RecordedRequest[];
	/** The time of interactions, rate limits and URLs of files. A test can advance it. */
	clock: Discord['clock'];
	/** Token, intents, session start limit, shards, heartbeat, pace of rate limits: changed at any time. */
	settings: Settings;
	gateway: FakeGateway;
	faults: Faults;
	world: World;
	/** The registered commands as users see them in a server (by id). */
	commands(server?: string): RegisteredCommand[];
	/** Returns a user (by handle) in a channel (by name or id); by default the first channel of the first server. */
	user(person: string, channel?: string | Channel): DiscordUser;
	/** Posts a message of another application, whose files its embeds and components may show as `attachment://NAME`. */
	posts(channel: Channel, body: MessageBody, files?: readonly PictureFile[]): void;
	/** Actions of members on threads and channels. */
	threads: {
		/** @param text the first message of a forum's post */
		create(parent: Channel, name: string, owner: string, text?: string): Channel;
		change(thread: Channel, changes: { archived?: boolean; locked?: boolean; name?: string }): void;
		/** Deletes a channel or a thread. */
		delete(channel: Channel): void;
	};
	/** Changes the permission overwrites of a channel as `World.overwrite` does, and dispatches the event. */
	overwrite: World['overwrite'];
	/** Adds an AutoMod rule to the first server, by default one that blocks messages by keywords. */
	addAutoModRule(properties: Partial<APIAutoModerationRule>): void;
	/** Adds the application to a further server, which its client is told of. Returns the server's id. */
	addApplication(description: ServerDescription): string;
	/** Removes the application from a server, by default from the first one. */
	removeApplication(server?: string): void;
	close(): Promise<void>;
};

/**
 * Starts a fake Discord that an unmodified discord.js client can log in to, and that is as strict as Discord:
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
 * The client has to register its commands first (`client.application.commands.set(…)`, or a PUT), since users send options in the
 * registered types. They also send values that Discord's client would refuse, as clients with an outdated list of commands do;
 * `DiscordUser.refuses` tells which. An action of a user resolves when it is acknowledged, or after 3 s.
 */
export async function startDiscord({
	servers = [ATELIER],
	commands: registered = [],
	...options
}: DiscordOptions = {}): Promise<DiscordFake> {
	const http = createServer();
	await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
	const violations: string[] = [];
	const requests: RecordedRequest[] = [];
	const gateway = new FakeGateway(() => discord);
	const discord = createContext(servers, options, { gateway, url, violations });
	const { clock, settings, faults, world, cdn } = discord;
	const commands = new CommandRegistry(world.me.id, discord.snowflake);
	commands.replace(GLOBAL, registered);
	const rest = new FakeRest(discord, [...commandRoutes(commands), ...ROUTES], requests);
	const userParts = { discord, commands, deliveries: new Map() };

	http.on('upgrade', gateway.upgrade);
	http.on('request', (request, response) => {
		if (!request.url?.startsWith('/cdn/')) return void rest.handle(request, response);
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
		faults,
		world,
		commands: (server) => commands.visible(server),
		user: (person, channel) =>
			new DiscordUser(userParts, world.person(person), typeof channel === 'object' ? channel : world.channel(channel)),
		posts(channel, body, files = []) {
			const parts = files.map(({ name, bytes }, index) => {
				return { index: String(index), name, type: typeOf(bytes, name), bytes: Buffer.from(bytes) };
			});
			createMessage(discord, body, parts, { channel, author: world.otherApplication });
		},
		threads: {
			create(parent, name, owner, text) {
				const channel = createThread(discord, parent, { name, owner: world.person(owner) });
				const author = world.person(owner);
				if (text !== undefined) createMessage(discord, { content: text }, [], { id: channel.id, channel, author });
				return channel;
			},
			change: (thread, changes) => updateThread(discord, thread, changes),
			delete: (channel) => deleteChannel(discord, channel),
		},
		overwrite: (channel, ...change) => {
			world.overwrite(channel, ...change);
			updateChannel(discord, channel);
		},
		addAutoModRule: (properties) => addAutoModRule(discord, properties),
		addApplication: (description) => addApplication(discord, description),
		removeApplication: (server) => removeApplication(discord, discord.world.server(server)),
		async close() {
			clock.stop();
			gateway.stop();
			http.closeAllConnections();
			await new Promise((resolve) => http.close(resolve));
		},
	};
}

const ROUTES = [
	interactionCallbackRoute,
	...webhookMessageRoutes,
	...applicationRoutes,
	...serverRoutes,
	...channelRoutes,
	...channelMessageRoutes,
	...threadRoutes,
];

function createContext(
	servers: readonly ServerDescription[],
	options: Partial<Settings>,
	{ gateway, url, violations }: { gateway: FakeGateway; url: string; violations: string[] },
): Discord {
	const clock = createClock();
	const snowflake = createSnowflakes(clock.now);
	const context: Discord = {
		clock,
		snowflake,
		settings: {
			token: 'MTIzNDU2Nzg5.Easel1.a-token-that-opens-nothing',
			privileged: { messageContent: true, members: false, presences: false },
			identifies: 1000,
			identifyResetMs: 86_400_000,
			shards: 1,
			interactionsEndpoint: null,
			requiredShards: 1,
			heartbeatMs: 41_250,
			integrationOwners: 'present',
			invalidRequestLimit: 10_000,
			uploadBytes: Number.POSITIVE_INFINITY,
			pace: 1,
			...options,
		},
		world: new World(servers, snowflake),
		cdn: createCdn(clock, () => url),
		gateway,
		interactions: new InteractionStore(() => context),
		faults: new Faults(),
		violate: (violation) => void violations.push(violation),
		address: () => url,
	};
	return context;
}

/** https://docs.discord.com/developers/events/gateway-events#guild-create */
function addApplication({ world, gateway }: Discord, description: ServerDescription): string {
	const server = world.addServer(description);
	gateway.dispatch('GUILD_CREATE', renderServer(server, world.me), {
		server: server.id,
		intent: GatewayIntentBits.Guilds,
	});
	return server.id;
}

/** The event is dispatched to applications that may manage the server. */
function addAutoModRule({ world, gateway }: Discord, properties: Partial<APIAutoModerationRule>): void {
	const server = world.server();
	const rule = world.addAutoModRule(server, properties);
	if (permissionsIn(server, world.me) & PermissionFlagsBits.ManageGuild)
		gateway.dispatch('AUTO_MODERATION_RULE_CREATE', rule, {
			server: server.id,
			intent: GatewayIntentBits.AutoModerationConfiguration,
		});
}
