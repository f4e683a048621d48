import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { Discord } from '../context.ts';
import type { Fault } from '../faults.ts';
import { timeOf } from '../world/snowflakes.ts';
import { type Body, readBody } from './body.ts';
import { apiErrors, DiscordError } from './errors.ts';
import { InvalidRequests } from './invalid-requests.ts';
import { RateLimits } from './rate-limits.ts';
import type { Route } from './route.ts';

/** A request to the REST API and its outcome. */
export type RecordedRequest = {
	method: string;
	/** Decoded, after `/api/v10`. */
	path: string;
	query: string;
	headers: IncomingMessage['headers'];
	/** The JSON body, or `payload_json`. Undefined until it is read. */
	json?: unknown;
	files: { name: string; bytes: Uint8Array }[];
	/** Undefined until there is a response. */
	status?: number;
};

type Answer = { status: number; body?: unknown; text?: string; headers?: Record<string, string> };

const HOUR_MS = 3_600_000;

/** The REST API under `/api/v10`. */
export class FakeRest {
	readonly #discord: Discord;
	readonly #routes: readonly { route: Route; pattern: RegExp }[];
	readonly #requests: RecordedRequest[];
	readonly #limits: RateLimits;
	readonly #refusedTokens = new Set<string>();
	readonly #invalid: InvalidRequests;

	/** @param requests receives every request */
	constructor(discord: Discord, routes: readonly Route[], requests: RecordedRequest[]) {
		this.#discord = discord;
		this.#routes = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
		this.#requests = requests;
		this.#invalid = new InvalidRequests(discord.clock);
		this.#limits = new RateLimits(discord.clock, () => discord.settings.pace);
	}

