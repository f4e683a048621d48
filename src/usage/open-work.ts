import type { Job } from '../domain/job.ts';
import type { Space } from '../store/store.ts';
import { jobKey, OPEN_JOBS } from './jobs.ts';

/** Requests that have not ended in an answer, in all processes. `oldestAt` is in Unix milliseconds. */
export type OpenWork = { count: number; oldestAt?: number };

/** So many are counted. There are only calls under way, and those of processes that are gone. */
const MAX_COUNTED = 1000;

/** Counts the open jobs, up to `MAX_COUNTED`. */
export async function openWork(space: Space): Promise<OpenWork> {
	const ids = await space.members(OPEN_JOBS, { limit: MAX_COUNTED });
	if (ids.length === 0) return { count: 0 };
	const jobs = await space.keyv.getMany<Job>(ids.map(jobKey));
	const times = jobs.flatMap((job) => (job ? [job.at] : []));
	return { count: times.length, ...(times.length > 0 && { oldestAt: Math.min(...times) }) };
}
