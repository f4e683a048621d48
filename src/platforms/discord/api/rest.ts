import { REST, RESTEvents, type RESTOptions } from 'discord.js';
import type { Log } from '../../../log.ts';
import { Multipart } from './multipart.ts';

/** Until the response begins, upload included. The library's default of 15 s is too short for 10 MB on a slow connection. */
const TIMEOUT_MS = 60_000;

/** Discord bans an address after 10,000 invalid requests in ten minutes: https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans */
const INVALID_REQUESTS_PER_WARNING = 100;

/**
 * Options of the library's REST client, which make it use Node's `fetch`. By default it would pass uploads to the copy of undici that
 * was loaded first into the process, and every upload fails when that is another version.
 */
export const restOptions = (apiUrl: string): Partial<RESTOptions> => ({
	api: apiUrl.replace(/\/+$/, ''),
	timeout: TIMEOUT_MS,
	invalidRequestWarningInterval: INVALID_REQUESTS_PER_WARNING,
	// The library's types accept undici's `Response` only; it reads nothing that Node's lacks.
	makeRequest: sendRequest as unknown as RESTOptions['makeRequest'],
});

function sendRequest(
	url: string,
	{ body, ...init }: Omit<RequestInit, 'body'> & { body?: unknown },
): Promise<Response> {
	if (!(body instanceof Multipart)) return fetch(url, { ...init, body: body ?? null } as RequestInit);
	return fetch(url, { ...init, body: body.stream(), duplex: 'half' } as unknown as RequestInit);
}

/** The REST client with the bot's token. The library queues requests by Discord's rate limits. */
export const createRest = ({ token, apiUrl, log }: { token: string; apiUrl: string; log: Log }): REST =>
	withWarnings(new REST(restOptions(apiUrl)), log).setToken(token);

/**
 * The REST client for requests with an interaction's token. Discord does not count them towards the bot's global rate limit, while the
 * library would. https://docs.discord.com/developers/interactions/receiving-and-responding#endpoints
 */
export const createTokenlessRest = ({ apiUrl, log }: { apiUrl: string; log: Log }): REST =>
	withWarnings(new REST({ ...restOptions(apiUrl), globalRequestsPerSecond: Number.POSITIVE_INFINITY }), log);

function withWarnings(rest: REST, log: Log): REST {
	rest.on(RESTEvents.RateLimited, ({ route, timeToReset, scope, global }) =>
		log.debug({ route, timeToReset, scope, global }, 'A request waits for Discord’s rate limit'),
	);
	rest.on(RESTEvents.InvalidRequestWarning, ({ count, remainingTime }) =>
		log.warn(
			{ count, remainingTime },
			'Discord has refused many requests; it bans an address after 10,000 in ten minutes',
		),
	);
	return rest;
}
