import {
	type Answer,
	type CallOutcome,
	costOf,
	type Debit,
	type Job,
	type Receipt,
	type TokenUsage,
} from '../domain/job.ts';
import type { ServerId } from '../domain/place.ts';
import type { Easel } from '../easel.ts';
import type { PersonalCall } from '../store/collection.ts';
import { idOfMember, membersOf, timedMember, timeKey } from '../store/pages.ts';
import { type Change, joinChanges, type Space } from '../store/store.ts';
import { receiptChange } from './receipts.ts';
import { counterStep, isMoney } from './windows.ts';

/** The index of the jobs that a process has to go on with, by id. */
export const OPEN_JOBS = 'open';

export const jobKey = (id: string) => `job:${id}`;

/** How long the end of a job is remembered: far longer than a platform repeats a delivery, and than a process is suspended. */
const FINISHED_MS = 100 * 24 * 3600_000;

export const findJob = ({ keyv }: Space, id: string): Promise<Job | undefined> => keyv.get<Job>(jobKey(id));

/** Yields the jobs that a process has to go on with. */
export async function* openJobs(space: Space): AsyncGenerator<Job> {
	for await (const id of membersOf(space, OPEN_JOBS)) {
		const job = await findJob(space, id);
		if (job) yield job;
	}
}

/** The next value of a job, and the change that stores it. The change is refused when another process has made that step. */
export type Step = { job: Job; change: Change };

function stepOf(before: Job, changes: Partial<Job>, ttlMs?: number): Step {
	const { step, ...rest } = { ...before, ...changes };
	// A counter of an entry is its first member.
	const job: Job = { step: step + 1, ...rest };
	const key = jobKey(job.id);
	return { job, change: { add: [{ key, field: 'step', by: 1, atMost: job.step }], put: [{ key, value: job, ttlMs }] } };
}

/** Allows a reserved call to be sent. */
export const sending = (job: Job): Step => stepOf(job, { state: 'sent' });

