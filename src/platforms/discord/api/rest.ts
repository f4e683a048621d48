import { setTimeout as sleep } from 'node:timers/promises';
import { HTTPError, type InternalRequest, REST, RESTEvents, type RESTOptions, RequestMethod } from 'discord.js';
import type { DiscordOptions } from '../discord.ts';

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

type ClientOptions = Pick<DiscordOptions, 'apiUrl' | 'onInvalidRequest' | 'onRateLimitWait' | 'log'>;

/**
 * Options of the library's REST client, which make it use Node's own fetch and forms. By default it takes the forms of one copy of undici
 * and the fetch of another one, and every upload fails when these are of different versions.
 */
export const restOptions = (apiUrl: string): Partial<RESTOptions> => ({
	api: apiUrl.replace(/(?<!\/)\/+$/, ''),
	timeout: TIMEOUT_MS,
	retries: 0,
	handlerSweepInterval: QUEUE_SWEEP_MS,
	invalidRequestWarningInterval: REFUSALS_PER_WARNING,
	makeRequest: send as unknown as RESTOptions['makeRequest'],
});

/** How long a request is not repeated that Cloudflare refuses without saying so, in seconds. */
const UNTOLD_RETRY_S = 10;

/**
 * Adds to a refusal for the rate limit when to try again. The library reads that from the header alone, and tries again at once without
 * it. https://github.com/openclaw/openclaw/pull/74489
 */
async function send(url: string, init: RequestInit): Promise<Response> {
	const response = await fetch(url, init);
	if (response.status !== 429 || Number(response.headers.get('retry-after')) > 0) return response;
	const told = (await response.json().catch(() => undefined)) as { retry_after?: unknown } | undefined;
	const headers = new Headers(response.headers);
	headers.set('retry-after', String(Number(told?.retry_after) || UNTOLD_RETRY_S));
	return new Response(null, { status: 429, headers });
}

const MAX_ATTEMPTS = 4;

/** How long a request that Discord failed is not repeated, in milliseconds. */
const FAILURE_PAUSE_MS = 250;

/** Tells whether a request failed because of its connection. */
export const isConnectionFailure = (error: unknown) =>
	error instanceof Error && (error.name === 'AbortError' || error.message === 'fetch failed');

/** @param find for a request that has another effect each time: returns what an earlier attempt has made, or undefined */
type Request = InternalRequest & { find?: () => Promise<unknown> };

/**
 * A client that repeats what failed, unless its effect is found, and that keeps its token: the library forgets it at a 401, with which
 * Discord answers to valid ones as well while it fails. https://github.com/discordjs/discord.js/issues/10958
 */
export class DiscordRest extends REST {
	constructor({ apiUrl, log, onRateLimitWait, onInvalidRequest }: ClientOptions, more: Partial<RESTOptions> = {}) {
		super({ ...restOptions(apiUrl), ...more });
		this.on(RESTEvents.RateLimited, ({ route, timeToReset, scope, global }) => {
			log.debug({ route, timeToReset, scope, global }, 'A request waits for Discord’s rate limit');
			onRateLimitWait?.(timeToReset / 1000);
		});
		this.on(RESTEvents.Response, ({ method, route }, { status }) => {
			if (status >= 500) log.warn({ method, route, status }, 'Discord failed a request');
			if (INVALID_STATUSES.includes(status)) onInvalidRequest?.(status);
		});
		this.on(RESTEvents.InvalidRequestWarning, ({ count }) =>
			log.warn({ count }, 'Discord has refused many requests; it bans an address after 10,000 in ten minutes'),
		);
	}

	override setToken(token: string | null): this {
		return token === null ? this : super.setToken(token);
	}

	override async request({ find, ...request }: Request): Promise<unknown> {
		for (let attempt = 1; ; attempt++) {
			try {
				return await super.request(request);
			} catch (error) {
				const isLost =
					error instanceof HTTPError || (request.method !== RequestMethod.Get && isConnectionFailure(error));
				if (!isLost || request.signal?.aborted) throw error;
				await sleep(FAILURE_PAUSE_MS);
				const found = await find?.();
				if (found) return found;
				if (attempt === MAX_ATTEMPTS) throw error;
			}
		}
	}

	/** Ends the timers, which keep the client in memory. */
	end(): void {
		this.clearHashSweeper();
		this.clearHandlerSweeper();
	}
}

/** The REST client with the bot's token. The library queues requests by Discord's rate limits. */
export const createRest = ({ token, ...options }: ClientOptions & { token: string }): DiscordRest =>
	new DiscordRest(options).setToken(token);

/**
 * The REST client for requests with an interaction's token. Discord does not count them towards the bot's global rate limit, while the
 * library would. https://docs.discord.com/developers/interactions/receiving-and-responding#endpoints
 */
export const createTokenlessRest = (options: ClientOptions): DiscordRest =>
	new DiscordRest(options, { globalRequestsPerSecond: Number.POSITIVE_INFINITY });
