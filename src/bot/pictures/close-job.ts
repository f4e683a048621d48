import { type CallOutcome, isSettled, type Job, type JobEnd, type TokenUsage } from '../../domain/job.ts';
import type { Log } from '../../log.ts';
import type { Ledger } from '../../usage/ledger.ts';
import type { DeferredEndings } from '../deferred-endings.ts';
import { settleKnown } from '../outcome.ts';

type Parts = {
	ledger: Ledger;
	deferredEndings: DeferredEndings;
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
 * Closes a job whose person has an answer, and settles its call where that was not done before. When the store fails, a sweep of this
 * process does it later, and the answer stays as it is. Never rejects.
 */
export async function closeJob({ ledger, deferredEndings, log }: Parts, job: Job, end: End): Promise<void> {
	const { state, outcome, pictures, tokens, afterwards } = end;
	const record = async () => {
		const isFirst = job.state === 'sent' && outcome === 'succeeded';
		if (!isFirst || !(await ledger.settleAndClose(job, state, pictures, tokens)))
			await ledger.close(isSettled(job) ? job : await settleKnown(ledger, job, outcome, pictures, tokens), state);
		await afterwards?.().catch(() => {});
	};
	try {
		await record();
	} catch (error) {
		log.error({ err: error, job: job.id }, 'A job stays open');
		deferredEndings.defer(job.id, record);
	}
}
