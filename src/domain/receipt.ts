import type { CallKind } from './limit.ts';
import type { Person } from './person.ts';
import type { Place } from './place.ts';

/** The outcome of a call. Only a `failed` one is refunded: the service certainly did not process it. */
export type CallOutcome = 'succeeded' | 'failed' | 'unknown';

/** A counter's key, and the amount by which a call has increased it: calls, or mills. A pair, because every call stores several. */
export type Debit = readonly [key: string, by: number];

/** The tokens that a call took, as the service counts them. */
export type TokenUsage = { input: number; output: number };

/** A settled call. Only a refund and an erasure change it. Every total can be recomputed from receipts. */
export type Receipt = {
	/** The job's id, which is the platform's delivery id. */
	id: string;
	command: string;
	/** Absent for pictures. */
	what?: CallKind;
	place: Place;
	person: Pick<Person, 'id' | 'name'>;
	outcome: CallOutcome;
	/** How many pictures the call made. */
	pictures: number;
	/** Absent where the service does not count tokens. */
	tokens?: TokenUsage;
	/** The cost beyond the plan, in mills; 0 within the plan, and 0 for a refunded call. */
	cost: number;
	/** The counters that the call was taken from. A failed call was refunded to the same ones. */
	debits: readonly Debit[];
	/** The times of reservation and settlement, in Unix milliseconds. */
	at: number;
	settledAt: number;
	/** When moderators have given back a call of unknown outcome, in Unix milliseconds. `debits` are those that stay. */
	refundedAt?: number;
};
