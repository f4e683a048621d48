import type { CallKind } from './limit.ts';
import type { Person } from './person.ts';
import type { MessageHandle, Place } from './place.ts';
import type { CallOutcome, Debit } from './receipt.ts';

/**
 * The state of a paid request. Each is stored before the side effect that it allows:
 * `reserved` (counted; nothing was sent) → `sent` (the service may be called) → `succeeded` | `failed` (given back) | `unknown`
 * (stays counted) → `delivered` (the person has the answer) | `undeliverable` (the pictures are kept for the person).
 */
export type JobState = 'reserved' | 'sent' | 'succeeded' | 'failed' | 'unknown' | 'delivered' | 'undeliverable';

/** A paid request. Plain data, stored with every change of its state. */
export type Job = {
	/** The platform's delivery id. */
	id: string;
	state: JobState;
	/** How the call was settled. Stays when the job is closed. */
	outcome?: CallOutcome;
	command: string;
	/** Absent for pictures. */
	what?: CallKind;
	place: Place;
	/** The locale is for messages after a restart. */
	person: Pick<Person, 'id' | 'name' | 'locale'>;
	/** The counters that the call was taken from, and is given back to. */
	takings: readonly Debit[];
	/** The cost beyond the plan, in mills. */
	cost: number;
	/** When the call was reserved, in Unix milliseconds. */
	at: number;
	/** The message for the answer. Its handle is known before it is posted. */
	answer: MessageHandle;
	/** The id of the process that runs it; see `Lease`. */
	process: string;
	/** The claim count: how often another process has claimed it. */
	hands: number;
};

/** Tells whether the outcome of the call is stored. */
export const isSettled = ({ state }: Pick<Job, 'state'>): boolean => state !== 'reserved' && state !== 'sent';

/** Tells whether the job has ended. */
export const isClosed = ({ state }: Pick<Job, 'state'>): boolean => state === 'delivered' || state === 'undeliverable';
