import type { Debit, Job, Receipt } from '../domain/job.ts';
import type { Space } from '../store/store.ts';
import { counterField, counterName, isCovered, presentDebit } from './windows.ts';

/** A counter that differs from the sum of the receipts and running jobs that were taken from it. */
export type CounterMismatch = { key: string; counted: number; computed: number };

/**
 * Recomputes every counter of whose window all receipts are still stored, and returns those that differ from the sum of receipts and running
 * jobs. The result is exact only while no call is made.
 *
 * @param space the ledger's
 */
export async function findMismatches(
	space: Space,
	{ now, retentionMs }: { now(): number; retentionMs: number },
): Promise<CounterMismatch[]> {
	const computed = await computeCounters(space);
	const counted = new Map<string, number>();
	for await (const [entry, value] of space.list('used:'))
		for (const [field, count] of Object.entries(value as Record<string, number>))
			counted.set(counterName(entry, field), count);
	const mismatches: CounterMismatch[] = [];
	for (const key of new Set([...counted.keys(), ...computed.keys()])) {
		const mismatch = { key, counted: counted.get(key) ?? 0, computed: computed.get(key) ?? 0 };
		if (mismatch.counted === mismatch.computed || !isCovered(key, now(), retentionMs)) continue;
		// Receipts were stored for a shorter time where the operator has raised it since.
		const { expires } = (await space.keyv.getRaw(counterField(key).key)) ?? {};
		if (isCovered(key, now(), retentionMs, expires ?? undefined)) mismatches.push(mismatch);
	}
	return mismatches;
}

async function computeCounters(space: Space): Promise<Map<string, number>> {
	const counters = new Map<string, number>();
	const count = (debits: readonly Debit[]) => {
		for (const [key, by] of debits.map(presentDebit)) counters.set(key, (counters.get(key) ?? 0) + by);
	};
	const settled = new Set<string>();
	for await (const [, value] of space.list('receipt:')) {
		const receipt = value as Receipt;
		settled.add(receipt.id);
		if (receipt.outcome !== 'failed') count(receipt.debits);
	}
	for await (const [, value] of space.list('job:')) {
		const job = value as Job;
		if (!settled.has(job.id)) count(job.debits);
	}
	return counters;
}
