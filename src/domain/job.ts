import type { Button, MessageHandle, Place, Requester } from './channel.ts';

/**
 * The states of a paid call, each stored before the side effect that it allows:
 *
 * - `reserved`: counted, and nothing sent. A process that takes the job over gives the call back.
 * - `sent`: the service may be asked, once. A process that takes the job over delivers the pictures that it finds; without any, the call
 *   stays counted as unknown.
 * - `answered`: settled, with the answer that the person gets. Whoever knows more stores a further answer.
 * - `delivered`: the person has the answer, or `/usage` offers it. What is left is the record of the call, until it expires.
 */
export type JobState = 'reserved' | 'sent' | 'answered' | 'delivered';

export type Answer =
	/** The first `count` of the pictures that are kept of the job. */
	| { kind: 'pictures'; count: number }
	/** The sentence that the job's pictures wait for a moderator. @property due when that ends without a decision, in Unix milliseconds */
	| { kind: 'review'; count: number; due: number }
	/**
	 * @property again set when the same request may succeed if it is made again
	 * @property isPrivate the sentence is for the person alone, although the request is not
	 */
	| { kind: 'sentence'; text: string; again?: boolean; buttons?: readonly Button[]; isPrivate?: boolean };

/** The review of the pictures of a job, which nobody sees until a decision. Times are in Unix milliseconds. */
export type Review = {
	/** When it ends without a decision. */
	due: number;
	/** When a sweep has to look at it next: at once (0) for a decision that has to be carried out; absent once that is done. */
	checkAt?: number;
	/** The channel in which moderators can decide; absent while it could not be posted to. */
	card?: string;
	/** The first one counts. */
	decision?: Decision;
};

export type Decision = {
	verdict: 'approved' | 'rejected';
	/** The moderator; absent when nobody has decided in time. */
	by?: { id: string };
	/** Why it was rejected, as the moderator wrote it. */
	reason?: string;
	pictures: number;
};

/** What was asked for, as it is stored for the buttons under its result. The rest of it is the job's. */
export type StoredRequest = {
	/** The parsed options, without the pictures. */
	options: Record<string, unknown>;
	/** The names of the pictures in the picture store, by option. */
	inputs: Record<string, string>;
	/** A picture that it uses was covered by its author: so is the result. */
	covered?: boolean;
	/** See `Invocation.source`. */
	source?: { link?: string };
	/** Flags in the prompt that mean nothing here. They were not sent. */
	unknownFlags?: readonly string[];
	/** What the service says that it has drawn. */
	revisedPrompt?: string;
	/** What each picture shows, where it was described for those who cannot see it. */
	alts?: (string | null)[];
	/** What of the first picture is other than was asked for; its format unless it is PNG; and why others are missing. */
	made?: {
		model?: string;
		size?: string;
		quality?: string;
		format?: string;
		background?: BackgroundMade;
		lacks?: string;
	};
	/** How many of the pictures that were asked for the service has not returned. */
	missing?: number;
	/** The pictures that were made and could not be fetched, and whether a sweep tries once more. */
	unfetched?: { count: number; again: boolean };
};

/** What became of a background that should be transparent; `mixed` where pictures differ, or were not all seen. */
type BackgroundMade = 'native' | 'keyed' | 'kept' | 'mixed';

