import type { Clock } from '../clock.ts';
import type { Faults } from './faults.ts';
import type { Ids } from './ids.ts';
import type { Manifest } from './manifest.ts';
import type { Settings } from './settings.ts';
import type { Delivery } from './transport/envelope.ts';
import type { Installation, ResponseUrl, Trigger } from './world/model.ts';
import type { World } from './world/world.ts';

/** The state and services that all parts of the fake use. */
export type Slack = {
	clock: Clock;
	ids: Ids;
	world: World;
	settings: Settings;
	manifest: Manifest;
	faults: Faults;
	appId: string;
	/** The token for Socket Mode. */
	appToken: string;
	signingSecret: string;
	clientId: string;
	clientSecret: string;
	delivery: Delivery;
	triggers: Map<string, Trigger>;
	responseUrls: Map<string, ResponseUrl>;
	/** Returns the installation that a token belongs to. */
	installationOf(token: string): Installation | undefined;
	/** Records something that a well-behaved application never does. */
	violate(sentence: string): void;
	/** The origins of the Web API, of files, and of a host that is not Slack's. */
	address: { api(): string; files(): string; elsewhere(): string };
};
