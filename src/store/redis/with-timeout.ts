/** Thrown when work takes longer than its timeout. The work itself is not stopped. */
export class TimeoutError extends Error {}

/** @throws TimeoutError */
export async function withTimeout<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<never>((_, reject) => {
		// An answer that came while this process was busy is read before the immediate runs.
		timer = setTimeout(() => setImmediate(() => reject(new TimeoutError())), timeoutMs);
	});
	try {
		return await Promise.race([work, timeout]);
	} finally {
		clearTimeout(timer);
	}
}
