/** Thrown when work takes longer than its timeout. The work itself is not stopped. */
export class TimeoutError extends Error {}

/** @throws TimeoutError */
export function withTimeout<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
	return new Promise((resolve, reject) => {
		// An answer that came while this process was busy is read before the immediate runs.
		const timer = setTimeout(() => setImmediate(() => reject(new TimeoutError())), timeoutMs);
		// This runs for every command. Promise.race would create several promises for it.
		work.then(
			(result) => {
				clearTimeout(timer);
				resolve(result);
			},
			(error: unknown) => {
				clearTimeout(timer);
				reject(error);
			},
		);
	});
}