	/** Handles the `request` event of an HTTP server. */
	async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const url = new URL(request.url ?? '/', 'http://localhost');
		const path = decodeURIComponent(url.pathname).replace(/^\/api\/v10/, '');
		const { method = 'GET', headers } = request;
		const record: RecordedRequest = { method, path, query: url.search, headers, files: [] };
		this.#requests.push(record);
		if (this.#invalid.count >= this.#discord.settings.invalidRequestLimit) {
			this.#discord.violate(`${method} ${path}: the address is banned for too many invalid requests`);
			record.status = 429;
			return void response
				.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '600' })
				.end('error code: 1015');
		}
		const answer = await this.#answer(request, url, record).catch((error) =>
			// The client closed the connection while it sent the request.
			request.errored ? undefined : refusal(this.#discord, record, error),
		);
		if (!answer) return void request.socket.destroy();
		record.status = answer.status;
		this.#checkRefusedTokens(record, answer);
		this.#invalid.add(answer.status, answer.headers);
		// Clients would parse the empty body of a 204 with a JSON type.
		const type = answer.body === undefined ? {} : { 'content-type': 'application/json' };
		response.writeHead(answer.status, { ...type, ...answer.headers });
		response.end(answer.body === undefined ? answer.text : JSON.stringify(answer.body));
	}

	/** Returns undefined to close the connection. */
	async #answer(request: IncomingMessage, url: URL, record: RecordedRequest): Promise<Answer | undefined> {
		const fault = this.#discord.faults.take(record.method, record.path);
		if (fault && 'disconnect' in fault) return undefined;
		if (fault && 'slow' in fault) await fault.slow;
		// The body is read in any case, so that the connection can be used again.
		const body = await readBody(request).catch((error) => {
			request.resume();
			throw error;
		});
		record.json = body.json;
		record.files = body.files.map(({ name, bytes }) => ({ name, bytes }));
		if (fault && 'answer' in fault) throw fault.answer;
		if (fault && 'proxy' in fault) return fault.proxy;
		const answer = this.#run(record, body, url.searchParams, fault);
		return fault && 'disconnectAfter' in fault ? undefined : answer;
	}

	#run(record: RecordedRequest, body: Body, query: URLSearchParams, fault: Fault | undefined): Answer {
		const { method, path } = record;
		const { route, params } = this.#find(method, path);
		checkToken(this.#discord, route, record);
		const major = Object.values(params)
			.slice(0, route.token ? 2 : 1)
			.join('/');
		const bucket = `${route.method} ${route.path}`;
		const { headers, refused } = this.#limits.check(bucket, major, route.rate, route.token === undefined);
		if (refused) {
			const { retryAfter, global } = refused;
			const message = 'You are being rate limited.';
			return { status: 429, headers, body: { message, retry_after: retryAfter, global, code: 0 } };
		}
		const wait = this.#waitForOld(route, params);
		if (wait !== undefined) {
			const message = 'Maximum number of edits to messages older than 1 hour reached. Try again later';
			const code = RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached;
			const retry = { 'Retry-After': String(wait), 'X-RateLimit-Scope': 'user' };
			return { status: 429, headers: { ...headers, ...retry }, body: { message, retry_after: wait, code } };
		}
		try {
			const { uploadBytes } = this.#discord.settings;
			if (body.files.some(({ bytes }) => bytes.length > uploadBytes)) throw apiErrors.uploadTooLarge();
			const result = route.run({ discord: this.#discord, params, query, ...body });
			if (fault && 'answerAfter' in fault) throw fault.answerAfter;
			return { status: result === undefined ? 204 : 200, body: result, headers };
		} catch (error) {
			return { ...refusal(this.#discord, record, error), headers };
		}
	}

	/**
	 * Reports the use of an interaction's token that was refused before.
	 * https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
	 */
	#checkRefusedTokens({ method, path }: RecordedRequest, { body }: Answer): void {
		const [, token] = path.match(/^\/webhooks\/\d+\/([^/]+)/) ?? [];
		if (token === undefined) return;
		if (this.#refusedTokens.has(token)) this.#discord.violate(`${method} ${path}: the token was refused before`);
		const code = body instanceof DiscordError ? body.code : undefined;
		if (code === RESTJSONErrorCodes.InvalidWebhookToken || code === RESTJSONErrorCodes.UnknownWebhook)
			this.#refusedTokens.add(token);
	}

	/** Counts a request about a message older than an hour. Returns the seconds to wait when there were too many. */
	#waitForOld({ oldMessages }: Route, { channel = '', message = '' }: Record<string, string>): number | undefined {
		if (!oldMessages || timeOf(message) > this.#discord.clock.now() - HOUR_MS) return undefined;
		return this.#limits.check('old messages', channel, oldMessages, false).refused?.retryAfter;
	}

	#find(method: string, path: string): { route: Route; params: Record<string, string> } {
		for (const { route, pattern } of this.#routes) {
			const match = route.method === method && path.match(pattern);
			if (match) return { route, params: { ...match.groups } };
		}
		throw apiErrors.notFound();
	}
}

/**
 * Checks that the bot's token is in `Authorization`, and only where it is needed.
 * https://docs.discord.com/developers/reference#authentication and #user-agent
 */
function checkToken({ settings, violate }: Discord, route: Route, { method, path, headers }: RecordedRequest): void {
	const sent = headers.authorization;
	if (!/^DiscordBot \(.+, .+\)/.test(headers['user-agent'] ?? ''))
		violate(`${method} ${path}: the User-Agent is not "DiscordBot (url, version)"`);
	if (route.token) {
		if (sent !== undefined) violate(`${method} ${route.path}: Authorization is sent where the path has a token`);
	} else if (sent === undefined) throw apiErrors.unauthorized();
	else if (sent !== `Bot ${settings.token}`) throw new DiscordError(401, 0, '401: Unauthorized');
}

function refusal(discord: Discord, { method, path }: RecordedRequest, error: unknown): Answer {
	if (!(error instanceof DiscordError)) {
		discord.violate(`${method} ${path}: the fake itself failed: ${error instanceof Error ? error.stack : error}`);
		return { status: 500, body: { message: '500: Internal Server Error', code: 0 } };
	}
	const { status, violation, headers } = error;
	if (violation) discord.violate(`${method} ${path}: ${status} ${JSON.stringify(error)}`);
	return { status, body: error, ...(headers && { headers }) };
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
