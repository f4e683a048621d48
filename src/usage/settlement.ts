import type { CallOutcome, Job, JobEnd, Receipt, TokenUsage } from '../domain/job.ts';
import type { Change } from '../store/store.ts';
import { closedBy, closedKey, FINISHED_MS, jobKey, OPEN_JOBS, ownerKey } from './jobs.ts';
import { receiptChange, receiptKey } from './receipts.ts';

/**
 * The key that either sending or refunding an unsent call writes, whichever comes first. A process whose job was claimed and
 * refunded by another one therefore cannot send it any more.
 */
const gateKey = (id: string) => `gate:${id}`;

/** Returns the change that allows a reserved job to call the service. It is a duplicate once the unsent call was refunded. */
export const sendingChange = (job: Job): Change => ({
	once: gateKey(job.id),
	put: [gateEntry(job), { key: jobKey(job.id), value: { ...job, state: 'sent' } satisfies Job }],
});

const gateEntry = ({ id }: Job) => ({ key: gateKey(id), value: true, ttlMs: FINISHED_MS });

/** Returns the change that closes a job. The little that is kept of it shows that a repeated delivery was handled. */
export const closingChange = (job: Job, state: JobEnd): Change => ({
	once: closedKey(job.id),
	put: [
		{ key: closedKey(job.id), value: true, ttlMs: FINISHED_MS },
		{ key: jobKey(job.id), value: { ...job, ...FORGOTTEN, state } satisfies Job, ttlMs: FINISHED_MS },
	],
	remove: [ownerKey(job.id)],
	unindex: [{ index: OPEN_JOBS, member: job.id }],
});

/** The receipt has the debits, and no name is kept longer than needed. */
const FORGOTTEN = { debits: [], person: { id: '', name: '' } };

/**
 * Returns a settled job, and the change that settles it: the receipt, and for a failed call the refund of each debit. The
 * change is a duplicate when the call was settled before, or when an unsent call has been sent meanwhile.
 *
 * @param pictures how many pictures the call made
 * @param settledAt Unix milliseconds
 * @param retentionMs how long the receipt is stored
 */
export function settlement(
	job: Job,
	outcome: CallOutcome,
	pictures: number,
	settledAt: number,
	retentionMs: number,
	tokens?: TokenUsage,
): { settled: Job; change: Change } {
	const settled: Job = { ...job, state: outcome, outcome, ...(outcome === 'failed' && { cost: 0 }) };
	const receipt = receiptChange(receiptOf(settled, outcome, pictures, settledAt, tokens), retentionMs);
	const isUnsent = job.state === 'reserved';
	const change: Change = {
		once: isUnsent ? gateKey(job.id) : receiptKey(job),
		add: [...(outcome === 'failed' ? job.debits.map(([key, by]) => ({ key, by: -by })) : []), ...receipt.add],
		put: [{ key: jobKey(job.id), value: settled }, ...(isUnsent ? [gateEntry(job)] : []), ...receipt.put],
		index: receipt.index,
	};
	return { settled, change };
}

/**
 * Returns the change that settles a sent call and closes its job. It is a duplicate when the call was settled before.
 *
 * @param process the process that closes it
 */
export function endingChange(
	{ settled, change }: ReturnType<typeof settlement>,
	process: string,
	state: JobEnd,
): Change {
	const closing = closingChange(closedBy(process, settled), state);
	// Of two values for the job, the closed one is stored.
	return { ...closing, ...change, put: [...(change.put ?? []), ...(closing.put ?? [])] };
}

function receiptOf(
	job: Job,
	outcome: CallOutcome,
	pictures: number,
	settledAt: number,
	tokens: TokenUsage | undefined,
): Receipt {
	const { id, command, what, place, person, debits, cost, at } = job;
	return {
		id,
		command,
		...(what && { what }),
		place,
		person: { id: person.id, name: person.name },
		outcome,
		pictures,
		...(tokens && { tokens }),
		cost,
		debits,
		at,
		settledAt,
	};
}
