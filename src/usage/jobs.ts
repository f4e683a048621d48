import type { ServerId } from '../domain/channel.ts';
import type { Answer, CallOutcome, Debit, Job, Receipt, Review, TokenUsage } from '../domain/job.ts';
import type { Easel } from '../easel.ts';
import {
	type Change,
	Collection,
	DAY_MS,
	type IndexMember,
	idOfMember,
	joinChanges,
	MINUTE_MS,
	membersOf,
	type PersonalCall,
	pagesOf,
	remainingMs,
	type Space,
	timedMember,
	timeKey,
} from '../store/store.ts';
import type { Settings } from './settings.ts';
import { erasedAmong, totalsChange } from './totals.ts';
import { counterStep, dayOf, isMoney, isServerCounter, serverWindows, type Windows, windowsAt } from './windows.ts';

/** The index of the jobs that a process has to go on with, by id. */
export const OPEN_JOBS = 'open';

/** The index of the jobs whose review a sweep has to look at, by the time of that. */
export const REVIEWS = 'reviews';

export const jobKey = (id: string) => `job:${id}`;

export const findJob = ({ keyv }: Space, id: string): Promise<Job | undefined> => keyv.get<Job>(jobKey(id));

export async function* openJobs(space: Space): AsyncGenerator<Job> {
	for await (const id of membersOf(space, OPEN_JOBS)) {
		const job = await findJob(space, id);
		if (job) yield job;
	}
}

/** Requests that have not ended in an answer, in all processes. `oldestAt` is in Unix milliseconds. */
export type OpenWork = { count: number; oldestAt?: number };

/** So many are counted. There are only calls under way, and those of processes that are gone. */
const MAX_COUNTED = 1000;

