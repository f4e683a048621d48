import { stringify } from 'node:querystring';
import { type Logger, webApi } from '@slack/bolt';
import { type Dispatcher, request } from 'undici';
import { createHttpAgent } from './http-agent.ts';

/** Concurrent calls of one workspace. */
const MAX_CONCURRENT = 20;
/** How long Slack may send nothing. */
const SILENCE_MS = 15_000;

type CallResult = Awaited<ReturnType<webApi.WebClient['apiCall']>>;

/**
 * The library's client with a shorter way to Slack. It makes each call once and rejects with the library's errors, but does without what
 * the library prepares for retries and for a log of its own, which takes more time than the call itself.
 */
export class SlackWebClient extends webApi.WebClient {
	readonly #logger: Logger;
	readonly #agent = createHttpAgent(SILENCE_MS, MAX_CONCURRENT);

	constructor(token: string, options: { slackApiUrl: string; logger: Logger }) {
		super(token, options);
		this.#logger = options.logger;
	}

	override async apiCall(method: string, options: Record<string, unknown> = {}): Promise<CallResult> {
		const { status, headers, text } = await this.#post(method, options);
		if (status === 429) throw rateLimitedErrorOf(headers);
		if (status !== 200) throw new webApi.WebAPIHTTPError(status, '', { ...headers } as Record<string, string>, text);
		const result = resultOf(text);
		if (result.ok) return result;
		for (const message of result.response_metadata?.messages ?? []) this.#logger.error(message);
		throw new webApi.WebAPIPlatformError(result as ConstructorParameters<typeof webApi.WebAPIPlatformError>[0]);
	}

	async #post(method: string, options: Record<string, unknown>) {
		try {
			const { statusCode, headers, body } = await request(this.slackApiUrl + method, {
				method: 'POST',
				dispatcher: this.#agent,
				headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/x-www-form-urlencoded' },
				body: formOf(options),
			});
			return { status: statusCode, headers, text: await body.text() };
		} catch (error) {
			throw new webApi.WebAPIRequestError(error instanceof Error ? error : new Error(String(error)));
		}
	}
}

/** Slack takes nested arguments as JSON. https://docs.slack.dev/apis/web-api/#post-bodies */
function formOf(options: Record<string, unknown>): string {
	const fields: Record<string, string | number | boolean> = {};
	for (const [name, value] of Object.entries(options))
		if (value !== undefined && value !== null)
			fields[name] = typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean);
	return stringify(fields);
}

function resultOf(text: string): CallResult {
	try {
		return JSON.parse(text) as CallResult;
	} catch {
		// Such as the page of a proxy.
		return { ok: false, error: text } as CallResult;
	}
}

function rateLimitedErrorOf(headers: Dispatcher.ResponseData['headers']): Error {
	const seconds = Number.parseInt(String(headers['retry-after']), 10);
	return Number.isNaN(seconds)
		? new Error('Slack limits calls without saying for how long')
		: new webApi.WebAPIRateLimitedError(seconds);
}
