/** Aborts requests that still run when Easel stops. */
export class ShutdownError extends Error {
	override name = 'ShutdownError';
}

/** Aborts a request that a person has stopped. */
export class UserAbortError extends Error {
	override name = 'UserAbortError';
}
