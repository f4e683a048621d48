import { type CallOutcome, type Job, ShutdownError, type TokenUsage, UserAbortError } from '../domain/job.ts';
import { ServiceError } from '../service/errors.ts';
import type { Ledger } from '../usage/ledger.ts';

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
export function outcomeOfCrash({ state, outcome }: Pick<Job, 'state' | 'outcome'>, hasResult = false): CallOutcome {
	if (hasResult) return 'succeeded';
	return state === 'reserved' || outcome === 'failed' ? 'failed' : 'unknown';
}

/**
 * Settles a call whose outcome this process knows.
 *
 * @param pictures how many pictures the call made
 * @param tokens as the service counts them
 */
export async function settleKnown(
	ledger: Ledger,
	job: Job,
	outcome: CallOutcome,
	pictures: number,
	tokens?: TokenUsage,
): Promise<Job> {
	const settled = await ledger.settle(job, outcome, pictures, tokens);
	// `sent` was written down, but the store's answer was lost, so that the service was not asked.
	return settled.state === 'sent' ? ledger.settle(settled, outcome, pictures, tokens) : settled;
}

/** Settles a call whose process has ended. Returns the job as it is then; it may have been closed meanwhile. */
export async function settleAfterCrash(ledger: Ledger, job: Job, hasResult = false): Promise<Job> {
	const settled = await ledger.settle(job, outcomeOfCrash(job, hasResult), 0);
	// It was sent after it had been read here.
	return settled.state === 'sent' ? ledger.settle(settled, outcomeOfCrash(settled, hasResult), 0) : settled;
}
