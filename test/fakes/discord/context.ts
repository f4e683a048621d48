import type { Clock } from '../clock.ts';
import type { Cdn } from './cdn.ts';
import type { Faults } from './faults.ts';
import type { Interaction } from './things.ts';
import type { World } from './world.ts';

/** A session of the gateway outlives its connection, so that it can be resumed. */
export type Session = {
	id: string;
	intents: number;
	shard: readonly [number, number];
	/** Everything dispatched, by sequence number less one. */
	events: { t: string; d: unknown }[];
};

export type Gateway = {
	/** Sessions with a connection. */
	connected(): readonly Session[];
	/**
	 * Tells an event to every session that it is for. Sessions without a connection get it when they resume.
	 * @param data what each gets, or a function of the session; undefined for nothing
	 * @param to the server that it is of, the intent that it needs
	 */
	dispatch(
		event: string,
		data: object | ((session: Session) => object | undefined),
		to?: { server?: string | undefined; intent?: number },
	): void;
};

export type Interactions = {
	create(what: Pick<Interaction, 'type' | 'user' | 'channel' | 'data' | 'source'>): Interaction;
	/** Sends the event; once more for the same interaction, with the same id and token. */
	deliver(interaction: Interaction): void;
	byId(id: string): Interaction | undefined;
	byToken(token: string): Interaction | undefined;
	/** Whether its token is still good. */
	alive(interaction: Interaction): boolean;
	/** Whether the first answer still comes in time. */
	inTime(interaction: Interaction): boolean;
};

/** What the parts of the fake share. */
export type Discord = {
	clock: Clock;
	snowflake: () => string;
	world: World;
	cdn: Cdn;
	gateway: Gateway;
	interactions: Interactions;
	faults: Faults;
	settings: Settings;
	/** Writes down what a well-behaved application never does. */
	violate(what: string): void;
	/** `http://127.0.0.1:PORT` */
	address(): string;
};

/** What a test can switch while it runs. */
export type Settings = {
	token: string;
	/** Whether the privileged toggles are on in the developer portal. */
	privileged: { messageContent: boolean; members: boolean; presences: boolean };
	/** Identifies left today. */
	identifies: number;
	/** Milliseconds until there are new ones. */
	identifyResetMs: number;
	/** Shards that `GET /gateway/bot` recommends. */
	shards: number;
	/** Milliseconds between heartbeats. */
	heartbeatMs: number;
	/** By what all rate limits' windows are multiplied, so that tests need not wait as long as people. */
	pace: number;
};
