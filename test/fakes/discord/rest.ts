import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './body.ts';
import { builtWrong } from './builders.ts';
import type { Discord } from './context.ts';
import { DiscordError, error } from './errors.ts';
import { createRateLimits } from './rate-limits.ts';
import type { Route } from './route.ts';

/** A request as it arrived, and what became of it. */
export type RecordedRequest = {
	method: string;
	/** Decoded, after `/api/v10`. */
	path: string;
	query: string;
	headers: IncomingMessage['headers'];
	/** The JSON body, or `payload_json`. Undefined until it is read. */
	json?: unknown;
	/** Names and bytes of the files that came with it. */
	files: { name: string; bytes: Uint8Array }[];
	/** Undefined until it is answered. */
	status?: number;
};

type Answered = { status: number; body?: unknown; headers?: Record<string, string> };

/** Requests under `/api/v10`. */
export function createRest(discord: Discord, routes: readonly Route[], requests: RecordedRequest[]) {
	const limits = createRateLimits(discord.clock, () => discord.settings.pace);
	const table = routes.map((route) => ({ route, pattern: patternOf(route.path) }));

	function find(method: string, path: string) {
		for (const { route, pattern } of table) {
			const match = route.method === method && path.match(pattern);
			if (match) return { route, params: { ...match.groups } };
		}
		throw error.notFound();
	}

	async function answer(request: IncomingMessage, url: URL, record: RecordedRequest): Promise<Answered | undefined> {
		const { method, path } = record;
		const fault = discord.faults.take(method, path);
		if (fault && 'die' in fault) return undefined;
		if (fault && 'slow' in fault) await fault.slow;
		// The body is read in any case, or the connection would be of no more use.
		const body = await readBody(request).catch((reason) => {
			request.resume();
			throw reason;
		});
		record.json = body.json;
		record.files = body.files.map(({ name, bytes }) => ({ name, bytes }));
		if (fault && 'answer' in fault) throw fault.answer;
		const { route, params } = find(method, path);
		checkToken(discord, route, record);
		const major = Object.values(params)
			.slice(0, route.token ? 2 : 1)
			.join('/');
		const bucket = `${route.method} ${route.path}`;
		const { headers, refused } = limits.check(bucket, major, route.rate, route.token === undefined);
		if (refused) {
			const { retryAfter, global } = refused;
			const message = 'You are being rate limited.';
			return { status: 429, headers, body: { message, retry_after: retryAfter, global, code: 0 } };
		}
		try {
			const result = route.run({ discord, params, query: url.searchParams, ...body });
			const wrong = builtWrong(body.json);
			if (wrong) discord.violate(`${method} ${path}: ${wrong}`);
			if (fault && 'answerAfter' in fault) throw fault.answerAfter;
			return { status: result === undefined ? 204 : 200, body: result, headers };
		} catch (reason) {
			return { ...refusal(discord, record, reason), headers };
		}
	}

	return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const url = new URL(request.url ?? '/', 'http://localhost');
		const path = decodeURIComponent(url.pathname).replace(/^\/api\/v10/, '');
		const { method = 'GET', headers } = request;
		const record: RecordedRequest = { method, path, query: url.search, headers, files: [] };
		requests.push(record);
		const answered = await answer(request, url, record).catch((reason) =>
			// Whoever asked is gone, in the middle of it.
			request.errored ? undefined : refusal(discord, record, reason),
		);
		if (!answered) return void request.socket.destroy();
		record.status = answered.status;
		// A 204 with a JSON type would be read as JSON, and there is none.
		const type = answered.body === undefined ? {} : { 'content-type': 'application/json' };
		response.writeHead(answered.status, { ...type, ...answered.headers });
		response.end(answered.body === undefined ? undefined : JSON.stringify(answered.body));
	};
}

/** The token stands in `Authorization`, and nowhere that it is not needed. */
function checkToken({ settings, violate }: Discord, route: Route, { method, path, headers }: RecordedRequest): void {
	const sent = headers.authorization;
	if (!/^DiscordBot \(.+, .+\)/.test(headers['user-agent'] ?? ''))
		violate(`${method} ${path}: the User-Agent is not "DiscordBot (url, version)"`);
	if (route.token) {
		if (sent !== undefined) violate(`${method} ${route.path}: Authorization is sent where the path has a token`);
	} else if (sent === undefined) throw error.unauthorized();
	else if (sent !== `Bot ${settings.token}`) throw new DiscordError(401, 0, '401: Unauthorized');
}

function refusal(discord: Discord, { method, path }: RecordedRequest, reason: unknown): Answered {
	if (!(reason instanceof DiscordError)) {
		discord.violate(`${method} ${path}: the fake itself failed: ${reason instanceof Error ? reason.stack : reason}`);
		return { status: 500, body: { message: '500: Internal Server Error', code: 0 } };
	}
	const { status, violation } = reason;
	if (violation) discord.violate(`${method} ${path}: ${status} ${JSON.stringify(reason)}`);
	return { status, body: reason };
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
