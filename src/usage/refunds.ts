import type { Debit, Job, Receipt } from '../domain/job.ts';
import type { ServerId } from '../domain/place.ts';
import type { Easel } from '../easel.ts';
import { receiptsOf } from './calls.ts';
import { changeJob } from './jobs.ts';
import type { Settings } from './settings.ts';
import { counterStep, isServerCounter, serverWindows, type Windows } from './windows.ts';

/**
 * Yields a member's calls of unknown outcome that still count for caps of the server in its running day or month, oldest first.
 *
 * @param member every member by default
 */
export async function* refundableCalls(
	{ store, settings, now }: Easel,
	server: ServerId,
	member?: string,
): AsyncGenerator<Receipt> {
	const windows = serverWindows(await settings.get(server), now());
	const from = Math.min(windows.day.startsAt, windows.month.startsAt);
	for await (const receipt of receiptsOf(store.space('ledger'), server, { from, to: now() + 1 })) {
		const isTheirs = member === undefined || receipt.person.id === member;
		if (isTheirs && refundOf(receipt, windows).length > 0) yield receipt;
	}
}

/**
 * Gives back calls of unknown outcome to the caps of the server in its running day and month. They stay counted in the plan, in the
 * operator's caps and in what the server has spent, because the service may have made the pictures. Refunding a call again changes nothing.
 *
 * @returns how many calls were given back
 */
export async function refund(easel: Easel, settings: Settings, receipts: readonly Receipt[]): Promise<number> {
	const { store, now, retentionMs } = easel;
	let count = 0;
	for (const each of receipts) {
		const isRefunded = await changeJob(store.space('ledger'), each.id, (job) => {
			const refundedAt = now();
			const back = refundOf(job, serverWindows(settings, refundedAt));
			const debits = job.debits.filter((debit) => !back.includes(debit));
			const add = back.map(([counter, by]) => counterStep([counter, -by], refundedAt, retentionMs));
			return back.length > 0 ? { job: { debits, refundedAt }, also: { add } } : undefined;
		});
		if (isRefunded) count++;
	}
	return count;
}

/** Returns the debits of a call that a refund gives back. */
const refundOf = ({ outcome, place, debits }: Job, windows: Windows): Debit[] =>
	outcome === 'unknown' ? debits.filter(([key]) => isServerCounter(key, place, windows)) : [];
