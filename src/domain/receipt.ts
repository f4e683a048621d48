import type { CallKind } from './limit.ts';
import type { Person } from './person.ts';
import type { Place } from './place.ts';

/** How a call ended. Only `failed` is given back: the service surely did not do it. */
export type CallOutcome = 'succeeded' | 'failed' | 'unknown';

/** What a call is taken from: a counter's key and by how much, calls or mills. */
export type Debit = { key: string; by: number };

/** One settled call, written once and never changed: every total can be computed from these again. */
export type Receipt = {
	/** The job's id, which is the platform's delivery id. */
	id: string;
	command: string;
	/** Absent for pictures. */
	what?: CallKind;
	place: Place;
	person: Pick<Person, 'id' | 'name'>;
	outcome: CallOutcome;
	/** Pictures that came of it. */
	pictures: number;
	/** Mills beyond the plan; 0 within it, and 0 for what was given back. */
	cost: number;
	/** What it was taken from; when `failed`, given back to the same. */
	takings: readonly Debit[];
	/** When it was reserved and settled, Unix milliseconds. */
	at: number;
	settledAt: number;
};
