import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Slack } from '../context.ts';
import type { Installation, Json } from '../world/model.ts';
import { readArgs } from './arguments.ts';
import { misuse, SlackError, slackError } from './errors.ts';
import type { Method, Methods } from './method.ts';
import { createRateLimits } from './rate-limits.ts';

/** A call and its response. */
export type RecordedCall = {
	method: string;
	args: Json;
	/** The workspace that the token belongs to. */
	team?: string;
	/** Undefined until the response. */
	status?: number;
	/** `error` of the response. */
	error?: string;
};

type ApiResponse = { status: number; body: Json | string; headers?: Record<string, string> };

/** Methods that take the app-level token, or none. */
export type Plain = Readonly<Record<string, (args: Json, token: string | undefined) => Json | Promise<Json>>>;

/** https://docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps */
const UNLISTED_TIER_1: ReadonlySet<string> = new Set(['conversations.history', 'conversations.replies']);

/** The Web API, under `/api/`. Errors that every method has: https://docs.slack.dev/reference/methods/auth.test#errors */
export function createApi(slack: Slack, methods: Methods, plain: Plain, calls: RecordedCall[]) {
	const limits = createRateLimits(slack.clock, () => slack.settings.pace);

	async function run(name: string, args: Json, token: string | undefined, record: RecordedCall): Promise<ApiResponse> {
		const without = plain[name];
		if (without) return { status: 200, body: { ok: true, ...(await without(args, token)) } };
		const method = methods[name];
		if (!method) throw misuse('unknown_method', name);
		if (token === undefined) throw misuse('not_authed', name);
		const me = slack.installationOf(token);
		if (!me) throw slackError('invalid_auth');
		if (token !== me.token && slack.settings.replacedTokens === 'revoked') throw slackError('token_revoked');
		record.team = me.team.id;
		const headers = {
			'x-oauth-scopes': [...me.scopes].join(),
			...(method.scopes && { 'x-accepted-oauth-scopes': method.scopes.join() }),
		};
		if (me.expiresAt !== undefined && slack.clock.now() > me.expiresAt) throw slackError('token_expired');
		checkScopes(method, me);
		checkArgs(slack, name, method, args, me);
		const tier = slack.settings.unlisted && UNLISTED_TIER_1.has(name) ? 1 : method.tier;
		const wait = limits.check(name, me.team.id, tier, String(args['channel'] ?? args['channel_id']));
		if (wait > 0) return limited(wait);
		const result = await method.run({ slack, name, args, me });
		return { status: 200, body: { ok: true, ...(result ?? {}) }, headers };
	}

	async function answer(request: IncomingMessage, url: URL, record: RecordedCall): Promise<ApiResponse | undefined> {
		const name = record.method;
		const fault = slack.faults.take(name);
		if (fault && 'die' in fault) return undefined;
		const { token: inBody, ...args } = await readArgs(request, url);
		record.args = args;
		// https://docs.slack.dev/apis/web-api/
		if (url.searchParams.has('token')) slack.violate(`${name}: the token is in the address`);
		const bearer = request.headers.authorization?.match(/^Bearer (.+)$/)?.[1];
		if (fault && 'slow' in fault) await fault.slow;
		if (fault && 'limited' in fault) return limited(fault.limited);
		if (fault && 'status' in fault) return { status: fault.status, body: '<html>Server Error</html>' };
		if (fault && 'error' in fault) throw slackError(fault.error, fault.more);
		const answered = await run(name, args, bearer ?? (inBody as string | undefined), record);
		if (fault && 'statusAfter' in fault) return { status: fault.statusAfter, body: '<html>Server Error</html>' };
		return answered;
	}

	return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const url = new URL(request.url ?? '/', 'http://localhost');
		const record: RecordedCall = { method: url.pathname.replace(/^\/api\//, ''), args: {} };
		calls.push(record);
		const answered = await answer(request, url, record).catch((reason) => errorResponse(slack, record, reason));
		if (!answered) return void request.socket.destroy();
		record.status = answered.status;
		if (typeof answered.body !== 'string' && answered.body['error']) record.error = String(answered.body['error']);
		const type = typeof answered.body === 'string' ? 'text/html' : 'application/json; charset=utf-8';
		const date = new Date(slack.clock.now()).toUTCString();
		response.writeHead(answered.status, { 'content-type': type, date, ...answered.headers });
		response.end(typeof answered.body === 'string' ? answered.body : JSON.stringify(answered.body));
	};
}

const limited = (seconds: number): ApiResponse => ({
	status: 429,
	body: { ok: false, error: 'ratelimited' },
	headers: { 'retry-after': String(seconds) },
});

/** https://docs.slack.dev/apis/web-api/ */
function checkScopes({ scopes }: Method, me: Installation): void {
	if (!scopes || scopes.some((scope) => me.scopes.has(scope))) return;
	throw slackError('missing_scope', { needed: scopes[0], provided: [...me.scopes].join() });
}

function checkArgs(slack: Slack, name: string, method: Method, args: Json, me: Installation): void {
	const team = args['team_id'];
	if (team !== undefined && team !== me.team.id && !method.args.includes('team_id'))
		slack.violate(`${name}: the token of ${me.team.name} was used for ${team}`);
	const stray = Object.keys(args).filter((arg) => arg !== 'team_id' && !method.args.includes(arg));
	if (stray.length > 0) slack.violate(`${name}: ${stray.join(', ')} is not an argument of this method`);
	const missing = method.required?.filter((arg) => args[arg] === undefined || args[arg] === '') ?? [];
	if (missing.length > 0)
		throw misuse('invalid_arguments', ...missing.map((arg) => `[ERROR] missing required field: ${arg}`));
}

function errorResponse(slack: Slack, { method }: RecordedCall, reason: unknown): ApiResponse {
	if (!(reason instanceof SlackError)) {
		slack.violate(`${method}: the fake itself failed: ${reason instanceof Error ? reason.stack : reason}`);
		return { status: 500, body: { ok: false, error: 'fatal_error' } };
	}
	const { code, more, violation } = reason;
	if (violation) slack.violate(`${method}: ${code} ${JSON.stringify(more)}`);
	return { status: 200, body: { ok: false, error: code, ...more } };
}
