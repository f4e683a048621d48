import type { Place } from '../domain/place.ts';
import type { Space } from '../store/store.ts';

/** More than a person can have asked for while nothing could be delivered. */
const MAX_JOBS = 1000;

/** The sentence that ends a request without pictures. */
export type UndeliveredAnswer = {
	text: string;
	/** Whether it has the button **Again**. */
	again: boolean;
};

/** The jobs whose finished pictures, or whose sentence about an error, could not be delivered, by person. `/usage` offers them. */
export class UndeliveredResults {
	readonly #space: Space;
	readonly #ttlMs: number;

	/** @param ttlMs how long they are offered */
	constructor(space: Space, ttlMs: number) {
		this.#space = space;
		this.#ttlMs = ttlMs;
	}

	/** @param answer for a job without pictures; the pictures of any other job are in the picture store */
	async add(place: Place, person: { id: string }, job: string, answer?: UndeliveredAnswer): Promise<void> {
		await this.#space.commit({
			...(answer && { put: [{ key: answerKey(job), value: answer, ttlMs: this.#ttlMs }] }),
			index: [{ index: indexOf(place, person), member: job, ttlMs: this.#ttlMs }],
		});
	}

	jobs(place: Place, person: { id: string }): Promise<string[]> {
		return this.#space.members(indexOf(place, person), { limit: MAX_JOBS });
	}

	/** Returns the answer of each job; undefined for jobs with pictures. */
	async answers(jobs: readonly string[]): Promise<(UndeliveredAnswer | undefined)[]> {
		return jobs.length === 0 ? [] : this.#space.keyv.getMany<UndeliveredAnswer>(jobs.map(answerKey));
	}

	async remove(place: Place, person: { id: string }, job: string): Promise<void> {
		await this.#space.commit({
			remove: [answerKey(job)],
			unindex: [{ index: indexOf(place, person), member: job }],
		});
	}
}

const answerKey = (job: string) => `answer:${job}`;

const indexOf = ({ platform, server }: Place, { id }: { id: string }) => `${platform}/${server}/${id}`;
