/** What a method of the Web API answers. */
export type SlackAnswer = {
	/** Slack's code of an error, such as `invalid_auth`; undefined when the call succeeded. */
	error: string | undefined;
	body: Readonly<Record<string, unknown>>;
	/** The scopes of the token, which only this header names. https://docs.slack.dev/apis/web-api/ */
	scopes: readonly string[] | undefined;
	/** How far this machine's clock is ahead of Slack's, in seconds; undefined when the answer has no date. */
	clockAheadS: number | undefined;
};

/**
 * Calls a method of the Web API. The library's client hides the headers, which say what the doctor asks.
 *
 * @param apiUrl ends in a slash
 * @throws TypeError when Slack cannot be reached, and Error for an answer that is not JSON
 */
export async function callSlack(
	apiUrl: string,
	method: string,
	{ token, fields = {}, signal }: { token?: string; fields?: Record<string, string>; signal: AbortSignal },
): Promise<SlackAnswer> {
	const response = await fetch(new URL(method, apiUrl), {
		method: 'POST',
		headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
		body: new URLSearchParams(fields),
		// A redirect could take the token elsewhere.
		redirect: 'error',
		signal,
	});
	const date = Date.parse(response.headers.get('date') ?? '');
	const body = (await response.json()) as Record<string, unknown>;
	return {
		error: body['ok'] === true ? undefined : String(body['error'] ?? response.status),
		body,
		scopes: response.headers
			.get('x-oauth-scopes')
			?.split(',')
			.map((scope) => scope.trim())
			.filter(Boolean),
		clockAheadS: Number.isNaN(date) ? undefined : Math.round((Date.now() - date) / 1000),
	};
}
