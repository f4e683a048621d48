import { REST, RESTEvents, type RESTOptions } from 'discord.js';
import type { Log } from '../../../log.ts';
import { Multipart } from './multipart.ts';

/** Until the answer begins, upload included: a picture of 10 MB over a slow line takes longer than the library's 15 s. */
const TIMEOUT_MS = 60_000;

/** Discord bans an address after 10,000 in ten minutes: https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans */
const WARN_EVERY_INVALID = 100;

/**
 * How this process asks Discord: by Node's own `fetch`. The library's own way hands form data to whichever copy of undici came
 * first into the process, and every upload fails where that is another one.
 */
export const restOptions = (apiUrl: string): Partial<RESTOptions> => ({
	api: apiUrl.replace(/\/+$/, ''),
	timeout: TIMEOUT_MS,
	invalidRequestWarningInterval: WARN_EVERY_INVALID,
	// The answers of both are what the library reads of them; its types know only undici's.
	makeRequest: ask as unknown as RESTOptions['makeRequest'],
});

function ask(url: string, { body, ...init }: Omit<RequestInit, 'body'> & { body?: unknown }): Promise<Response> {
	if (!(body instanceof Multipart)) return fetch(url, { ...init, body: body ?? null } as RequestInit);
	return fetch(url, { ...init, body: body.stream(), duplex: 'half' } as unknown as RequestInit);
}

/** Discord's REST interface, with the library's queues for its rate limits. */
export const createRest = ({ token, apiUrl, log }: { token: string; apiUrl: string; log: Log }): REST =>
	listened(new REST(restOptions(apiUrl)), log).setToken(token);

/**
 * For what goes by an interaction's own token. Discord does not count that towards all that a bot may ask in a second; the library would.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#endpoints
 */
export const createTokenlessRest = ({ apiUrl, log }: { apiUrl: string; log: Log }): REST =>
	listened(new REST({ ...restOptions(apiUrl), globalRequestsPerSecond: Number.POSITIVE_INFINITY }), log);

function listened(rest: REST, log: Log): REST {
	rest.on(RESTEvents.RateLimited, ({ route, timeToReset, scope, global }) =>
		log.debug({ route, timeToReset, scope, global }, 'Discord asks to wait'),
	);
	rest.on(RESTEvents.InvalidRequestWarning, ({ count, remainingTime }) =>
		log.warn({ count, remainingTime }, 'Discord has refused many requests; from 10,000 in ten minutes on it bans'),
	);
	return rest;
}
