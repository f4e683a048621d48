import {
	type APIInteraction,
	Client,
	type ClientOptions,
	Collection,
	Events,
	GatewayCloseCodes,
	GatewayDispatchEvents,
	GatewayIntentBits,
	LimitedCollection,
	type REST,
	Status,
} from 'discord.js';
import type { Log } from '../../../log.ts';
import { restOptions } from '../api/rest.ts';
import type { ClientCache } from './client-cache.ts';
import { Connector, DiscordLoginError, loginErrorOf } from './connector.ts';
import type { Shards } from './shards.ts';

/** Handles an event with its data as Discord sends it. A failure is logged. */
// biome-ignore lint/suspicious/noExplicitAny: as in the library's own types; each listener declares the data of its event.
type Listener = (data: any) => unknown;

export type GatewayListeners = Partial<Record<GatewayDispatchEvents, Listener>>;

type GatewayOptions = {
	token: string;
	apiUrl: string;
	shards: Shards;
	messageContent: boolean;
	listeners: GatewayListeners;
	/** Called when a shard has begun a session, and its servers are known. One that is resumed repeats its events instead. */
	onSession: (shard: number) => void;
	rest: REST;
	cache: ClientCache;
	/** Milliseconds before the second try to connect. */
	firstWaitMs?: number;
	log: Log;
};

/** The connection by which events arrive. Nothing is sent through it, so that running requests can be answered after it is closed. */
export class Gateway {
	readonly #options: GatewayOptions;
	readonly #connector: Connector;
	#client: Client | undefined;
	#loginError: DiscordLoginError | undefined;
	#isStopped = false;

	constructor(options: GatewayOptions) {
		const { rest, shards, firstWaitMs, log } = options;
		this.#options = options;
		this.#connector = new Connector({ rest, shards, connect: () => this.#connect(), firstWaitMs, log });
	}

	start(onConnected: () => void): Promise<void> {
		return this.#connector.start(onConnected);
	}

	async stop(): Promise<void> {
		this.#isStopped = true;
		this.#connector.stop();
		await this.#client?.destroy();
	}

