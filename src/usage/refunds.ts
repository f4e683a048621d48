import type { Debit, Receipt } from '../domain/job.ts';
import type { Place, ServerId } from '../domain/place.ts';
import { withSumsLock } from './erased-members.ts';
import type { LedgerOptions } from './ledger-options.ts';
import { receiptKey, receiptsOf } from './receipts.ts';
import { counterStep, isServerCounter, serverWindows, type Windows } from './windows.ts';

type Options = Pick<LedgerOptions, 'space' | 'settings' | 'now' | 'retentionMs'>;

/**
 * Yields a member's calls of unknown outcome that still count for caps of the server in its running day or month, oldest first.
 *
 * @param member every member by default
 */
export async function* unknownCalls(
	{ space, settings, now }: Options,
	server: ServerId,
	member?: string,
): AsyncGenerator<Receipt> {
	const windows = serverWindows(await settings.get(server), now());
	const from = Math.min(windows.day.startsAt, windows.month.startsAt);
	for await (const receipt of receiptsOf(space, server, { from, to: now() + 1 })) {
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
export async function refundUnknown(options: Options, place: Place, receipts: readonly Receipt[]): Promise<number> {
	const { space, settings, now, retentionMs } = options;
	let count = 0;
	for (const receipt of receipts) {
		const current = await settings.get(place);
		const key = receiptKey(receipt);
		let isRefunded = false;
		// Receipts are changed one at a time: an erasure removes names from them, and two moderators may refund the same call.
		await withSumsLock(space, place, async () => {
			const stored = await space.keyv.get<Receipt>(key);
			const refundedAt = now();
			const refund = stored ? refundOf(stored, serverWindows(current, refundedAt)) : [];
			isRefunded = refund.length > 0;
			if (!stored || !isRefunded) return {};
			const debits = stored.debits.filter((debit) => !refund.includes(debit));
			return {
				add: refund.map(([counter, by]) => counterStep([counter, -by], refundedAt, retentionMs)),
				put: [{ key, value: { ...stored, debits, refundedAt } satisfies Receipt }],
			};
		});
		if (isRefunded) count++;
	}
	return count;
}

/** Returns the debits of a receipt that a refund gives back. */
const refundOf = ({ outcome, place, debits }: Receipt, windows: Windows): Debit[] =>
	outcome === 'unknown' ? debits.filter(([key]) => isServerCounter(key, place, windows)) : [];
