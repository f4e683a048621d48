import type { Discord } from '../context.ts';
import type { FilePart } from '../schemas/messages.ts';
import type { Rate } from './rate-limits.ts';

/** A request to a route. */
export type RouteRequest = {
	discord: Discord;
	/** The parameters of the path, decoded. Those that a route does not have are undefined. */
	params: Readonly<Record<string, string>>;
	query: URLSearchParams;
	json: unknown;
	files: readonly FilePart[];
};

export type Route = {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** `/channels/:channel/messages` */
	path: string;
	/** The path contains the token of an interaction, and `Authorization` must be empty. */
	token?: 'in path';
	/** The rate limit, which applies to each value of the first parameter. */
	rate?: Rate;
	/** A further limit for requests about messages that are older than an hour. Headers do not announce it. */
	oldMessages?: Rate;
	/** Returns the JSON of the response; undefined for 204. Throws `DiscordError`. */
	run(request: RouteRequest): unknown;
};
