import type { Discord } from './context.ts';
import type { FilePart } from './limits.ts';
import type { Rate } from './rate-limits.ts';

/** A request in the hands of a route. */
export type Call = {
	discord: Discord;
	/** What the path names, decoded. Missing ones are empty. */
	params: Readonly<Record<string, string>>;
	query: URLSearchParams;
	json: unknown;
	files: readonly FilePart[];
};

export type Route = {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** `/channels/:channel/messages` */
	path: string;
	/** Interactions carry their token in the path, and then nothing in `Authorization`. */
	token?: 'in path';
	/** How often, counted by the first thing that the path names. */
	rate?: Rate;
	/** The answer's JSON; undefined for 204. Throws `DiscordError`. */
	run(call: Call): unknown;
};
