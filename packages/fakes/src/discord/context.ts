import type { Clock } from '../clock.ts';
import type { Faults } from './faults.ts';
import type { Cdn } from './world/cdn.ts';
import type { Interaction } from './world/model.ts';
import type { World } from './world/world.ts';

/** A session of the gateway. It outlives its connection, so that it can be resumed. */
export type Session = {
	id: string;
	intents: number;
	shard: readonly [number, number];
	/** All dispatched events. The sequence number of an event is its index plus one. */
	events: { t: string; d: unknown }[];
};

export type Gateway = {
	/** Returns the sessions that have a connection. */
	connected(): readonly Session[];
	/**
	 * Dispatches an event to the sessions that it is for. Sessions without a connection receive it when they resume.
	 *
	 * @param data or a function that returns it for a session; undefined to dispatch nothing
	 * @param to the server of the event, and the intent that it requires
	 */
	dispatch(
		event: string,
		data: object | ((session: Session) => object | undefined),
		to?: { server?: string | undefined; intent?: number },
	): void;
};

export type InteractionProperties = Pick<Interaction, 'type' | 'user' | 'channel' | 'data' | 'source'>;

export type Interactions = {
	create(properties: InteractionProperties): Interaction;
	/** Dispatches an interaction; again for one that was delivered before, with the same id and token. */
	deliver(interaction: Interaction): void;
	byId(id: string): Interaction | undefined;
	byToken(token: string): Interaction | undefined;
	/** Tells whether the token is still valid. */
	isTokenValid(interaction: Interaction): boolean;
	/** Tells whether a first response still comes in time. */
	isInTime(interaction: Interaction): boolean;
};

/** State shared by the parts of the fake. */
export type Discord = {
	clock: Clock;
	snowflake: () => string;
	world: World;
	cdn: Cdn;
	gateway: Gateway;
	interactions: Interactions;
	faults: Faults;
	settings: Settings;
	/** Records something that a well-behaved application never does. */
	violate(violation: string): void;
	/** `http://127.0.0.1:PORT` */
	address(): string;
};

/** Settings that a test can change while the fake runs. */
export type Settings = {
	token: string;
	/** The privileged intents that are enabled in the developer portal. */
	privileged: { messageContent: boolean; members: boolean; presences: boolean };
	/** Session starts that are left today. */
	identifies: number;
	/** Milliseconds until the session start limit resets. */
	identifyResetMs: number;
	/** Where interactions are sent instead of to the gateway. https://docs.discord.com/developers/resources/application */
	interactionsEndpoint: string | null;
	/** The number of shards that `GET /gateway/bot` recommends. */
	shards: number;
	/**
	 * The least number of shards, which grows with the number of servers.
	 * https://docs.discord.com/developers/events/gateway#sharding
	 */
	requiredShards: number;
	/** Milliseconds between heartbeats. */
	heartbeatMs: number;
	/**
	 * Whether interactions carry `authorizing_integration_owners`. Discord does not say what a press has under a message that no
	 * interaction made, and has left it out before. https://github.com/discord/discord-api-docs/issues/6752
	 */
	integrationOwners: 'present' | 'empty' | 'missing';
	/**
	 * An upload limit of a file below the announced one, in bytes, as when Discord changed the default.
	 * https://github.com/discord/discord-api-docs/issues/8572
	 */
	uploadBytes: number;
	/** Invalid requests within ten minutes after which the address is banned, 10,000 by default. */
	invalidRequestLimit: number;
	/** A factor for the windows of all rate limits, to shorten them in tests. */
	pace: number;
};
