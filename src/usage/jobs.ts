import type { Job } from '../domain/job.ts';
import type { Space } from '../store/store.ts';

/**
 * The process that owns a job, once it has been claimed. It is an entry of its own, because the previous owner may still write
 * the job: neither of the two undoes what the other has written.
 */
type Owner = Pick<Job, 'process' | 'hands'>;

const OPEN = 'open:';

export const jobKey = (id: string) => `job:${id}`;

/** Marks a job that has not ended in an answer. Listing these keys is how open jobs are found. */
export const openKey = (id: string) => OPEN + id;

/** Exists once the request has ended in an answer. */
export const closedKey = (id: string) => `closed:${id}`;

const ownerKey = (id: string) => `owner:${id}`;

export const findJob = (space: Space, id: string): Promise<Job | undefined> => space.keyv.get<Job>(jobKey(id));

/** Yields the jobs that have not ended in an answer, with their present owners. */
export async function* openJobs(space: Space): AsyncGenerator<Job> {
	for await (const [key] of space.list(OPEN)) {
		const job = await findJob(space, key.slice(OPEN.length));
		if (job) yield { ...job, ...(await space.keyv.get<Owner>(ownerKey(job.id))) };
	}
}

/**
 * Makes a process the owner of a job.
 *
 * @param job as `openJobs` yielded it
 * @returns the job as it is now, or undefined when another process has claimed it first
 */
export async function claimJob(space: Space, job: Job, processId: string): Promise<Job | undefined> {
	const owner: Owner = { process: processId, hands: job.hands + 1 };
	// The key contains the claim count, so of several claims of one owner's job a single one succeeds.
	const once = `claim:${job.id}:${owner.hands}`;
	if ((await space.commit({ once, put: [{ key: ownerKey(job.id), value: owner }] })) !== 'done') return undefined;
	return { ...((await findJob(space, job.id)) ?? job), ...owner };
}