	state(): string {
		if (this.#isStopped) return 'stopped';
		if (this.#loginError) return 'refused';
		if (!this.#client?.isReady()) return this.#connector.state;
		return this.#client.ws.shards.every(({ status }) => status === Status.Ready) ? 'ready' : 'reconnecting';
	}

	/** Returns the number of shards that receive events, and of those that this process runs. */
	connections(): { open: number; expected: number } {
		const { shards } = this.#options;
		const running = this.#client?.ws.shards;
		const open = this.#isStopped ? 0 : (running?.filter(({ status }) => status === Status.Ready).size ?? 0);
		return { open, expected: Math.max(running?.size ?? 0, shards === 'auto' ? 1 : shards.shards.length) };
	}

	/** Falls back to a connection without the Message Content intent when Discord refuses it. */
	async #connect(): Promise<void> {
		const { messageContent, log } = this.#options;
		try {
			await this.#login(messageContent);
		} catch (error) {
			const isIntentRefused = error instanceof DiscordLoginError && error.code === GatewayCloseCodes.DisallowedIntents;
			if (!isIntentRefused || !messageContent) throw error;
			log.warn(`${error.message} Until then chat threads answer only what mentions the bot.`);
			await this.#login(false);
		}
		// It may have been stopped meanwhile.
		if (this.#isStopped) await this.#client?.destroy();
	}

	/** Rejects with `DiscordLoginError`, or with a network error. */
	async #login(messageContent: boolean): Promise<void> {
		const client = this.#createClient(messageContent);
		const ready = new Promise<void>((resolve, reject) => {
			client.once(Events.ClientReady, () => resolve());
			// Discord may also close the connection after the login, before all servers are available.
			client.once(Events.ShardDisconnect, ({ code }) => reject(new DiscordLoginError(code)));
		});
		ready.catch(() => {});
		try {
			await client.login(this.#options.token);
		} catch (cause) {
			const error = loginErrorOf(cause, this.#loginError?.code);
			if (error instanceof DiscordLoginError) this.#loginError = error;
			throw error;
		}
		await ready;
	}

	#createClient(messageContent: boolean): Client {
		const { apiUrl, shards, cache, log } = this.#options;
		const client = new Client(clientOptions(apiUrl, shards, messageContent));
		this.#loginError = undefined;
		this.#client = client;
		cache.use(client);
		client.on(Events.Error, (error) => log.error({ err: error }, 'The Discord client failed'));
		client.on(Events.ShardError, (error, shard) => log.warn({ err: error, shard }, 'A Discord connection failed'));
		client.on(Events.ShardDisconnect, ({ code }, shard) => {
			// Further shards of a client that was replaced may still be closed.
			if (this.#client !== client) return;
			this.#loginError = new DiscordLoginError(code);
			if (!client.isReady()) return;
			log.error({ code, shard }, this.#loginError.message);
			if (this.#isGrowthRelated(code)) void this.#connectAgain(client);
		});
		client.on(Events.ShardReady, (shard) => this.#options.onSession(shard));
		client.ws.on(GatewayDispatchEvents.InteractionCreate, addMissingOwners);
		this.#listen(client);
		return client;
	}

	/** Discord may withdraw the intent of a bot that has grown, and require more shards of it. */
	#isGrowthRelated(code: number): boolean {
		if (code === GatewayCloseCodes.DisallowedIntents) return this.#options.messageContent;
		return code === GatewayCloseCodes.ShardingRequired && this.#options.shards === 'auto';
	}

	/** Replaces a client that Discord has disconnected for good. Never rejects. */
	async #connectAgain(client: Client): Promise<void> {
		this.#client = undefined;
		this.#loginError = undefined;
		try {
			await client.destroy();
			await this.#connector.start(() => {});
		} catch (error) {
			if (!this.#isStopped) this.#options.log.error({ err: error }, 'Discord does not let the bot in again');
		}
	}

	#listen(client: Client): void {
		const { listeners, log } = this.#options;
		for (const [event, listener] of Object.entries(listeners)) {
			client.ws.on(event as GatewayDispatchEvents, async (data) => {
				try {
					if (!this.#isStopped) await listener(data);
				} catch (error) {
					log.error({ err: error, event }, 'An event could not be handled');
				}
			});
		}
	}
}

/**
 * Adds empty owners to an interaction without them, before the library reads it: the library throws where the property is missing.
 * Discord has left it out before. https://github.com/discord/discord-api-docs/issues/6752
 */
function addMissingOwners(interaction: Partial<Pick<APIInteraction, 'authorizing_integration_owners'>>): void {
	interaction.authorizing_integration_owners ??= {};
}

const INTENTS = [
	GatewayIntentBits.Guilds,
	GatewayIntentBits.GuildMessages,
	GatewayIntentBits.DirectMessages,
	GatewayIntentBits.AutoModerationConfiguration,
];

/** @param messageContent whether to request the privileged Message Content intent */
const clientOptions = (apiUrl: string, shards: Shards, messageContent: boolean): ClientOptions => ({
	intents: messageContent ? [...INTENTS, GatewayIntentBits.MessageContent] : INTENTS,
	rest: restOptions(apiUrl),
	...(shards === 'auto' ? { shards } : shards),
	allowedMentions: { parse: [] },
	enforceNonce: true,
	makeCache: cacheOf as ClientOptions['makeCache'],
});

/** What is looked up, and small. Users and messages come with each event. */
const CACHED = /^(?:Guild|Role|Channel|GuildChannel|Thread|PermissionOverwrite)Manager$/;

const isOwn = ({ id, client }: { id?: string; client?: Client }) => id !== undefined && id === client?.user?.id;

/** Returns the cache of a manager. Those of users and members have the bot alone. */
const cacheOf = ({ name }: { name: string }) =>
	CACHED.test(name) ? new Collection() : new LimitedCollection({ maxSize: 0, keepOverLimit: isOwn });
