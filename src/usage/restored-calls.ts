import type { Space } from '../store/store.ts';
import { openJobs } from './jobs.ts';
import { sendingChange } from './settlement.ts';

/**
 * Marks the calls of a restored store that were only reserved as sent: they may have been sent after the backup. Recovery then settles
 * them as unknown, so that they stay counted, and no process sends them. Calling it again changes nothing.
 *
 * @param space the ledger's
 * @returns how many calls that were
 */
export async function markRestoredCalls(space: Space): Promise<number> {
	let marked = 0;
	for await (const job of openJobs(space))
		if (job.state === 'reserved' && (await space.commit(sendingChange(job))) === 'done') marked += 1;
	return marked;
}
