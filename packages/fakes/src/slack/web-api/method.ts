import type { Slack } from '../context.ts';
import type { Installation, Json } from '../world/model.ts';
import type { Tier } from './rate-limits.ts';

/** A call of the Web API. */
export type Call = {
	slack: Slack;
	name: string;
	/** Decoded, also where JSON was sent as text in a form. */
	args: Json;
	/** The installation that the token belongs to. */
	me: Installation;
};

export type Method = {
	/** One of these is required. */
	scopes?: readonly string[];
	tier: Tier;
	/** The arguments that it accepts, besides `token` and `team_id`. */
	args: readonly string[];
	required?: readonly string[];
	run(call: Call): Json | undefined | Promise<Json>;
};

export type Methods = Readonly<Record<string, Method>>;
