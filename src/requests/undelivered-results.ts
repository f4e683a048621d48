import type { Answer, Job } from '../domain/job.ts';
import type { Place } from '../domain/place.ts';
import type { Store } from '../store/store.ts';
import { jobKey } from '../usage/calls.ts';

/** More than a person can have asked for while nothing could be delivered. */
const MAX_JOBS = 1000;

/** The jobs whose answer could not be posted, by person. `/usage` offers it: their pictures, or else the sentence that ended them. */
export class UndeliveredResults {
	readonly #store: Store;
	readonly #ttlMs: number;

	/** @param ttlMs how long they are offered */
	constructor(store: Store, ttlMs: number) {
		this.#store = store;
		this.#ttlMs = ttlMs;
	}

	async add(place: Place, person: { id: string }, job: string): Promise<void> {
		await this.#index.commit({ index: [{ index: indexOf(place, person), member: job, ttlMs: this.#ttlMs }] });
	}

	ids(place: Place, person: { id: string }): Promise<string[]> {
		return this.#index.members(indexOf(place, person), { limit: MAX_JOBS });
	}

	/** Returns jobs, in the order of their ids; undefined for those that have expired. */
	async jobs(ids: readonly string[]): Promise<(Job | undefined)[]> {
		return ids.length === 0 ? [] : this.#store.space('ledger').keyv.getMany<Job>(ids.map(jobKey));
	}

	/** Returns how many have pictures, and how many a sentence. */
	async count(place: Place, person: { id: string }): Promise<{ pictures: number; answers: number }> {
		const jobs = await this.jobs(await this.ids(place, person));
		const answers = jobs.filter(sentenceOf).length;
		return { pictures: jobs.length - answers, answers };
	}

	async remove(place: Place, person: { id: string }, job: string): Promise<void> {
		await this.#index.commit({ unindex: [{ index: indexOf(place, person), member: job }] });
	}

	get #index() {
		return this.#store.space('waiting');
	}
}

/** Returns the sentence that ended a job; undefined for one that made pictures. */
export const sentenceOf = (job: Job | undefined): Extract<Answer, { kind: 'sentence' }> | undefined =>
	job?.answer?.kind === 'sentence' ? job.answer : undefined;

const indexOf = ({ platform, server }: Place, { id }: { id: string }) => `${platform}/${server}/${id}`;
