/** An error that the Web API returns: `{ ok: false, error }`. */
export class SlackError extends Error {
	override name = 'SlackError';
	readonly code: string;
	/** Whether a well-behaved application never causes it. */
	readonly violation: boolean;
	/** The other fields of the response. */
	readonly more: Record<string, unknown>;

	constructor(code: string, { violation = false, ...more }: { violation?: boolean } & Record<string, unknown> = {}) {
		super(code);
		this.code = code;
		this.violation = violation;
		this.more = more;
	}
}

/** Returns an error that depends on circumstances. */
export const slackError = (code: string, more: Record<string, unknown> = {}): SlackError => new SlackError(code, more);

/** Returns the error of a call that is never correct. It is recorded as a violation. */
export const misuse = (code: string, ...messages: string[]): SlackError =>
	new SlackError(code, { violation: true, ...(messages.length > 0 && { response_metadata: { messages } }) });
