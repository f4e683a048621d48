import type { StoredChange } from './backend.ts';
import { type CommitResult, StoreError } from './store.ts';

/** The result of a commit, and what has to be written for it: all of it, or nothing. */
export type Evaluation = {
	result: CommitResult;
	write: ReadonlyMap<string, { entry: string; expires?: number }>;
	remove: readonly string[];
};

/**
 * Evaluates a change without making it. The caller ensures that no other write comes between `read` and the writing of the
 * evaluation. `redis.lua` implements the same rules.
 *
 * @param read returns an entry as keyv serialized it, `{"value":…,"expires":…}`, or undefined when it is absent or has expired
 * @throws StoreError when an entry of `add` is not a whole number, or would no longer be a safe integer
 */
export function evaluateChange(change: StoredChange, read: (key: string) => string | undefined): Evaluation {
	if (change.once !== undefined && read(change.once) !== undefined) return nothing('duplicate');

	const counters = new Map<string, Counter>();
	for (const { key, by, atMost, expires } of change.add) {
		const counter = counters.get(key) ?? parseCounter(read(key)) ?? newCounter(expires);
		const sum = counter.value + by;
		if (by >= 0 && atMost !== undefined && sum > atMost) return nothing({ refused: key });
		if (!Number.isSafeInteger(sum))
			throw new StoreError('A counter in the store would exceed the largest safe integer.');
		counters.set(key, { ...counter, value: sum, isChanged: counter.isChanged || by !== 0 });
	}

	const write = new Map<string, { entry: string; expires?: number }>();
	for (const [key, { value, expires, isChanged }] of counters) {
		if (!isChanged) continue;
		if (expires === undefined) write.set(key, { entry: `{"value":${value}}` });
		else write.set(key, { entry: `{"value":${value},"expires":${expires}}`, expires });
	}
	for (const { key, ...entry } of change.put) write.set(key, entry);
	return { result: 'done', write, remove: change.remove };
}

const nothing = (result: CommitResult): Evaluation => ({ result, write: new Map(), remove: [] });

type Counter = { value: number; expires?: number; isChanged: boolean };

const newCounter = (expires: number | undefined): Counter => ({
	value: 0,
	isChanged: true,
	...(expires !== undefined && { expires }),
});

function parseCounter(entry: string | undefined): Counter | undefined {
	if (entry === undefined) return undefined;
	let counter: { value?: unknown; expires?: unknown } | null = null;
	try {
		counter = JSON.parse(entry);
	} catch {
		// Reported below: an entry that is not JSON is not a counter either.
	}
	const { value, expires } = counter ?? {};
	if (!Number.isSafeInteger(value)) throw new StoreError('An entry in the store is not a counter.');
	return { value: value as number, isChanged: false, ...(typeof expires === 'number' && { expires }) };
}
