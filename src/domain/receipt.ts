import type { CallKind } from './limit.ts';
import type { Person } from './person.ts';
import type { Place } from './place.ts';

/** How a call ended. Only a `failed` one is given back: the service did not do the work. */
export type CallOutcome = 'succeeded' | 'failed' | 'unknown';

/** A counter that a call is taken from, and the amount: calls or mills. */
export type Debit = { key: string; by: number };

/** One settled call. Written once and never changed, so that every total can be computed from receipts. */
export type Receipt = {
	/** The job's id, which is the platform's delivery id. */
	id: string;
	command: string;
	/** Absent for pictures. */
	what?: CallKind;
	place: Place;
	person: Pick<Person, 'id' | 'name'>;
	outcome: CallOutcome;
	/** How many pictures it made. */
	pictures: number;
	/** The cost beyond the plan, in mills. 0 for a call that was given back. */
	cost: number;
	/** The counters that it was taken from. A failed call was given back to them. */
	takings: readonly Debit[];
	/** When it was reserved, in Unix milliseconds. */
	at: number;
	/** In Unix milliseconds. */
	settledAt: number;
};
