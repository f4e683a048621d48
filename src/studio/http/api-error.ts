type Details = {
	/** The field that is at fault. */
	param?: string;
	/** Machine-readable error code. */
	code?: string;
	headers?: Record<string, string>;
	cause?: unknown;
};

/**
 * A refusal as the widely used APIs of this kind word it: `{error: {message, type, param, code}}`. The message is one
 * sentence for the person who sent the request; it never repeats what they sent at length.
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