/** Counts the open jobs, up to `MAX_COUNTED`. */
export async function openWork(space: Space): Promise<OpenWork> {
	const open = await jobs.getMany(space, await space.members(OPEN_JOBS, { limit: MAX_COUNTED }));
	const times = open.flatMap((job) => (job ? [job.at] : []));
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

/** A span of time in Unix milliseconds; `to` is exclusive. */
export type Span = { from: number; to: number };

/** The index of a server's settled calls of a month (UTC) by time. A member is the time of the reservation and the job's id. */
const receiptsIndex = ({ platform, server }: ServerId, month: string) => `receipts:${month}:${platform}:${server}`;

/** The index of the months (UTC) in which servers made calls, oldest first. */
export const MONTHS = 'months';

/** Returns the indexes by which a settled call is found. */
function receiptMembers({ id, at, place }: Receipt, ttlMs: number): NonNullable<Change['index']> {
	const month = monthOf(at);
	return [
		{ index: receiptsIndex(place, month), member: timedMember(at, id), ttlMs },
		{ index: MONTHS, member: `${month}:${place.platform}:${place.server}` },
	];
}

export function serverMonthOf(member: string): { server: ServerId; month: string } {
	const [month = '', platform = '', ...server] = member.split(':');
	return { month, server: { platform, server: server.join(':') } };
}

/** Yields the settled calls of a server that were reserved in a span, for pictures and for chat, oldest first. */
export async function* receiptsOf(space: Space, server: ServerId, { from, to }: Span): AsyncGenerator<Receipt> {
	const bounds = { after: timeKey(from), before: timeKey(to) };
	for (let at = from; at < to; at = windowsAt(at, 'UTC').month.resetsAt) {
		for await (const members of pagesOf(space, receiptsIndex(server, monthOf(at)), bounds)) {
			for (const job of await jobs.getMany(space, members.map(idOfMember))) if (job) yield job as Receipt;
		}
	}
}

/** Returns a month in UTC, such as `2026-11`. */
export const monthOf = (at: number): string => windowsAt(at, 'UTC').month.id;

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

/** Steps are counted from here on: a counter that is absent is 0, so that no step of a job is made that has expired. */
export const FIRST_STEP = -1_000_000;

export function stepOf(before: Job, changes: Partial<Job>, ttlMs?: number): Step {
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

/** Returns a job as it is stored, with what its process knows of its result. What was deleted stays deleted. */
export const withResult = (stored: Job, { request, shown }: Partial<Job>): Job =>
	stored.request ? { ...stored, request: request ?? stored.request, shown: shown ?? stored.shown } : stored;

export type CallEnd = {
	outcome: CallOutcome;
	/** How many pictures the call made. */
	pictures: number;
	/** As the service counts them. */
	tokens?: TokenUsage;
	/** What a successful call has cost, in micro-USD, as far as the service tells; as much as was reserved when it is missing. */
	paid?: number;
};

type Keeping = Pick<Easel, 'now' | 'retentionMs'>;

/** Stores an answer. The first one settles the call. @param refetch the addresses of pictures that could not be fetched */
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

/** What was to be done for the answer is done. */
const ENDED = {
	state: 'delivered',
	...{ answer: undefined, refetch: undefined, takenFrom: undefined, isPosted: undefined },
} as const;

/** Ends a job whose person has the answer, and settles its call unless it is settled. `/usage` offers an answer that is kept. */
export function ending(job: Job, end: CallEnd | undefined, keeping: Keeping, answer?: Answer): Step {
	const { now, retentionMs } = keeping;
	const ttlMs = Math.max(DAY_MS, (job.settledAt ?? now()) + retentionMs - now());
	return settling(job, { ...ENDED, answer }, end, keeping, ttlMs);
}

/** Gives back the debits of a failed call, and of a successful one what was reserved and not spent; only once. */
function settling(
	before: Job,
	changes: Partial<Job>,
	end: CallEnd | undefined,
	{ now, retentionMs }: Keeping,
	ttlMs?: number,
): Step {
	if (before.outcome !== undefined || !end) return stepOf(before, changes, ttlMs);
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
	const receipt = job as Receipt;
	const counted = totalsChange(receipt);
	const found = {
		add: back.map((debit) => counterStep(debit, now(), retentionMs)),
		index: receiptMembers(receipt, retentionMs),
	};
	return { job, change: joinChanges(change, joinChanges(found, counted)) };
}

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
		const { change } = stepOf(stored.value, changed.job, remainingMs(stored.expires));
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

/**
 * Yields a member's calls of unknown outcome that still count for caps of the server in its running day or month, oldest first.
 *
 * @param member every member by default
 */
export async function* refundableCalls(
	{ store, settings, now }: Easel,
	server: ServerId,
	member?: string,
): AsyncGenerator<Receipt> {
	const windows = serverWindows(await settings.get(server), now());
	const from = Math.min(windows.day.startsAt, windows.month.startsAt);
	for await (const receipt of receiptsOf(store.space('ledger'), server, { from, to: now() + 1 })) {
		const isTheirs = member === undefined || receipt.person.id === member;
		if (isTheirs && refundOf(receipt, windows).length > 0) yield receipt;
	}
}

/**
 * Gives back calls of unknown outcome to the caps of the server in its running day and month. They stay counted in the plan, in the
 * operator's caps and in what the server has spent, because the service may have made the pictures. Refunding a call again changes nothing.
 *
 * @returns how many calls were given back
 */
export async function refund(easel: Easel, settings: Settings, receipts: readonly Receipt[]): Promise<number> {
	const { store, now, retentionMs } = easel;
	let count = 0;
	for (const each of receipts) {
		const isRefunded = await changeJob(store.space('ledger'), each.id, (job) => {
			const refundedAt = now();
			const back = refundOf(job, serverWindows(settings, refundedAt));
			const debits = job.debits.filter((debit) => !back.includes(debit));
			const add = back.map(([counter, by]) => counterStep([counter, -by], refundedAt, retentionMs));
			return back.length > 0 ? { job: { debits, refundedAt }, also: { add } } : undefined;
		});
		if (isRefunded) count++;
	}
	return count;
}

/** Returns the debits of a call that a refund gives back. */
const refundOf = ({ outcome, place, debits }: Job, windows: Windows): Debit[] =>
	outcome === 'unknown' ? debits.filter(([key]) => isServerCounter(key, place, windows)) : [];
