import { REST, RESTEvents, type RESTOptions } from 'discord.js';
import type { Log } from '../../../log.ts';

/** Until the response begins, upload included. The library's default of 15 s is too short for 10 MB on a slow connection. */
const TIMEOUT_MS = 60_000;

/**
 * How often queues that are empty, and whose rate limit is not used up, are forgotten. Every interaction has its own, which takes 1 kB; the
 * library's default is an hour.
 */
const QUEUE_SWEEP_MS = 10_000;

/** How many requests Discord refuses before a warning. It bans an address after 10,000 in ten minutes. */
const REFUSALS_PER_WARNING = 100;

/** https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans */
const INVALID_STATUSES: readonly number[] = [401, 403, 429];

type ClientOptions = {
	apiUrl: string;
	/** Called for every invalid request, with its status. */
	onInvalidRequest?: ((status: number) => void) | undefined;
	/** Called when a request waits for a rate limit, with the seconds. */
	onRateLimitWait?: ((seconds: number) => void) | undefined;
	log: Log;
};

/**
 * Options of the library's REST client, which make it use Node's own fetch and forms. By default it takes the forms of one copy of undici
 * and the fetch of another one, and every upload fails when these are of different versions.
 */
export const restOptions = (apiUrl: string): Partial<RESTOptions> => ({
	api: apiUrl.replace(/(?<!\/)\/+$/, ''),
	timeout: TIMEOUT_MS,
	handlerSweepInterval: QUEUE_SWEEP_MS,
	invalidRequestWarningInterval: REFUSALS_PER_WARNING,
	makeRequest: fetch as unknown as RESTOptions['makeRequest'],
});

/** The REST client with the bot's token. The library queues requests by Discord's rate limits. */
export const createRest = ({ token, ...options }: ClientOptions & { token: string }): REST =>
	observed(new REST(restOptions(options.apiUrl)), options).setToken(token);

/**
 * The REST client for requests with an interaction's token. Discord does not count them towards the bot's global rate limit, while the
 * library would. https://docs.discord.com/developers/interactions/receiving-and-responding#endpoints
 */
export const createTokenlessRest = (options: ClientOptions): REST =>
	observed(new REST({ ...restOptions(options.apiUrl), globalRequestsPerSecond: Number.POSITIVE_INFINITY }), options);

function observed(rest: REST, { log, onRateLimitWait, onInvalidRequest }: ClientOptions): REST {
	rest.on(RESTEvents.RateLimited, ({ route, timeToReset, scope, global }) => {
		log.debug({ route, timeToReset, scope, global }, 'A request waits for Discord’s rate limit');
		onRateLimitWait?.(timeToReset / 1000);
	});
	rest.on(RESTEvents.Response, (_request, { status }) => {
		if (INVALID_STATUSES.includes(status)) onInvalidRequest?.(status);
	});
	rest.on(RESTEvents.InvalidRequestWarning, ({ count }) =>
		log.warn({ count }, 'Discord has refused many requests; it bans an address after 10,000 in ten minutes'),
	);
	return rest;
}

/** Ends the timers of a client, which keep it in memory. */
export function endRest(rest: REST): void {
	rest.clearHashSweeper();
	rest.clearHandlerSweeper();
}
