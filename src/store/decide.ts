import type { StoredChange } from './driver.ts';
import { type CommitResult, StoreError } from './store.ts';

/** What a change comes to: to be written as a whole, or not at all. */
export type Decision = {
	outcome: CommitResult;
	write: ReadonlyMap<string, { entry: string; expires?: number }>;
	remove: readonly string[];
};

/**
 * The rules of `commit`, without a store. Whoever asks sees to it that nobody writes between its reading and the writing
 * of what it decides.
 * @param read an entry as keyv serialized it, `{"value":…,"expires":…}`, unless it has expired
 * @throws StoreError when an entry to add to is no whole number, or would not be one any more
 */
export function decide(change: StoredChange, read: (key: string) => string | undefined): Decision {
	if (change.once !== undefined && read(change.once) !== undefined) return nothing('duplicate');

	const counters = new Map<string, Counter>();
	for (const { key, by, atMost } of change.add) {
		const counter = counters.get(key) ?? readCounter(read(key));
		const sum = counter.value + by;
		if (by >= 0 && atMost !== undefined && sum > atMost) return nothing({ refused: key });
		if (!Number.isSafeInteger(sum)) throw new StoreError('A counter in the store would pass what can be counted.');
		counters.set(key, { ...counter, value: sum });
	}

	const write = new Map<string, { entry: string; expires?: number }>();
	for (const [key, { value, expires }] of counters) {
		if (expires === undefined) write.set(key, { entry: `{"value":${value}}` });
		else write.set(key, { entry: `{"value":${value},"expires":${expires}}`, expires });
	}
	for (const { key, entry } of change.put) write.set(key, { entry });
	return { outcome: 'done', write, remove: change.remove };
}

const nothing = (outcome: CommitResult): Decision => ({ outcome, write: new Map(), remove: [] });

type Counter = { value: number; expires?: number };

function readCounter(entry: string | undefined): Counter {
	if (entry === undefined) return { value: 0 };
	let counter: Partial<Counter> | null = null;
	try {
		counter = JSON.parse(entry) as Partial<Counter> | null;
	} catch {
		// Falls through: what can't be read is no counter either.
	}
	const { value, expires } = counter ?? {};
	if (!Number.isSafeInteger(value)) throw new StoreError('An entry in the store is not a counter.');
	return { value: value as number, ...(typeof expires === 'number' && { expires }) };
}
