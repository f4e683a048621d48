import type { CallKind } from './limit.ts';
import type { Person } from './person.ts';
import type { MessageHandle, Place } from './place.ts';
import type { CallOutcome, Debit } from './receipt.ts';

/**
 * Where a paid request stands. Each step is written down before the side effect that it allows:
 * `reserved` (counted; nothing sent) → `sent` (the service may be asked) → `succeeded` | `failed` (given back) | `unknown` (stays
 * counted) → `delivered` (the person has the answer) | `undeliverable` (pictures are kept for them).
 */
export type JobState = 'reserved' | 'sent' | 'succeeded' | 'failed' | 'unknown' | 'delivered' | 'undeliverable';

/** A paid request: plain data, stored at every step. */
export type Job = {
	/** The platform's delivery id. */
	id: string;
	state: JobState;
	/** How the call was settled, also once nothing is left to be done. */
	outcome?: CallOutcome;
	command: string;
	/** Absent for pictures. */
	what?: CallKind;
	place: Place;
	/** Their language is for what has to be said after a restart. */
	person: Pick<Person, 'id' | 'name' | 'locale'>;
	/** What the call was taken from, and is given back to. */
	takings: readonly Debit[];
	/** What it costs beyond the plan, in mills. */
	cost: number;
	/** When it was reserved, Unix milliseconds. */
	at: number;
	/** The message that answers it. Known before it is posted. */
	answer: MessageHandle;
	/** The process that runs it, by its lease. */
	process: string;
	/** How often it changed hands. */
	hands: number;
};

/** Whether it is written down how the call ended. */
export const isSettled = ({ state }: Pick<Job, 'state'>): boolean => state !== 'reserved' && state !== 'sent';

/** Whether nothing is left to be done for it. */
export const isClosed = ({ state }: Pick<Job, 'state'>): boolean => state === 'delivered' || state === 'undeliverable';
