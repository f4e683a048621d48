import { setTimeout as sleep } from 'node:timers/promises';
import {
	type APIGatewayBotInfo,
	type APIInteraction,
	type Channel,
	ChannelType,
	Client,
	type ClientOptions,
	Collection,
	DiscordAPIError,
	DiscordjsError,
	DiscordjsErrorCodes,
	Events,
	GatewayCloseCodes,
	GatewayDispatchEvents,
	GatewayIntentBits,
	type Guild,
	HTTPError,
	LimitedCollection,
	PermissionFlagsBits,
	type REST,
	Routes,
	ShardClientUtil,
	Status,
} from 'discord.js';
import type { ChannelLimits, Place } from '../../../domain/channel.ts';
import { Backoff, logUnreachable } from '../../shared/backoff.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import { fileBytesIn, limitsOf } from '../api/limits.ts';
import { mayModerate } from '../api/people.ts';
import { restOptions } from '../api/rest.ts';
import type { DiscordOptions } from '../discord.ts';

/** How long the start of the process waits for Discord, in milliseconds. */
const PATIENCE_MS = 10_000;

type GatewayOptions = Pick<DiscordOptions, 'token' | 'apiUrl' | 'shards' | 'messageContent' | 'firstWaitMs' | 'log'> & {
	rest: REST;
	cache: ClientCache;
};

/** What is called meanwhile. Nothing is, once the gateway is stopped. */
export type GatewayEvents = {
	/** Called with the data of an event as Discord sends it. A failure is logged. */
	receive: (event: GatewayDispatchEvents, data: unknown) => unknown;
	/** Called when a shard has begun a session, and its servers are known. One that is resumed repeats its events instead. */
	onSession: (shard: number, stopping: AbortSignal) => void;
	/** Called once Discord has let the bot in. */
	onConnected: () => void;
};

/**
 * The connection by which events arrive. Nothing is sent through it, so that running requests can be answered after it is closed.
 *
 * It keeps trying while Discord cannot be reached, within the session start limit: Discord resets the token of a bot that exceeds it
 * (https://docs.discord.com/developers/events/gateway#session-start-limit-object). The library takes care of the number of concurrent starts.
 */
export class Gateway {
	readonly #options: GatewayOptions;
	readonly #stopping = new AbortController();
	readonly #delayed = Promise.withResolvers<'delayed'>();
	/** Whether to request the Message Content intent: until Discord refuses it. */
	#readsMessages: boolean;
	#events: GatewayEvents | undefined;
	/** Why nothing is received. `waiting`: until Discord allows another session start. */
	#state: 'starting' | 'unreachable' | 'waiting' | 'refused' | undefined = 'starting';

	constructor(options: GatewayOptions) {
		this.#options = options;
		this.#readsMessages = options.messageContent;
	}

