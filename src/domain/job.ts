import type { MessageHandle, Person, Place, Requester } from './place.ts';

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
	person: Requester;
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

/** Calls for pictures, which are taken from the plan and may cost, or turns in chat threads. */
export type CallKind = 'pictures' | 'chat';

/** A cap. Without a target, a cap for channels or members is the default for all of them. */
export type Limit = {
	/** Absent for pictures. */
	what?: CallKind;
	scope: Scope;
	/** The id of the channel, role or member. */
	target?: string;
	period: Period;
	/** The maximum number of calls or chat turns; 0 or more. */
	images: number;
};
export type Scope = 'server' | 'channel' | 'role' | 'member';
export type Period = 'day' | 'month';

/** Returns the kind of call that a limit, a job or a receipt is about. */
export const callKindOf = ({ what = 'pictures' }: { what?: CallKind }): CallKind => what;

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
	/** The day in which the server counted the call, such as `2026-11-20`. Set when the receipt is stored. */
	day?: string;
	/** When moderators have given back a call of unknown outcome, in Unix milliseconds. `debits` are those that stay. */
	refundedAt?: number;
};

/** Aborts requests that still run when Easel stops. */
export class ShutdownError extends Error {
	override name = 'ShutdownError';
}

/** Aborts a request that a person has stopped. */
export class UserAbortError extends Error {
	override name = 'UserAbortError';
}

/** The person who has cancelled a request for pictures: the one who made it, or a moderator. */
export type CancelledBy = 'requester' | 'moderator';

/** Aborts a request for pictures that a person has cancelled. */
export class CancelledError extends UserAbortError {
	override name = 'CancelledError';
	readonly by: CancelledBy;

	constructor(by: CancelledBy) {
		super();
		this.by = by;
	}
}
