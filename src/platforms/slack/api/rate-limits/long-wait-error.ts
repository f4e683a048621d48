/** Thrown instead of a call that the rate limit would delay for too long. */
export class LongWaitError extends Error {
	override name = 'LongWaitError';
}
