import { Readable } from 'node:stream';
import { REST, RESTEvents, type RESTOptions } from 'discord.js';
import { Agent, type Dispatcher, request } from 'undici';
import type { Log } from '../../../log.ts';
import { HttpResponse } from './http-response.ts';
import { Multipart } from './multipart.ts';
import { RequestGuard } from './request-guard.ts';

/** Until the response begins, upload included. The library's default of 15 s is too short for 10 MB on a slow connection. */
const TIMEOUT_MS = 60_000;

/**
 * How often queues that are empty, and whose rate limit is not used up, are forgotten. Every interaction has its own, which takes 1 kB; the
 * library's default is an hour.
 */
const QUEUE_SWEEP_MS = 10_000;

/** The default dispatcher may be that of another copy of undici. HTTP/2 is off, because its streams may be sent again unnoticed. */
const dispatcher = new Agent({ allowH2: false });

type Init = { method?: string; headers?: Record<string, string>; body?: unknown; signal?: AbortSignal };
type Send = (url: string, init: Init) => Promise<HttpResponse>;

/**
 * Options of the library's REST client, which make it use this project's undici. By default it would pass uploads to the copy of undici
 * that was loaded first into the process, and every upload fails when that is another version.
 */
export const restOptions = (apiUrl: string, send: Send = sendRequest): Partial<RESTOptions> => ({
	api: apiUrl.replace(/(?<!\/)\/+$/, ''),
	timeout: TIMEOUT_MS,
	handlerSweepInterval: QUEUE_SWEEP_MS,
	// The library's types accept `Response` only; it reads nothing that `HttpResponse` lacks.
	makeRequest: send as unknown as RESTOptions['makeRequest'],
});

/** Rejects with an error that the library does not repeat a request for: Discord may have handled it. */
async function sendRequest(url: string, { method = 'GET', headers = {}, body, signal }: Init): Promise<HttpResponse> {
	const content = body instanceof Multipart ? Readable.from(body) : ((body ?? null) as string | null);
	try {
		const options = { dispatcher, headers, body: content, ...(signal && { signal }) };
		const response = await request(url, { method: method as Dispatcher.HttpMethod, ...options });
		return new HttpResponse(response.statusCode, response.headers, await response.body.bytes());
	} catch (cause) {
		if (signal?.aborted) throw cause;
		throw new TypeError('Discord could not be reached', { cause });
	}
}

type ClientOptions = {
	apiUrl: string;
	guard: RequestGuard;
	/** Called when a request waits for a rate limit, with the seconds. */
	onRateLimitWait?: ((seconds: number) => void) | undefined;
	log: Log;
};

/** The REST client with the bot's token. The library queues requests by Discord's rate limits. */
export function createRest({
	token,
	apiUrl,
	log,
	onRateLimitWait,
	guard = new RequestGuard({ log }),
}: Omit<ClientOptions, 'guard'> & { token: string; guard?: RequestGuard }): REST {
	const send: Send = (url, init) => {
		const outgoing = { method: init.method ?? 'GET', url, hasFiles: init.body instanceof Multipart };
		return guard.sendAsBot(outgoing, () => sendRequest(url, init));
	};
	return withWarnings(new REST(restOptions(apiUrl, send)), { log, onRateLimitWait }).setToken(token);
}

/**
 * The REST client for requests with an interaction's token. Discord does not count them towards the bot's global rate limit, while the
 * library would. https://docs.discord.com/developers/interactions/receiving-and-responding#endpoints
 */
export function createTokenlessRest({ apiUrl, log, onRateLimitWait, guard }: ClientOptions): REST {
	const send: Send = (url, init) => guard.sendAsInteraction(() => sendRequest(url, init));
	const options = { ...restOptions(apiUrl, send), globalRequestsPerSecond: Number.POSITIVE_INFINITY };
	return withWarnings(new REST(options), { log, onRateLimitWait });
}

function withWarnings(rest: REST, { log, onRateLimitWait }: Pick<ClientOptions, 'log' | 'onRateLimitWait'>): REST {
	rest.on(RESTEvents.RateLimited, ({ route, timeToReset, scope, global }) => {
		log.debug({ route, timeToReset, scope, global }, 'A request waits for Discord’s rate limit');
		onRateLimitWait?.(timeToReset / 1000);
	});
	return rest;
}

/** Ends the timers of a client, which keep it in memory. */
export function endRest(rest: REST): void {
	rest.clearHashSweeper();
	rest.clearHandlerSweeper();
}
