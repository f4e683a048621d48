/**
 * Who can do something about it:
 * - `key`: the operator, the key is missing, wrong or not allowed (401, 403)
 * - `balance`: the operator, plan and balance are used up (402)
 * - `content`: the person, the service refuses what is asked for
 * - `request`: the person or the operator, the service can't take it like this (other 4xx, a moved address)
 * - `busy`: nobody, wait (`retryAfterSeconds`) and ask again (408, 429, 503 with Retry-After)
 * - `unreachable`: the operator or nobody, no connection came about
 * - `unknown`: nobody knows, it was sent and no usable answer came
 * - `answer`: the service's makers, its answer is not what the interface promises
 */
export type ServiceErrorKind =
	| 'key'
	| 'balance'
	| 'content'
	| 'request'
	| 'busy'
	| 'unreachable'
	| 'unknown'
	| 'answer';

/** What became of the call, as far as money goes: `not-sent` and `refused` were surely not paid for, `unknown` may have been. */
export type Fate = 'not-sent' | 'refused' | 'unknown';

const FATES = {
	key: 'refused',
	balance: 'refused',
	content: 'refused',
	request: 'refused',
	busy: 'refused',
	unreachable: 'not-sent',
	unknown: 'unknown',
	answer: 'unknown',
} as const satisfies Record<ServiceErrorKind, Fate>;

export type ServiceErrorFacts = {
	/** HTTP status, when there was an answer. */
	status?: number | undefined;
	/** The service's own code, or the system's or client's for trouble with the connection (`ECONNREFUSED`, `TIMEOUT`). */
	code?: string | undefined;
	/** The service's own id of the request. */
	requestId?: string | undefined;
	retryAfterSeconds?: number | undefined;
	/** The service's own words, cut, without control characters. They may repeat what a person wrote. */
	detail?: string | undefined;
	/** The reason of the signal that cut off a call under way. */
	cause?: unknown;
};

/**
 * A call to the image service failed. The message is safe to log: no key, prompt, address or picture is in it. `detail` is not,
 * and is therefore not enumerable: loggers and serializers pass it by.
 */
export class ServiceError extends Error {
	override name = 'ServiceError';
	readonly kind: ServiceErrorKind;
	/** Follows from `kind`, so that the two never contradict each other. */
	readonly fate: Fate;
	declare readonly status?: number;
	declare readonly code?: string;
	declare readonly requestId?: string;
	declare readonly retryAfterSeconds?: number;
	declare readonly detail?: string;

	constructor(kind: ServiceErrorKind, message: string, facts: ServiceErrorFacts = {}) {
		super(message, 'cause' in facts ? { cause: facts.cause } : {});
		this.kind = kind;
		this.fate = FATES[kind];
		if (facts.status !== undefined) this.status = facts.status;
		if (facts.code !== undefined) this.code = facts.code;
		if (facts.requestId !== undefined) this.requestId = facts.requestId;
		if (facts.retryAfterSeconds !== undefined) this.retryAfterSeconds = facts.retryAfterSeconds;
		if (facts.detail !== undefined) Object.defineProperty(this, 'detail', { value: facts.detail });
	}
}

/** An answer that is not what the interface promises; its message is a full sentence about the answer. Becomes a `ServiceError`. */
export class InvalidResponseError extends Error {
	override name = 'RottenAnswer';
}
