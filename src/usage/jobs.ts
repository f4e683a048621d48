import type { Answer, CallOutcome, Debit, Job, Receipt, Review, StoredRequest, TokenUsage } from '../domain/job.ts';
import { Collection, DAY_MS, MINUTE_MS, remainingMs } from '../store/collection.ts';
import { timedMember } from '../store/pages.ts';
import { type Change, type IndexMember, joinChanges, type Space } from '../store/store.ts';
import { jobKey, OPEN_JOBS, openJobs, REVIEWS, receiptMembers } from './calls.ts';
import { erasedAmong, totalsChange } from './totals.ts';
import { counterStep, dayOf, isMoney } from './windows.ts';

/** The paid calls. What a service says of them, and platforms, is not exported. */
export const jobs: Collection<Job> = new Collection<Job>('ledger/job:', {
	owner: 'person',
	holds:
		'a paid call with id and name of the member, and the options with the prompt, which an erasure deletes; then its outcome, cost and tokens, and the review of its pictures',
	until: 'until it is answered, then retention',
	expires: ({ state }) => state === 'delivered',
	erasure: 'unnamed',
	group: 'calls',
	ofCall: ({ id }) => id,
	peopleOf: (_, { place: { platform, server }, person: { id } }) => [{ platform, server, id }],
	unname: unnameJob,
	exported: (
		_,
		{ step: _step, process: _process, claims: _claims, message: _message, shown: _shown, review: _review, ...job },
	) => job,
});

/** The next value of a job, and the change that stores it. The change is refused when another process has made that step. */
export type Step = { job: Job; change: Change };

/** What time it is, and how long ended jobs are kept. */
type Keeping = { now(): number; retentionMs: number };

/** Steps are counted from here on: a counter that is absent is 0, so that no step of a job is made that has expired. */
export const FIRST_STEP = -1_000_000;

function stepOf(before: Job, changes: Partial<Job>, ttlMs?: number): Step {
	const { step, ...rest } = { ...before, ...changes };
	// A counter of an entry is its first member.
	const job: Job = { step: step + 1, ...rest };
	const key = jobKey(job.id);
	const [from, to] = [indexesOf(before), indexesOf(job)];
	const without = (all: readonly IndexMember[], others: readonly IndexMember[]) =>
		all.filter(({ member }) => others.every((other) => other.member !== member));
	return {
		job,
		change: {
			add: [{ key, field: 'step', by: 1, atMost: job.step }],
			put: [{ key, value: job, ttlMs }],
			index: without(to, from),
			unindex: without(from, to),
		},
	};
}

/** Returns where a job is found that a process has to go on with, or whose review a sweep has to look at. */
const indexesOf = ({ id, state, review }: Job): IndexMember[] => [
	...(state === 'delivered' ? [] : [{ index: OPEN_JOBS, member: id }]),
	...(review?.checkAt === undefined ? [] : [{ index: REVIEWS, member: timedMember(review.checkAt, id) }]),
];

/** Stores what has become known of a request. */
export const noting = (job: Job, request: StoredRequest): Step => stepOf(job, { request });

/** Returns a job as it is stored, with what its process knows of its result. What was deleted stays deleted. */
export const withResult = (stored: Job, { request, shown }: Partial<Job>): Job =>
	stored.request ? { ...stored, request: request ?? stored.request, shown: shown ?? stored.shown } : stored;

/** Allows a reserved call to be sent. */
export const sending = (job: Job): Step => stepOf(job, { state: 'sent' });

/** Makes a process the owner of a job. What it finds out about an ended job, it answers anew. */
export function claiming(job: Job, process: string, takenFrom: Job['takenFrom']): Step {
	const reopened = job.state === 'delivered' ? ({ state: 'sent' } as const) : {};
	return stepOf(job, { process, claims: job.claims + 1, takenFrom, ...reopened });
}

/** How a call ended. */
export type CallEnd = {
	outcome: CallOutcome;
	/** How many pictures the call made. */
	pictures: number;
	/** As the service counts them. */
	tokens?: TokenUsage;
	/** What a successful call has cost, in micro-USD, as far as the service tells; as much as was reserved when it is missing. */
	paid?: number;
};

/**
 * Stores an answer. The first one settles the call: it gives back the debits of a failed call, and of a successful one what was reserved
 * and not spent.
 */
export function answering(job: Job, answer: Answer, end: CallEnd, keeping: Keeping, refetch?: readonly string[]): Step {
	const review = reviewAfter(job, answer, keeping.now());
	return settling(job, { state: 'answered', answer, refetch, isPosted: undefined, review }, end, keeping);
}

/** Until a sweep shows a result to moderators whose process has not done it. */
const FIRST_CHECK_MS = MINUTE_MS;

/** Begins the review that an answer says to wait for. Any other answer carries the decision out. */
function reviewAfter({ review }: Job, answer: Answer, now: number): Review | undefined {
	if (answer.kind === 'review') return review ?? { due: answer.due, checkAt: now + FIRST_CHECK_MS };
	return review?.decision ? { ...review, checkAt: undefined } : review;
}

