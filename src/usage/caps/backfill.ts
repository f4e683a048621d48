import { isSettled, type Job } from '../../domain/job.ts';
import { callKindOf } from '../../domain/limit.ts';
import type { Place } from '../../domain/place.ts';
import { openJobs } from '../jobs.ts';
import type { LedgerOptions } from '../ledger-options.ts';
import { openingReceipt, receiptEntries, receiptKey, receiptsOf } from '../receipts.ts';
import { counterStep } from '../windows/counters.ts';
import type { Layer } from './layers.ts';

/** Adds the calls that a channel's window has seen before the channel got a cap; see `Ledger.backfillCounter`. */
export async function backfillCounter(
	{ space, now, retentionMs }: LedgerOptions,
	place: Place,
	layer: Layer,
): Promise<void> {
	const isCounted = (call: Pick<Job, 'at' | 'place' | 'what'>) =>
		callKindOf(call) === callKindOf(layer) &&
		call.place.channel === place.channel &&
		call.at >= layer.window.startsAt &&
		call.at < layer.window.resetsAt;

	// In this order no concurrent call is missed: one that starts now counts itself, and one that ends now has a receipt.
	const used = (await space.keyv.get<number>(layer.key)) ?? 0;
	const calls = new Set<string>();
	for await (const job of openJobs(space))
		if (isSameServer(job.place, place) && isCounted(job) && !isSettled(job)) calls.add(job.id);
	for await (const receipt of receiptsOf(space, place, { from: layer.window.startsAt, to: layer.window.resetsAt })) {
		if (receipt.outcome === 'failed') calls.delete(receipt.id);
		else if (isCounted(receipt)) calls.add(receipt.id);
	}

	const missing = calls.size - used;
	if (missing <= 0) return;
	const opening = openingReceipt(place, layer, missing, now());
	const key = receiptKey(opening);
	await space.commit({
		once: key,
		add: opening.debits.map((debit) => counterStep(debit, now(), retentionMs)),
		...receiptEntries(opening),
	});
}

const isSameServer = (a: Place, b: Place) => a.platform === b.platform && a.server === b.server;
