type Details = {
	/** The invalid field. */
	param?: string;
	/** Machine-readable error code. */
	code?: string;
	headers?: Record<string, string>;
	cause?: unknown;
};

/**
 * An error answer in the shape of the widely used APIs: `{error: {message, type, param, code}}`. The message is one sentence
 * for the client's user; it never repeats the request at length.
 */
export class ApiError extends Error {
	override name = 'ApiError';
	readonly status: number;
	readonly details: Details;

	constructor(status: number, message: string, details: Details = {}) {
		super(message, { cause: details.cause });
		this.status = status;
		this.details = details;
	}

	/** An answer 429 that says when to try again. */
	static tooMany(message: string): ApiError {
		return new ApiError(429, message, { code: 'rate_limit_exceeded', headers: { 'retry-after': '2' } });
	}

	toResponse(): Response {
		const { param = null, code = null, headers } = this.details;
		const error = { message: this.message, type: typeOf(this.status), param, code };
		return Response.json({ error }, { status: this.status, ...(headers && { headers }) });
	}
}

function typeOf(status: number) {
	if (status === 402) return 'insufficient_quota';
	if (status === 429) return 'rate_limit_error';
	return status >= 500 ? 'server_error' : 'invalid_request_error';
}