/** Settles a call whose answer is posted already, and ends its job. */
export const ending = (job: Job, end: CallEnd, keeping: Keeping): Step =>
	settling(job, ENDED, end, keeping, endedMs(job, keeping));

function settling(
	before: Job,
	changes: Partial<Job>,
	end: CallEnd,
	{ now, retentionMs }: Keeping,
	ttlMs?: number,
): Step {
	if (before.outcome !== undefined) return stepOf(before, changes, ttlMs);
	const { outcome, pictures, tokens, paid = Number.POSITIVE_INFINITY } = end;
	const isFailed = outcome === 'failed';
	const reserved = before.usd;
	// Never above what was reserved: the caps have been checked for that much.
	const usd = isFailed ? 0 : outcome === 'succeeded' ? Math.min(reserved, paid) : reserved;
	// Those of money are of as much as was reserved.
	const spent = ([key, by]: Debit): number => (isFailed ? 0 : isMoney(key) ? by - (reserved - usd) : by);
	// A failed call says what it was given back to.
	const debits = isFailed ? before.debits : before.debits.map((debit): Debit => [debit[0], spent(debit)]);
	const settled = { outcome, pictures, tokens, debits, usd, settledAt: now(), day: dayOf(before), quote: undefined };
	const { job, change } = stepOf(before, { ...changes, ...settled }, ttlMs);
	const back = before.debits.map((debit): Debit => [debit[0], spent(debit) - debit[1]]).filter(([, by]) => by < 0);
	const refund = back.map((debit) => counterStep(debit, now(), retentionMs));
	const receipt = job as Receipt;
	const { add = [], index = [] } = totalsChange(receipt);
	const counted = { add: [...refund, ...add], index: [...receiptMembers(receipt, retentionMs), ...index] };
	return { job, change: joinChanges(change, counted) };
}

/** What was to be done for the answer is done. */
const ENDED = {
	state: 'delivered',
	...{ answer: undefined, refetch: undefined, takenFrom: undefined, isPosted: undefined },
} as const;

/** Ends a job whose answer is posted. One that `/usage` offers is kept. */
export const delivering = (job: Job, keeping: Keeping, isOffered: boolean): Step =>
	stepOf(job, isOffered ? { ...ENDED, answer: job.answer } : ENDED, endedMs(job, keeping));

/** An ended job is kept for the retention time from its settlement on. */
const endedMs = ({ settledAt }: Job, { now, retentionMs }: Keeping): number =>
	Math.max(DAY_MS, (settledAt ?? now()) + retentionMs - now());

/** Notes that the answer of a job is posted that stays open. */
export const posting = (job: Job): Step => stepOf(job, { isPosted: true });

/**
 * Changes a job beside the process that works on it, which makes its next step on what it is then. The job expires when it would have.
 *
 * @param changeOf returns what becomes of it, and what is committed with that; undefined when nothing is to be changed
 * @returns whether it was changed
 */
export async function changeJob(
	space: Space,
	id: string,
	changeOf: (job: Job) => { job: Partial<Job>; also?: Change } | undefined,
): Promise<boolean> {
	for (;;) {
		const stored = await space.keyv.getRaw<Job>(jobKey(id));
		if (!stored?.value) return false;
		const changed = changeOf(stored.value);
		if (!changed) return false;
		const { change } = stepOf(stored.value, changed.job, remainingMs(stored));
		if ((await space.commit(joinChanges(change, changed.also ?? {}))) === 'done') return true;
	}
}

/**
 * Deletes the request of a call, and puts the id of an erased member in place of the person's. Moderators may still give it back. One that
 * has not ended, such as one of a backup, keeps the id.
 */
async function unnameJob(space: Space, { value }: { value: Job }, before: number): Promise<void> {
	const { id, place, person } = value;
	const erased = (await erasedAmong(space, place, [person.id])).get(person.id);
	await changeJob(space, id, ({ state, at, answer }) => {
		const isOpen = state !== 'delivered';
		const member = isOpen ? (at <= before ? person.id : undefined) : erased?.id;
		if (member === undefined) return undefined;
		const nameless = { person: { id: member, name: '' }, request: undefined, shown: undefined, review: undefined };
		return { job: { ...nameless, answer: isOpen ? answer : undefined } };
	});
}

/**
 * Marks the calls of a restored store that were only reserved as sent: they may have been sent after the backup. Recovery then settles
 * them as unknown, so that they stay counted, and no process sends them. Calling it again changes nothing.
 *
 * @param space the ledger's
 * @returns how many calls that were
 */
export async function markRestoredCalls(space: Space): Promise<number> {
	let marked = 0;
	for await (const { id } of openJobs(space)) {
		const mark = ({ state, claims }: Job) =>
			state === 'reserved' ? { job: { state: 'sent', claims: claims + 1 } as const } : undefined;
		if (await changeJob(space, id, mark)) marked += 1;
	}
	return marked;
}