	/**
	 * Resolves once connected, or when the connection is delayed: then it is established in the background, and a failure is logged.
	 *
	 * @throws PlatformLoginError when Discord does not let the bot in
	 */
	async start(events: GatewayEvents): Promise<void> {
		this.#events = events;
		const connected = this.#keepTrying().then(events.onConnected);
		const patience = sleep(PATIENCE_MS, 'late' as const, { ref: false });
		const outcome = await Promise.race([connected, this.#delayed.promise, patience]);
		if (outcome) connected.catch((error) => this.#logRefusal(error));
		if (outcome !== 'late') return;
		this.#state = 'unreachable';
		this.#options.log.warn('Discord has not accepted the connection yet; Easel starts without it and keeps trying');
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await this.#options.cache.client?.destroy();
	}

	state(): string {
		if (this.#stopping.signal.aborted) return 'stopped';
		if (this.#state) return this.#state;
		return this.#options.cache.client?.ws.shards.every(({ status }) => status === Status.Ready)
			? 'ready'
			: 'reconnecting';
	}

	/** Returns the number of shards that receive events, and of those that this process runs. */
	connections(): { open: number; expected: number } {
		const { shards } = this.#options;
		const running = this.#options.cache.client?.ws.shards;
		const isStopped = this.#stopping.signal.aborted;
		const open = isStopped ? 0 : (running?.filter(({ status }) => status === Status.Ready).size ?? 0);
		return { open, expected: Math.max(running?.size ?? 0, shards === 'auto' ? 1 : shards.shards.length) };
	}

	async #keepTrying(): Promise<void> {
		const { rest, shards, firstWaitMs, log } = this.#options;
		const backoff = new Backoff(firstWaitMs);
		for (;;) {
			try {
				const info = (await rest.get(Routes.gatewayBot())) as APIGatewayBotInfo;
				const { session_start_limit: limit, shards: recommended } = info;
				const needed = shards === 'auto' ? recommended : shards.shards.length;
				if (limit.remaining >= needed) return await this.#login();
				const until = new Date(Date.now() + limit.reset_after).toISOString();
				log.warn(
					{ needed, remaining: limit.remaining, until },
					`Discord allows ${limit.remaining} more session starts today, and ${needed} are needed: the next try is at ${until}`,
				);
				await this.#delay('waiting', limit.reset_after);
			} catch (cause) {
				const error = loginErrorOf(cause);
				if (this.#stopping.signal.aborted) throw error;
				const isIntentRefused =
					error instanceof DiscordLoginError && error.code === GatewayCloseCodes.DisallowedIntents;
				if (isIntentRefused && this.#readsMessages) {
					this.#readsMessages = false;
					log.warn(`${error.message} Until then chat threads answer only what mentions the bot.`);
					continue;
				}
				if (error instanceof PlatformLoginError) {
					this.#state = 'refused';
					throw error;
				}
				const wait = backoff.fail();
				logUnreachable(log, 'Discord', error, wait);
				await this.#delay('unreachable', wait);
			}
		}
	}

	#delay(state: 'unreachable' | 'waiting', ms: number): Promise<void> {
		this.#state = state;
		this.#delayed.resolve('delayed');
		return sleep(ms, undefined, { signal: this.#stopping.signal });
	}

	/** @throws DiscordLoginError, or a network error */
	async #login(): Promise<void> {
		const { token, apiUrl, shards, cache, log } = this.#options;
		const intents = this.#readsMessages ? [...INTENTS, GatewayIntentBits.MessageContent] : INTENTS;
		const makeCache = cacheOf as ClientOptions['makeCache'];
		const client = new Client({
			...{ intents, rest: restOptions(apiUrl), makeCache },
			...(shards === 'auto' ? { shards } : shards),
		});
		cache.client = client;
		client.on(Events.Error, (error) => log.error({ err: error }, 'The Discord client failed'));
		client.on(Events.ShardError, (error, shard) => log.warn({ err: error, shard }, 'A Discord connection failed'));
		client.on(Events.ShardReady, (shard) => this.#events?.onSession(shard, this.#stopping.signal));
		client.on(Events.Raw, ({ t, d }) => void this.#receive(t, d));
		const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()));
		// Discord may close the connection before the login, and after it, before all servers are available.
		const closed = new Promise<never>((_, reject) =>
			client.once(Events.ShardDisconnect, ({ code }) => reject(new DiscordLoginError(code))),
		);
		try {
			await Promise.race([closed, Promise.all([client.login(token), ready])]);
		} catch (error) {
			await client.destroy();
			throw error;
		}
		this.#state = undefined;
		closed.catch((error: DiscordLoginError) => this.#startOver(client, error));
		// It may have been stopped meanwhile.
		if (this.#stopping.signal.aborted) await client.destroy();
	}

	/** Replaces a client that Discord has disconnected for good: it may have withdrawn the intent, or require more shards. Never rejects. */
	async #startOver(client: Client, { code, message }: DiscordLoginError): Promise<void> {
		this.#options.log.error({ code }, message);
		this.#state = 'starting';
		await client.destroy();
		await this.#keepTrying().catch((error) => this.#logRefusal(error));
	}

	async #receive(event: GatewayDispatchEvents, data: unknown): Promise<void> {
		// The library throws where an interaction has no owners. https://github.com/discord/discord-api-docs/issues/6752
		if (event === GatewayDispatchEvents.InteractionCreate)
			(data as Partial<APIInteraction>).authorizing_integration_owners ??= {};
		try {
			if (!this.#stopping.signal.aborted) await this.#events?.receive(event, data);
		} catch (error) {
			this.#options.log.error({ err: error, event }, 'An event could not be handled');
		}
	}

	#logRefusal(error: unknown): void {
		const message = error instanceof PlatformLoginError ? error.message : 'Discord does not let the bot in';
		if (!this.#stopping.signal.aborted) this.#options.log.error({ err: error }, message);
	}
}

/** Thrown when Discord has closed the connection for good, with its close code. */
export class DiscordLoginError extends PlatformLoginError {
	readonly code: number;

	constructor(code: number) {
		super(SENTENCES[code] ?? `Discord has closed the connection for good (close code ${code}).`);
		this.code = code;
	}
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const SENTENCES: Readonly<Record<number, string>> = {
	[GatewayCloseCodes.AuthenticationFailed]:
		'Discord does not accept DISCORD_TOKEN: reset the token in the developer portal under Bot, and set the new one.',
	[GatewayCloseCodes.InvalidShard]: 'Discord does not accept DISCORD_SHARDS: it names a shard that does not exist.',
	[GatewayCloseCodes.ShardingRequired]:
		'The bot is in too many servers for this number of shards: set DISCORD_SHARDS to auto, or to more shards.',
	[GatewayCloseCodes.InvalidIntents]:
		'Discord does not know the intents that this version of Easel requests: update Easel.',
	[GatewayCloseCodes.DisallowedIntents]:
		'Discord does not allow the bot to read messages: turn on Message Content Intent in the developer portal under Bot, or set DISCORD_MESSAGE_CONTENT=off.',
};

/** Returns what a failed login means: a `PlatformLoginError` when Discord refuses it, the error itself when trying again may help. */
function loginErrorOf(error: unknown): unknown {
	const isTokenInvalid = error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
	const status = error instanceof DiscordAPIError || error instanceof HTTPError ? error.status : undefined;
	if (isTokenInvalid || status === 401) return new DiscordLoginError(GatewayCloseCodes.AuthenticationFailed);
	if (status === 404)
		return new PlatformLoginError(
			"DISCORD_API_URL is not the address of Discord's API, which answers 404 there: correct it, or remove it.",
		);
	return error;
}

const INTENTS = [
	GatewayIntentBits.Guilds,
	GatewayIntentBits.GuildMessages,
	GatewayIntentBits.DirectMessages,
	GatewayIntentBits.AutoModerationConfiguration,
];

/** What is looked up, and small. Users and messages come with each event. */
const CACHED = /^(?:Guild|Role|Channel|GuildChannel|Thread|PermissionOverwrite)Manager$/;

const isOwn = ({ id, client }: { id?: string; client?: Client }) => id !== undefined && id === client?.user?.id;

/** Returns the cache of a manager. Those of users and members have the bot alone. */
const cacheOf = ({ name }: { name: string }) =>
	CACHED.test(name) ? new Collection() : new LimitedCollection({ maxSize: 0, keepOverLimit: isOwn });

/** Looks up what the gateway's client has cached. Everything is undefined while there is no client, and for what it has not cached. */
export class ClientCache {
	/** The latest one. */
	client: Client | undefined;

	get self(): string | undefined {
		return this.client?.user?.id;
	}

	/** The id of the role that belongs to the bot in a server. People mention it as they mention the bot. */
	ownRole(server: string): string | undefined {
		const { user } = this.client ?? {};
		return (user && this.guild(server)?.roles.botRoleFor(user)?.id) || undefined;
	}

	nameOf(kind: 'channel' | 'role', id: string, server: string | undefined): string | undefined {
		if (kind === 'role') return server === undefined ? undefined : this.guild(server)?.roles.cache.get(id)?.name;
		const channel = this.channel(id);
		return (channel && 'name' in channel && channel.name) || undefined;
	}

	channel(id: string): Channel | undefined {
		return this.client?.channels.cache.get(id);
	}

	/** Tells whether every member of its server can see a channel. A private thread is seen only by those who are in it. */
	isVisibleToEveryone(id: string): boolean | undefined {
		const channel = this.channel(id);
		if (!channel || !('guild' in channel)) return undefined;
		if (channel.type === ChannelType.PrivateThread) return false;
		return channel.permissionsFor(channel.guild.roles.everyone)?.has(PermissionFlagsBits.ViewChannel);
	}

	/** The limits of what the bot posts by itself in a channel or thread, which the boosts of a server decide on. */
	limitsAt(id: string, server?: string): ChannelLimits {
		const found = this.channel(id);
		const guild = found && 'guild' in found ? found.guild : this.guild(server ?? '');
		return limitsOf(guild && fileBytesIn(guild));
	}

	/**
	 * Tells whether the bot is a member of a server, as `guild`. Undefined while the client is not ready, and for a server of
	 * a shard that another process runs. An unavailable server is still cached.
	 */
	isMember(server: string): boolean | undefined {
		if (!this.client?.isReady() || !/^\d+$/.test(server)) return undefined;
		const isOurs = this.client.ws.shards.has(this.shardOf({ server }) ?? -1);
		return isOurs ? this.guild(server) !== undefined : undefined;
	}

	/** The shard that receives the events of a place. https://docs.discord.com/developers/events/gateway#sharding */
	shardOf({ server, direct }: Pick<Place, 'server' | 'direct'>): number | undefined {
		if (!this.client) return undefined;
		const { options, ws } = this.client;
		return direct ? 0 : ShardClientUtil.shardIdForGuildId(server, options.shardCount ?? ws.shards.size);
	}

	/** A channel of a server where the bot may post: the one for system messages, or the first. */
	channelForNotices(server: string): string | undefined {
		const guild = this.guild(server);
		const me = guild?.members.me;
		if (!guild || !me) return undefined;
		const texts = guild.channels.cache.filter((channel) => channel.type === ChannelType.GuildText);
		const candidates = [guild.systemChannel, ...texts.sort((a, b) => a.rawPosition - b.rawPosition).values()];
		const needed = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages;
		return candidates.find((channel) => channel?.permissionsFor(me).has(needed))?.id;
	}

	mayManageServer(server: string): boolean | undefined {
		return this.guild(server)?.members.me?.permissions.has(PermissionFlagsBits.ManageGuild);
	}

	/** Tells whether a member with these roles moderates. Interactions carry the member's permissions; messages do not. */
	isModerator(server: string, user: string, roles: readonly string[]): boolean {
		const guild = this.guild(server);
		if (!guild) return false;
		// The id of the role @everyone is the server's id.
		const permissions = [server, ...roles].flatMap((id) => guild.roles.cache.get(id)?.permissions ?? []);
		return guild.ownerId === user || permissions.some(mayModerate);
	}

	guild(id: string): Guild | undefined {
		return this.client?.guilds.cache.get(id);
	}
}
