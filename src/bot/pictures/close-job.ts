import { isSettled, type Job, type JobEnd } from '../../domain/job.ts';
import type { CallOutcome, TokenUsage } from '../../domain/receipt.ts';
import type { Log } from '../../log.ts';
import type { Ledger } from '../../usage/ledger.ts';
import type { DeferredEndings } from '../deferred-endings.ts';
import { settleKnown } from '../outcome.ts';

type Parts = {
	ledger: Pick<Ledger, 'settle' | 'close'>;
	deferredEndings: Pick<DeferredEndings, 'defer'>;
	log: Log;
};

/** The end of a request, as the person has it. */
type End = {
	state: JobEnd;
	outcome: CallOutcome;
	/** How many pictures the call made. */
	pictures: number;
	tokens?: TokenUsage | undefined;
	/** Runs once the job is closed. Its failure is ignored. */
	afterwards?: () => Promise<void>;
};

/**
 * Closes a job whose person has an answer. When the store fails, or the call could not be settled before, a sweep of this process does it
 * later, and the answer stays as it is. Never rejects.
 */
export async function closeJob({ ledger, deferredEndings, log }: Parts, job: Job, end: End): Promise<void> {
	const { state, outcome, pictures, tokens, afterwards } = end;
	const record = async () => {
		await ledger.close(isSettled(job) ? job : await settleKnown(ledger, job, outcome, pictures, tokens), state);
		await afterwards?.().catch(() => {});
	};
	if (isSettled(job)) {
		try {
			return await record();
		} catch (error) {
			log.error({ err: error, job: job.id }, 'A job stays open');
		}
	}
	deferredEndings.defer(job.id, record);
}
