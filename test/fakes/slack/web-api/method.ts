import type { Slack } from '../context.ts';
import type { Installation, Json } from '../world/model.ts';
import type { Tier } from './rate-limits.ts';

/** A call of the Web API in the hands of its method. */
export type Call = {
	slack: Slack;
	name: string;
	/** JSON that came as text in a form is read already. */
	args: Json;
	/** Whose token it was. */
	me: Installation;
};

export type Method = {
	/** One of these is needed. */
	scopes?: readonly string[];
	tier: Tier;
	/** What it knows, beside `token` and `team_id`. */
	args: readonly string[];
	required?: readonly string[];
	run(call: Call): Json | undefined | Promise<Json>;
};

export type Methods = Readonly<Record<string, Method>>;
