/** `{ ok: false, error }`. */
export class SlackError extends Error {
	override name = 'SlackError';
	readonly code: string;
	/** A well-behaved application never causes it. */
	readonly violation: boolean;
	/** What else stands in the answer. */
	readonly more: Record<string, unknown>;

	constructor(code: string, { violation = false, ...more }: { violation?: boolean } & Record<string, unknown> = {}) {
		super(code);
		this.code = code;
		this.violation = violation;
		this.more = more;
	}
}

/** A refusal that depends on circumstances. */
export const refuse = (code: string, more: Record<string, unknown> = {}): SlackError => new SlackError(code, more);

/** A refusal of something that is never right. */
export const wrong = (code: string, ...messages: string[]): SlackError =>
	new SlackError(code, { violation: true, ...(messages.length > 0 && { response_metadata: { messages } }) });
