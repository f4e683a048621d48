import type { Cdn } from './cdn.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Gateway } from './gateway.ts';
import type { Interactions } from './interactions.ts';
import type { World } from './world.ts';

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
	/** Shards that `GET /gateway/bot` recommends. */
	shards: number;
	/** Milliseconds between heartbeats. */
	heartbeatMs: number;
	/** By what all rate limits' windows are multiplied, so that tests need not wait as long as people. */
	pace: number;
};
