import type { Job, Receipt } from '../domain/job.ts';
import type { ServerId } from '../domain/place.ts';
import type { PersonalCall } from '../store/collection.ts';
import { idOfMember, membersOf, pagesOf, timedMember, timeKey } from '../store/pages.ts';
import type { Change, Space } from '../store/store.ts';
import { windowsAt } from './windows.ts';

/** The index of the jobs that a process has to go on with, by id. */
export const OPEN_JOBS = 'open';

/** The index of the jobs whose review a sweep has to look at, by the time of that. */
export const REVIEWS = 'reviews';

export const jobKey = (id: string) => `job:${id}`;

export const findJob = ({ keyv }: Space, id: string): Promise<Job | undefined> => keyv.get<Job>(jobKey(id));

/** Yields the jobs that a process has to go on with. */
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

/** A span of time in Unix milliseconds; `to` is exclusive. */
export type Span = { from: number; to: number };

/** The index of a server's settled calls of a month (UTC) by time. A member is the time of the reservation and the job's id. */
const receiptsIndex = ({ platform, server }: ServerId, month: string) => `receipts:${month}:${platform}:${server}`;

/** The index of the months (UTC) in which servers made calls, oldest first. */
export const MONTHS = 'months';

/** Returns the indexes by which a settled call is found. */
export function receiptMembers({ id, at, place }: Receipt, ttlMs: number): NonNullable<Change['index']> {
	const month = monthOf(at);
	return [
		{ index: receiptsIndex(place, month), member: timedMember(at, id), ttlMs },
		{ index: MONTHS, member: `${month}:${place.platform}:${place.server}` },
	];
}

/** Returns what a member of `MONTHS` names. */
export function serverMonthOf(member: string): { server: ServerId; month: string } {
	const [month = '', platform = '', ...server] = member.split(':');
	return { month, server: { platform, server: server.join(':') } };
}

/** Yields the settled calls of a server that were reserved in a span, for pictures and for chat, oldest first. */
export async function* receiptsOf(space: Space, server: ServerId, span: Span): AsyncGenerator<Receipt> {
	const bounds = { after: timeKey(span.from), before: timeKey(span.to) };
	for (const month of monthsIn(span)) {
		for await (const members of pagesOf(space, receiptsIndex(server, month), bounds)) {
			const keys = members.map((member) => jobKey(idOfMember(member)));
			for (const receipt of await space.keyv.getMany<Receipt>(keys)) if (receipt) yield receipt;
		}
	}
}

/** Returns a month in UTC, such as `2026-11`. */
export const monthOf = (at: number): string => windowsAt(at, 'UTC').month.id;

/** Returns the months in UTC that a span touches. */
function monthsIn({ from, to }: Span): string[] {
	const months: string[] = [];
	let month = Temporal.PlainYearMonth.from(monthOf(from));
	for (; Temporal.PlainYearMonth.compare(month, monthOf(to)) <= 0; month = month.add({ months: 1 }))
		months.push(month.toString());
	return months;
}
