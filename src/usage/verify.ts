import type { Job } from '../domain/job.ts';
import type { Space } from '../store/store.ts';
import { counterField, counterName, isCovered } from './windows.ts';

/** A counter that differs from the sum of the calls that were taken from it. */
export type CounterMismatch = { key: string; counted: number; computed: number };

/**
 * Recomputes every counter of whose window all calls are still stored, and returns those that differ from the sum of the calls. The result
 * is exact only while no call is made.
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
		// Calls were stored for a shorter time where the operator has raised it since.
		const { expires } = (await space.keyv.getRaw(counterField(key).key)) ?? {};
		if (isCovered(key, now(), retentionMs, expires ?? undefined)) mismatches.push(mismatch);
	}
	return mismatches;
}

async function computeCounters(space: Space): Promise<Map<string, number>> {
	const counters = new Map<string, number>();
	for await (const [, value] of space.list('job:')) {
		const { outcome, debits } = value as Job;
		// A failed call was given back.
		if (outcome === 'failed') continue;
		for (const [key, by] of debits) counters.set(key, (counters.get(key) ?? 0) + by);
	}
	return counters;
}