/** Makes a process the owner of a job. What it finds out about an ended job, it answers anew. */
export function claiming(job: Job, process: string, takenFrom: Job['takenFrom']): Step {
	const { id, state } = job;
	const reopened = state === 'delivered' ? ({ state: 'sent' } as const) : {};
	const { job: claimed, change } = stepOf(job, { process, claims: job.claims + 1, takenFrom, ...reopened });
	return { job: claimed, change: { ...change, index: [{ index: OPEN_JOBS, member: id }] } };
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
 * Stores an answer. The first one settles the call: it writes the receipt, and gives back the debits of a failed call, and of a successful
 * one what was reserved and not spent.
 */
export function answering(job: Job, answer: Answer, end: CallEnd, easel: Easel, refetch?: readonly string[]): Step {
	return settling(job, { state: 'answered', answer, refetch, isPosted: undefined }, end, easel);
}

/** Settles a call whose answer is posted already, and ends its job. */
export const ending = (job: Job, end: CallEnd, easel: Easel): Step =>
	closed(settling(job, FORGOTTEN, end, easel, FINISHED_MS));

function settling(before: Job, changes: Partial<Job>, end: CallEnd, { now, retentionMs }: Easel, ttlMs?: number): Step {
	if (before.outcome !== undefined) return stepOf(before, changes, ttlMs);
	const { outcome, paid = Number.POSITIVE_INFINITY } = end;
	const reserved = costOf(before);
	// Never above what was reserved: the caps have been checked for that much.
	const usd = outcome === 'failed' ? 0 : outcome === 'succeeded' ? Math.min(reserved, paid) : reserved;
	const debits = outcome === 'failed' ? [] : before.debits.map((debit) => afterPayment(debit, reserved, usd));
	const settled = { outcome, debits: [], usd, cost: undefined, quote: undefined };
	const { job, change } = stepOf(before, { ...changes, ...settled }, ttlMs);
	// The receipt of a failed call says what it was taken from.
	const kept = outcome === 'failed' ? before.debits : debits;
	const receipt = receiptChange(receiptOf({ ...before, usd, debits: kept }, end, now()), retentionMs);
	const back = before.debits.map(([key, by], index): Debit => [key, (debits[index]?.[1] ?? 0) - by]);
	const refund = back.filter(([, by]) => by < 0).map((debit) => counterStep(debit, now(), retentionMs));
	return { job, change: joinChanges(change, { add: refund }, receipt) };
}

/** Returns what stays of a debit once a call is paid. Those of money are of as much as was reserved. */
const afterPayment = ([key, by]: Debit, reserved: number, paid: number): Debit =>
	isMoney(key) ? [key, by - (reserved - paid)] : [key, by];

/** The receipt has the debits, and no name is kept longer than needed. */
const FORGOTTEN = {
	state: 'delivered',
	...{ debits: [], person: { id: '', name: '' } },
	...{ answer: undefined, refetch: undefined, takenFrom: undefined, isPosted: undefined },
} as const;

/** Ends a job whose answer is posted, or is offered. The little that is kept shows that a repeated delivery was handled. */
export const delivering = (job: Job): Step => closed(stepOf(job, FORGOTTEN, FINISHED_MS));

const closed = ({ job, change }: Step): Step => ({
	job,
	change: { ...change, unindex: [{ index: OPEN_JOBS, member: job.id }] },
});

/** Notes that the answer of a job is posted that stays open. */
export const posting = (job: Job): Step => stepOf(job, { isPosted: true });

function receiptOf(job: Job, { outcome, pictures, tokens }: CallEnd, settledAt: number): Receipt {
	const { id, command, what, place, person, debits, usd, at } = job;
	const { name } = person;
	return {
		...{ id, command, what, place, person: { id: person.id, name }, outcome, pictures, tokens },
		...{ usd, debits, at, settledAt },
	};
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
	for await (const job of openJobs(space)) {
		if (job.state !== 'reserved') continue;
		const { change } = stepOf(job, { state: 'sent', claims: job.claims + 1 });
		if ((await space.commit(change)) === 'done') marked += 1;
	}
	return marked;
}

/** Requests that have not ended in an answer, in all processes. `oldestAt` is in Unix milliseconds. */
export type OpenWork = { count: number; oldestAt?: number };

/** So many are counted. There are only calls under way, and those of processes that are gone. */
const MAX_COUNTED = 1000;

/** Counts the open jobs, up to `MAX_COUNTED`. */
export async function openWork(space: Space): Promise<OpenWork> {
	const ids = await space.members(OPEN_JOBS, { limit: MAX_COUNTED });
	const jobs = ids.length === 0 ? [] : await space.keyv.getMany<Job>(ids.map(jobKey));
	const times = jobs.flatMap((job) => (job ? [job.at] : []));
	return { count: times.length, oldestAt: times.length > 0 ? Math.min(...times) : undefined };
}

/** Results outlast their calls by the time that they are reviewed in. */
const REVIEW_MS = 30 * 24 * 3600_000;

/** Enough for a page of a history in one read. */
const CALLS_PER_PAGE = 50;

const callsIndex = (platform: string, person: string) => `calls:${platform}:${person}`;

/** Returns the member of the index of a person's calls, which stays as long as anything that is kept about the call. */
export const callMember = ({ id, at, place, person }: Job, retentionMs: number) => ({
	from: timeKey(at - retentionMs - REVIEW_MS),
	index: callsIndex(place.platform, person.id),
	member: timedMember(at, `${place.server} ${id}`),
	ttlMs: retentionMs + REVIEW_MS,
});

/** Yields the calls of a person in all servers of a platform, oldest first. */
export async function* callsOf(space: Space, platform: string, person: string): AsyncGenerator<PersonalCall> {
	for await (const member of membersOf(space, callsIndex(platform, person))) {
		const [server = '', ...id] = idOfMember(member).split(' ');
		yield { platform, server, person, id: id.join(' ') };
	}
}

/**
 * Yields the calls of a person in a server, latest first, page by page.
 *
 * @param bounds positions, both exclusive
 */
export async function* latestCallsOf(
	space: Space,
	{ platform, server }: ServerId,
	person: string,
	{ after, before }: { after: string; before?: string | undefined },
): AsyncGenerator<{ id: string; position: string }[]> {
	const here = `:${server} `;
	let end = before?.replace(':', () => here);
	for (;;) {
		const range = { descending: true, after, before: end, limit: CALLS_PER_PAGE };
		const page = await space.members(callsIndex(platform, person), range);
		const calls = page.filter((member) => member.startsWith(here, member.indexOf(':')));
		yield calls.map((member) => {
			const position = member.replace(here, ':');
			return { id: idOfMember(position), position };
		});
		if (page.length < CALLS_PER_PAGE) return;
		end = page.at(-1);
	}
}
