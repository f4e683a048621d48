/**
 * The reason why a call failed. Complete error answers, by what can be done about them:
 * - `key`: the operator sets another key; it is missing, wrong or not allowed (401, 403, 407)
 * - `balance`: the operator tops up; plan and balance are used up (402)
 * - `content`: the person asks for something else; the service refuses this content
 * - `request`: the person or the operator changes the request; the service does not take it (other 4xx, 501, 505, a moved address)
 * - `busy`: asked again later, after `retryAfterSeconds` if given, it may work (408, 425, 429, 503)
 * - `failure`: the service or a gateway in front of it failed (every other 5xx)
 *
 * Without a complete and valid answer:
 * - `unreachable`: no connection could be made, so that nothing was sent
 * - `no-answer`: the request was sent, and no answer began
 * - `cut-off`: an answer began and did not come to its end
 * - `invalid`: the answer is not what the interface promises
 * - `length`: the chat model stopped at its longest answer
 * - `address`: the pictures were made, and could not be fetched from the addresses in the answer
 */
export const SERVICE_ERROR_KINDS = [
	...(['key', 'balance', 'content', 'request', 'busy', 'failure'] as const),
	...(['unreachable', 'no-answer', 'cut-off', 'invalid', 'address', 'length'] as const),
];
export type ServiceErrorKind = (typeof SERVICE_ERROR_KINDS)[number];

type ServiceErrorFacts = {
	/** HTTP status, if an answer began. */
	status?: number;
	/** The service's own code, or for problems with the connection the system's or client's (`ECONNREFUSED`, `TIMEOUT`). */
	code?: string;
	/** The service's own id of the request. */
	requestId?: string;
	retryAfterSeconds?: number;
	/** The option that the service does not take, of a `request`; `stream` also of a `key` that may not stream. */
	about?: 'size' | 'model' | 'stream';
	/** The service's own message, shortened, without control characters. It may repeat what a person wrote. */
	detail?: string;
	/** Where the pictures are, for one more attempt. */
	addresses?: readonly string[];
	/** The reason of the signal that aborted the call. */
	cause?: unknown;
};

/**
 * Thrown when a call to the image service failed. The message is safe to log: it holds no key, prompt, address or picture. `detail` and
 * `addresses` are not, and are therefore not enumerable, so that loggers and serializers leave them out.
 */
export class ServiceError extends Error {
	override name = 'ServiceError';
	readonly kind: ServiceErrorKind;
	readonly status?: number;
	readonly code?: string;
	readonly requestId?: string;
	readonly retryAfterSeconds?: number;
	readonly about?: ServiceErrorFacts['about'];
	declare readonly detail?: string;
	declare readonly addresses?: readonly string[];

	constructor(kind: ServiceErrorKind, message: string, { detail, addresses, cause, ...facts }: ServiceErrorFacts = {}) {
		super(message, cause === undefined ? {} : { cause });
		this.kind = kind;
		Object.assign(this, facts);
		Object.defineProperties(this, { detail: { value: detail }, addresses: { value: addresses } });
	}
}

/** Thrown by readers of answers when an answer is not what the interface promises. `readingErrors` turns it into a `ServiceError`. */
export class InvalidResponseError extends Error {
	override name = 'InvalidResponseError';
	/** The JSON of the answer, which may say what went wrong. */
	readonly answer: unknown;

	constructor(message: string, answer?: unknown) {
		super(message);
		this.answer = answer;
	}
}
