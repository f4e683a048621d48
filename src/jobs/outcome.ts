import { type CallOutcome, type Job, ShutdownError, UserAbortError } from '../domain/job.ts';
import type { Easel } from '../easel.ts';
import { ServiceError } from '../service/errors.ts';

/** Statuses above 499 by which a service says that it did not do the work. Other services fail, or gateways in front of them. */
const FAILURES: ReadonlySet<number> = new Set([500, 501, 503, 505]);

/** The address has moved: the service did not look at the request, and redirects are never followed. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 307, 308]);

/**
 * Decides what becomes of a paid call that ended in an error: `failed` is given back, `unknown` stays counted and is never sent again.
 *
 * - `failed`: it was never sent, or the service answered with a complete error: any 4xx, 500, 501, 503, 505, or a redirect (301, 307, 308)
 * - `unknown`: no answer, an answer that was cut off or is not what the interface promises, and every other status: a gateway that gave up
 *   (502, 504, 520–527) may have lost a paid picture
 *
 * @param wasSent whether the service may have been asked
 */
export function outcomeOfError(error: unknown, wasSent: boolean): 'failed' | 'unknown' {
	if (!wasSent || error instanceof ShutdownError || error instanceof UserAbortError) return 'failed';
	if (!(error instanceof ServiceError)) return 'unknown';
	switch (error.kind) {
		case 'unreachable':
			return 'failed';
		case 'no-answer':
		case 'cut-off':
		case 'invalid':
		case 'address':
			return 'unknown';
		default:
			return error.status !== undefined && isRefusal(error.status) ? 'failed' : 'unknown';
	}
}

const isRefusal = (status: number) => (status >= 400 && status < 500) || FAILURES.has(status) || REDIRECTS.has(status);

/**
 * Decides what becomes of a paid call whose process has ended: without a result, it failed if it had only been reserved, and is unknown
 * if the service may have been asked. Once it is settled, only a failure was given back.
 *
 * @param hasResult whether pictures or text of it are kept
 */
export function outcomeOfCrash(
	{ state, outcome }: { state: Job['state']; outcome?: CallOutcome },
	hasResult = false,
): CallOutcome {
	if (hasResult) return 'succeeded';
	return state === 'reserved' || outcome === 'failed' ? 'failed' : 'unknown';
}

/** How a call to the service ended, as far as this process knows. */
export type CallResult<Result> = { wasSent: boolean } & (
	| { outcome: 'succeeded'; result: Result }
	| { outcome: 'failed' | 'unknown'; error: unknown }
);

/**
 * Makes the paid call of a job, unless calls are paused, the call is not wanted any more, or another process has taken the job over. A
 * failure is counted before anything else goes on. Never rejects.
 *
 * @param run prepares the call, and asks the service once `send` has returned the job that may be sent
 */
export async function makeCall<Result>(
	{ ledger, failurePause }: Easel,
	signal: AbortSignal,
	run: (send: (job: Job) => Promise<Job>) => Promise<Result>,
): Promise<CallResult<Result>> {
	let wasSent = false;
	const send = async (job: Job) => {
		const paused = await failurePause.refusal();
		if (paused) throw paused;
		signal.throwIfAborted();
		const own = await ledger.send(job);
		// The other process has given the call back.
		if (!own) throw new ShutdownError();
		wasSent = true;
		return own;
	};
	try {
		const result = await run(send);
		return { wasSent, outcome: 'succeeded', result };
	} catch (error) {
		await failurePause.record(error);
		return { wasSent, outcome: outcomeOfError(error, wasSent), error };
	}
}
