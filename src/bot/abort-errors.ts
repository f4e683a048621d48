/** Aborts requests that still run when Easel stops. */
export class ShutdownError extends Error {
	override name = 'ShutdownError';
}

/** Aborts a request that a person has stopped. */
export class UserAbortError extends Error {
	override name = 'UserAbortError';
}

/** The person who has cancelled a request for pictures: the one who made it, or a moderator. */
export type CancelledBy = 'requester' | 'moderator';

/** Aborts a request for pictures that a person has cancelled. */
export class CancelledError extends UserAbortError {
	override name = 'CancelledError';
	readonly by: CancelledBy;

	constructor(by: CancelledBy) {
		super();
		this.by = by;
	}
}