/** A paid call: one entry from its reservation on, which is its receipt once it is settled. */
export type Job = {
	id: string;
	state: JobState;
	/**
	 * How often the job was written since its reservation. Each write names the step that it follows, and is refused when another process
	 * has made that step. So a process that has lost its job can neither send it nor answer it.
	 */
	step: number;
	command: string;
	/** Absent for pictures. */
	what?: CallKind;
	place: Place;
	/** With the language of messages that are sent after a restart. */
	person: Requester;
	/** The counters that the call was taken from. A failed call was given back to the same ones. */
	debits: readonly Debit[];
	/** In micro-USD: what was reserved for it, then what it has cost; 0 within a plan without prices, and 0 for a call that was given back. */
	usd: number;
	/** The prices that it was reserved by, where the operator has set some; until it is settled. */
	quote?: Quote;
	/** The time of the reservation, in Unix milliseconds. */
	at: number;
	/** The message that answers the request. Its handle is known before it is posted. */
	message: MessageHandle;
	/** Absent for chat turns, and once its person or a moderator has deleted the result. */
	request?: StoredRequest;
	/** The first message that shows the pictures, once they are posted. */
	shown?: MessageHandle;
	/** Where moderators see the pictures first. */
	review?: Review;
	/** The process that works on it; see `Lease.processId`. */
	process: string;
	/** How often another process has taken it over. */
	claims: number;
	/**
	 * The process that the job was taken from, and when, in Unix milliseconds. It may only be suspended, and go on: until that is over,
	 * the job stays open, its pictures may still come, and its answer is posted once more at the end.
	 */
	takenFrom?: { process: string; at: number };
	/** How the call ended, from its first answer on, which settles it. */
	outcome?: CallOutcome;
	pictures?: number;
	/** Absent where the service does not count tokens. */
	tokens?: TokenUsage;
	/** The time of the settlement, in Unix milliseconds. */
	settledAt?: number;
	/** The day in which the server counted the call, such as `2026-11-20`. */
	day?: string;
	/** When moderators have given back a call of unknown outcome, in Unix milliseconds. `debits` are those that stay. */
	refundedAt?: number;
	answer?: Answer;
	/** The addresses of pictures that were made and could not be fetched, for one more attempt. */
	refetch?: readonly string[];
	/** The answer is posted, though the job stays open. */
	isPosted?: boolean;
};

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
	/** The maximum number of calls or chat turns, 0 or more, and the most that calls may cost, in micro-USD. It has one of the two, or both. */
	images?: number;
	usd?: number;
};
export type Scope = 'server' | 'channel' | 'role' | 'member';
export type Period = 'day' | 'month';

/** What counters count: calls and chat turns, or money in micro-USD. */
export type Unit = 'images' | 'usd';

/** The outcome of a call. Only a `failed` one is refunded: the service certainly did not process it. */
export type CallOutcome = 'succeeded' | 'failed' | 'unknown';

/** A counter's key, and the amount by which a call has increased it: calls, or micro-USD. A pair, because every call stores several. */
export type Debit = readonly [key: string, by: number];

export type TokenUsage = { input: number; output: number };

/**
 * What a call costs by model, quality, size and number of pictures; what is absent applies to every call. Amounts are in micro-USD, those of
 * tokens for a million of them. It has one of `usd_per_picture` and `usd_per_call`.
 */
export type PriceRow = {
	/** A `*` at its beginning or its end stands for anything. */
	model?: string;
	quality?: string;
	size?: string;
	n?: number;
	usd_per_picture?: number;
	usd_per_call?: number;
	/** Besides, for each picture that is sent along. */
	usd_per_input_picture?: number;
	usd_per_million_tokens?: { input: number; input_text?: number; output: number };
};

/** What a call is priced by. What is absent is left to the service. */
export type PricedCall = {
	model?: string;
	quality?: string;
	/** As it is sent: `1024x1024`, or a ratio where the service takes ratios. */
	size?: string;
	/** How many pictures are asked for, and how many are sent along. */
	n: number;
	inputs: number;
	/** The length of the prompt in UTF-8, and the most previews: they matter where tokens have prices. */
	promptBytes?: number;
	previews?: number;
};

/**
 * What a call may cost. It is stored with the reservation, so that a change of the table touches no open call.
 *
 * @property most micro-USD
 * @property rows those of the table that may apply to it, in their order
 */
export type Quote = { most: number; call: PricedCall; rows: readonly PriceRow[] };

/** What a service says of a call that it has answered. Absent where it says nothing. */
export type ServiceUsage = {
	tokens?: TokenUsage;
	/** Of the input tokens, those of text. */
	textTokens?: number;
	cost?: number;
	/** As the pictures were made. */
	quality?: string;
	size?: string;
};

/** A settled call. Only a refund and an erasure change what it says. Every total can be recomputed from receipts. */
export type Receipt = Job & Required<Pick<Job, 'outcome' | 'pictures' | 'settledAt'>>;

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
