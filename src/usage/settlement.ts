import type { Job } from '../domain/job.ts';
import type { CallOutcome, Receipt } from '../domain/receipt.ts';
import type { Change } from '../store/store.ts';
import { jobKey } from './jobs.ts';
import { receiptKey } from './receipts.ts';

/**
 * The key that either sending or refunding an unsent call writes, whichever comes first. A process whose job was claimed and
 * refunded by another one therefore cannot send it any more.
 */
const gateKey = (id: string) => `gate:${id}`;

/** Returns the change that allows a reserved job to call the service. It is a duplicate once the unsent call was refunded. */
export const sendingChange = (job: Job): Change => ({
	once: gateKey(job.id),
	put: [{ key: jobKey(job.id), value: { ...job, state: 'sent' } satisfies Job }],
});

/**
 * Returns a settled job, and the change that settles it: the receipt, and for a failed call the refund of each debit. The
 * change is a duplicate when the call was settled before, or when an unsent call has been sent meanwhile.
 *
 * @param pictures how many pictures the call made
 * @param settledAt Unix milliseconds
 */
export function settlement(
	job: Job,
	outcome: CallOutcome,
	pictures: number,
	settledAt: number,
): { settled: Job; change: Change } {
	const settled: Job = { ...job, state: outcome, outcome, ...(outcome === 'failed' && { cost: 0 }) };
	const key = receiptKey(job);
	const change: Change = {
		once: job.state === 'reserved' ? gateKey(job.id) : key,
		add: outcome === 'failed' ? job.takings.map((debit) => ({ key: debit.key, by: -debit.by })) : [],
		put: [
			{ key: jobKey(job.id), value: settled },
			{ key, value: receiptOf(settled, outcome, pictures, settledAt) },
		],
	};
	return { settled, change };
}

function receiptOf(job: Job, outcome: CallOutcome, pictures: number, settledAt: number): Receipt {
	const { id, command, what, place, person, takings, cost, at } = job;
	return {
		id,
		command,
		...(what && { what }),
		place,
		person: { id: person.id, name: person.name },
		outcome,
		pictures,
		cost,
		takings,
		at,
		settledAt,
	};
}
