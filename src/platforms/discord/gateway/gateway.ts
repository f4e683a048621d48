import {
	Client,
	Events,
	GatewayCloseCodes,
	type GatewayDispatchEvents,
	GatewayIntentBits,
	Options,
	type REST,
	Status,
} from 'discord.js';
import type { Log } from '../../../log.ts';
import { mayModerate } from '../api/people.ts';
import { restOptions } from '../api/rest.ts';
import { createConnecting } from './connecting.ts';
import { DiscordLoginError, loginErrorOf } from './login-errors.ts';
import { type Shards, shardsOf } from './shards.ts';

/** Told of a dispatch as Discord sent it. What it throws or rejects with is logged. */
// biome-ignore lint/suspicious/noExplicitAny: as the library types what it hands over; each listener names its own kind.
type Listener = (data: any) => unknown;

export type Gateway = ReturnType<typeof createGateway>;

const INTENTS = [
	GatewayIntentBits.Guilds,
	GatewayIntentBits.GuildMessages,
	GatewayIntentBits.DirectMessages,
	GatewayIntentBits.AutoModerationConfiguration,
];

/**
 * The connection that events come by. Nothing is answered by it, so that what still runs can post when it is closed. What
 * happens is taken as Discord sends it; of what the client keeps, servers, roles and channels are asked.
 */
export function createGateway(options: {
	token: string;
	apiUrl: string;
	shards: string;
	messageContent: boolean;
	listeners: Partial<Record<GatewayDispatchEvents, Listener>>;
	rest: REST;
	/** Milliseconds before the second try where Discord can't be reached. */
	firstWaitMs?: number | undefined;
	log: Log;
}) {
	const { token, apiUrl, listeners, log } = options;
	const shards = shardsOf(options.shards);
	let client: Client | undefined;
	let refused: DiscordLoginError | undefined;
	let stopped = false;

	function createClient(messageContent: boolean): Client {
		const fresh = new Client(clientOptions({ apiUrl, shards, messageContent }));
		fresh.on(Events.Error, (error) => log.error({ err: error }, 'The Discord client failed'));
		fresh.on(Events.ShardError, (error, shard) => log.warn({ err: error, shard }, 'A Discord connection failed'));
		fresh.on(Events.ShardDisconnect, ({ code }, shard) => {
			// One that was given up may still be told so by its other shards.
			if (client !== fresh) return;
			refused = new DiscordLoginError(code);
			if (fresh.isReady()) log.error({ code, shard }, refused.message);
		});
		for (const [event, listener] of Object.entries(listeners)) {
			const guarded = async (data: unknown) => {
				if (!stopped) await listener(data);
			};
			fresh.ws.on(event as GatewayDispatchEvents, (data) => {
				guarded(data).catch((error: unknown) => log.error({ err: error, event }, 'An event could not be handled'));
			});
		}
		return fresh;
	}

	/** Rejects with `DiscordLoginError`, or with the network's error. */
	async function connect(messageContent: boolean): Promise<void> {
		refused = undefined;
		const fresh = createClient(messageContent);
		client = fresh;
		const ready = new Promise<void>((resolve, reject) => {
			fresh.once(Events.ClientReady, () => resolve());
			// Also after the login, while the servers are still being told of.
			fresh.once(Events.ShardDisconnect, ({ code }) => reject(new DiscordLoginError(code)));
		});
		ready.catch(() => {});
		try {
			await fresh.login(token);
		} catch (error) {
			const why = loginErrorOf(error, (refused as DiscordLoginError | undefined)?.code);
			if (why instanceof DiscordLoginError) refused = why;
			throw why;
		}
		await ready;
	}

	/** Without the right to read messages it goes on without, and says so. */
	async function connectAsAllowed(): Promise<void> {
		try {
			await connect(options.messageContent);
		} catch (error) {
			const mayNotRead = error instanceof DiscordLoginError && error.code === GatewayCloseCodes.DisallowedIntents;
			if (!mayNotRead || !options.messageContent) throw error;
			log.warn(`${error.message} Until then chat threads answer only what mentions the bot.`);
			await connect(false);
		}
		// It was told to stop meanwhile.
		if (stopped) await client?.destroy();
	}

	const { rest, firstWaitMs } = options;
	const connecting = createConnecting({ rest, shards, connect: connectAsAllowed, firstWaitMs, log });

	return {
		/** See `createConnecting`. */
		start: connecting.start,

		async stop(): Promise<void> {
			stopped = true;
			connecting.stop();
			await client?.destroy();
		},

		/** As Discord's connections are, in a word. */
		state(): string {
			if (stopped) return 'stopped';
			if (refused) return 'refused';
			if (!client?.isReady()) return connecting.state();
			return client.ws.shards.every(({ status }) => status === Status.Ready) ? 'ready' : 'reconnecting';
		},

		/** The bot's own id as a user. */
		user: () => client?.user?.id,

		/** A channel or thread as far as the client knows it. */
		channel(id: string) {
			const found = client?.channels.cache.get(id);
			if (!found) return undefined;
			const nsfw = 'nsfw' in found && found.nsfw;
			return { id, type: found.type, parent: 'parentId' in found ? found.parentId : null, nsfw };
		},

		/** How far a server is boosted; undefined when it is not known. */
		boost: (server: string) => client?.guilds.cache.get(server)?.premiumTier,

		/** The language that a server is set to; messages, other than interactions, do not say who reads what. */
		locale: (server: string): string | undefined => client?.guilds.cache.get(server)?.preferredLocale,

		/** Whether somebody with these roles may moderate; messages, other than interactions, do not say so. */
		moderates(server: string, person: string, roles: readonly string[]): boolean {
			const guild = client?.guilds.cache.get(server);
			if (!guild) return false;
			// The role of everybody has the server's own id.
			const permissions = [server, ...roles].map((id) => guild.roles.cache.get(id)?.permissions.bitfield ?? 0n);
			return guild.ownerId === person || mayModerate(permissions.reduce((all, some) => all | some, 0n));
		},
	};
}

function clientOptions({
	apiUrl,
	shards,
	messageContent,
}: {
	apiUrl: string;
	shards: Shards;
	messageContent: boolean;
}) {
	return {
		intents: messageContent ? [...INTENTS, GatewayIntentBits.MessageContent] : INTENTS,
		rest: restOptions(apiUrl),
		...(shards === 'auto' ? { shards } : shards),
		allowedMentions: { parse: [] },
		enforceNonce: true,
		// Servers, channels, roles and threads are kept: small, and asked of. People and messages come with every event.
		makeCache: Options.cacheWithLimits({
			...NOTHING_OF,
			UserManager: { maxSize: 0, keepOverLimit: ({ id, client }) => id === client.user?.id },
			GuildMemberManager: { maxSize: 0, keepOverLimit: ({ id, client }) => id === client.user?.id },
		}),
	};
}

/** What nobody asks for is not kept. */
const NOTHING_OF = {
	ApplicationCommandManager: 0,
	ApplicationEmojiManager: 0,
	AutoModerationRuleManager: 0,
	BaseGuildEmojiManager: 0,
	EntitlementManager: 0,
	GuildBanManager: 0,
	GuildEmojiManager: 0,
	GuildInviteManager: 0,
	GuildScheduledEventManager: 0,
	GuildStickerManager: 0,
	MessageManager: 0,
	PresenceManager: 0,
	ReactionManager: 0,
	ReactionUserManager: 0,
	StageInstanceManager: 0,
	ThreadMemberManager: 0,
	VoiceStateManager: 0,
};
