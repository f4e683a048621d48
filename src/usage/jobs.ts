import { isClosed, type Job } from '../domain/job.ts';
import { idOfMember, membersOf, pruneIndex, timedMember } from '../store/pages.ts';
import type { Change, Space } from '../store/store.ts';

/**
 * The process that owns a job, once it has been claimed. It is an entry of its own, because the previous owner may still write
 * the job: neither of the two undoes what the other has written.
 */
type Owner = Pick<Job, 'process' | 'claims'>;

/** The index of the jobs that have not ended in an answer, by id. */
export const OPEN_JOBS = 'open';

export const jobKey = (id: string) => `job:${id}`;

/** Exists once the request has ended in an answer. */
export const closedKey = (id: string) => `closed:${id}`;

/**
 * How long it is remembered that a job was claimed, and that a request has ended: far longer than a platform repeats a delivery, and
 * than a process can hold on to a job that another one has claimed or ended.
 */
export const FINISHED_MS = 100 * 24 * 3600_000;

export const ownerKey = (id: string) => `owner:${id}`;

export const findJob = (space: Space, id: string): Promise<Job | undefined> => space.keyv.get<Job>(jobKey(id));

/** Yields the jobs that have not ended in an answer, with their present owners. */
export async function* openJobs(space: Space): AsyncGenerator<Job> {
	for await (const id of membersOf(space, OPEN_JOBS)) {
		const [stored, owner] = await space.keyv.getMany<Job | Owner>([jobKey(id), ownerKey(id)]);
		if (stored) yield owner ? claimedBy(owner as Owner, stored as Job) : (stored as Job);
	}
}

/**
 * Makes a process the owner of a job.
 *
 * @param job as `openJobs` yielded it
 * @returns the job as it is now, which may have been closed since, or undefined when another process has claimed it first
 */
export async function claimJob(space: Space, job: Job, processId: string): Promise<Job | undefined> {
	const owner: Owner = { process: processId, claims: job.claims + 1 };
	// The key contains the claim count, so of several claims of one owner's job a single one succeeds.
	const once = `claim:${job.id}:${owner.claims}`;
	const put = [
		{ key: once, value: true, ttlMs: FINISHED_MS },
		{ key: ownerKey(job.id), value: owner },
	];
	if ((await space.commit({ once, put })) !== 'done') return undefined;
	const stored = (await findJob(space, job.id)) ?? job;
	if (isClosed(stored)) await space.commit({ remove: [ownerKey(job.id)] });
	return claimedBy(owner, stored);
}

const claimedBy = (owner: Owner, job: Job): Job => ({ ...job, ...owner, caller: job.caller ?? job.process });

/** Returns a job as the process that closes it stores it. */
export const closedBy = (process: string, job: Job): Job => claimedBy({ process, claims: job.claims }, job);

/**
 * The index of the jobs that were ended for a process that may only be suspended, by id: it may still keep pictures of them.
 */
const LATE_JOBS = 'late';

/** Longer than clocks jump. `LatePictures` removes them when their process is gone. */
const LATE_MS = 100 * 24 * 3600_000;

export const addLateJob = (id: string): Change => ({ index: [{ index: LATE_JOBS, member: id, ttlMs: LATE_MS }] });
export const removeLateJob = (id: string): Change => ({ unindex: [{ index: LATE_JOBS, member: id }] });

/** Yields the jobs whose pictures may come late. */
export async function* lateJobs(space: Space): AsyncGenerator<Job> {
	for await (const id of membersOf(space, LATE_JOBS)) {
		const job = await findJob(space, id);
		if (job) yield job;
		else await space.commit(removeLateJob(id));
	}
}

/** A call of a person, by which everything that is kept about it is found. */
export type PersonalCall = { platform: string; server: string; person: string; id: string };

/** Results outlast their calls by the time that they are reviewed in. */
const REVIEW_MS = 30 * 24 * 3600_000;

const callsIndex = (platform: string, person: string) => `calls:${platform}:${person}`;

/** Returns the member of the index of a person's calls, which stays as long as anything that is kept about the call. */
export const callMember = (
	{ id, at, place, person }: Pick<Job, 'id' | 'at' | 'place' | 'person'>,
	retentionMs: number,
) => ({
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

/** Removes some of the calls of a person of which nothing is kept any more, where the store does not do so by itself. */
export const pruneCalls = (space: Space, platform: string, person: string, retentionMs: number, now: number) =>
	pruneIndex(space, callsIndex(platform, person), now - retentionMs - REVIEW_MS);
