import type { CallKind } from './limit.ts';
import type { Person } from './person.ts';
import type { MessageHandle, Place } from './place.ts';
import type { CallOutcome, Debit } from './receipt.ts';

/**
 * The state of a paid request. Each state is stored before the side effect that it allows: `reserved` (counted, nothing
 * sent) → `sent` (the service may be called) → `succeeded` | `failed` (refunded) | `unknown` (stays counted) →
 * `delivered` (the person has the answer) | `undeliverable` (`/usage` offers it) | `held` (its pictures went to a review).
 */
export type JobState = 'reserved' | 'sent' | CallOutcome | JobEnd;

/** The state of a job whose request has ended. */
export type JobEnd = 'delivered' | 'undeliverable' | 'held';

/** A paid request, stored in each of its states. */
export type Job = {
	/** The platform's delivery id. */
	id: string;
	state: JobState;
	/** The outcome of the call, from its settlement on. */
	outcome?: CallOutcome;
	command: string;
	/** Absent for pictures. */
	what?: CallKind;
	place: Place;
	/** With the language of messages that are sent after a restart. */
	person: Pick<Person, 'id' | 'name' | 'locale'>;
	/** The counters that the call was taken from, to which a failed call is refunded. */
	debits: readonly Debit[];
	/** The cost beyond the plan, in mills. */
	cost: number;
	/** The time of the reservation, in Unix milliseconds. */
	at: number;
	/** The message that answers the request. Its handle is known before it is posted. */
	answer: MessageHandle;
	/** The process that works on it, or has closed it; see `Lease.processId`. */
	process: string;
	/** How often it was claimed by another process. */
	claims: number;
	/** The process that reserved the call, and may have made it, once the job was claimed or closed. */
	caller?: string;
};

/** Returns the process that reserved the call, and may have made it. */
export const callerOf = ({ caller, process }: Pick<Job, 'caller' | 'process'>): string => caller ?? process;

/** Tells whether the outcome of the call is stored. */
export const isSettled = ({ state }: Pick<Job, 'state'>): boolean => state !== 'reserved' && state !== 'sent';

/** Tells whether the request has ended. */
export const isClosed = ({ state }: Pick<Job, 'state'>): boolean =>
	state === 'delivered' || state === 'undeliverable' || state === 'held';
