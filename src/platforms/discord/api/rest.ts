import { setTimeout as sleep } from 'node:timers/promises';
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
	onInvalidRequest?: ((status: number) => void) | undefined;
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
	makeRequest: send as unknown as RESTOptions['makeRequest'],
});

/**
 * Requests that the library must not repeat by itself, unlike messages, which have a nonce: new threads that belong to no message and
 * messages by an interaction's token would be made twice, and a second first response is refused.
 */
const UNREPEATABLE = /\/channels\/\d+\/threads$|\/webhooks\/\d+\/[^/]+$|\/interactions\/\d+\/[^/]+\/callback$/;

/** Codes of connections that broke, as Node's fetch reports them. The library repeats a request for the first one. */
const BROKEN: readonly unknown[] = ['ECONNRESET', 'UND_ERR_SOCKET'];

/** Thrown when nobody knows whether a request had its effect: the connection broke, or Discord answered with a server error. */
export class LostAnswerError extends Error {
	override name = 'LostAnswerError';
}

async function send(url: string, init: RequestInit): Promise<Response> {
	const isUnrepeatable = init.method === 'POST' && UNREPEATABLE.test(new URL(url).pathname);
	try {
		const response = await fetch(url, init);
		if (response.status === 429) return withRetryAfter(response);
		if (response.status < 500) return response;
		await sleep(FAILURE_PAUSE_MS);
		if (!isUnrepeatable) return response;
		throw new Error(`Discord answered with status ${response.status}`);
	} catch (error) {
		if (isUnrepeatable) throw new LostAnswerError('The answer of Discord was lost', { cause: error });
		const { cause } = error as { cause?: { code?: unknown } };
		throw init.method !== 'GET' && BROKEN.includes(cause?.code)
			? Object.assign(new Error('fetch failed', { cause }), { code: BROKEN[0] })
			: error;
	}
}

/** Tells whether a request failed because of its connection. */
export const isConnectionFailure = (error: unknown) =>
	error instanceof Error && (error.name === 'AbortError' || error.message === 'fetch failed');

/** How long a request that Discord failed is not repeated, in milliseconds. */
const FAILURE_PAUSE_MS = 250;

/** How long a request is not repeated that Cloudflare refuses without saying so, in seconds. */
const UNTOLD_RETRY_S = 10;

/**
 * Returns a refusal for the rate limit that says when to try again. The library reads that from the header alone, and tries again at once
 * without it. https://github.com/openclaw/openclaw/pull/74489
 */
async function withRetryAfter(response: Response): Promise<Response> {
	if (Number(response.headers.get('retry-after')) > 0) return response;
	const told = (await response.json().catch(() => undefined)) as { retry_after?: unknown } | undefined;
	const headers = new Headers(response.headers);
	headers.set('retry-after', String(Number(told?.retry_after) || UNTOLD_RETRY_S));
	return new Response(null, { status: 429, headers });
}

const MAX_ATTEMPTS = 4;

/**
 * Makes a request that has another effect each time. When its answer is lost, its effect is searched before it is repeated.
 *
 * @param find returns what an earlier attempt has made, or undefined
 */
export async function makeOnce<Result>(
	make: (attempt: number) => Promise<Result>,
	find: () => Promise<Result | undefined> = async () => undefined,
): Promise<Result> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await make(attempt);
		} catch (error) {
			if (!(error instanceof LostAnswerError)) throw error;
			const found = await find();
			if (found) return found;
			if (attempt === MAX_ATTEMPTS) throw error;
		}
	}
}

/**
 * A client that keeps its token: the library forgets it at a 401, with which Discord answers to valid ones as well while it fails.
 * https://github.com/discordjs/discord.js/issues/10958
 */
class LastingRest extends REST {
	override setToken(token: string | null): this {
		return token === null ? this : super.setToken(token);
	}
}

/** The REST client with the bot's token. The library queues requests by Discord's rate limits. */
export const createRest = ({ token, ...options }: ClientOptions & { token: string }): REST =>
	observed(new LastingRest(restOptions(options.apiUrl)), options).setToken(token);

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
	rest.on(RESTEvents.Response, ({ method, route }, { status }) => {
		if (status >= 500) log.warn({ method, route, status }, 'Discord failed a request');
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
