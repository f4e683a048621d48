import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Space } from '../../store/store.ts';

/** More than a person can have asked for while nothing could be delivered. */
const MAX_JOBS = 1000;

/** The jobs whose finished pictures could not be delivered, by person. `/usage` offers them. */
export class UndeliveredResults {
	readonly #space: Space;
	readonly #ttlMs: number;

	/** @param ttlMs how long they are offered */
	constructor(space: Space, ttlMs: number) {
		this.#space = space;
		this.#ttlMs = ttlMs;
	}

	async add(place: Place, person: Pick<Person, 'id'>, job: string): Promise<void> {
		await this.#space.commit({ index: [{ index: indexOf(place, person), member: job, ttlMs: this.#ttlMs }] });
	}

	jobs(place: Place, person: Pick<Person, 'id'>): Promise<string[]> {
		return this.#space.members(indexOf(place, person), { limit: MAX_JOBS });
	}

	async remove(place: Place, person: Pick<Person, 'id'>, job: string): Promise<void> {
		await this.#space.commit({ unindex: [{ index: indexOf(place, person), member: job }] });
	}
}

const indexOf = ({ platform, server }: Place, { id }: Pick<Person, 'id'>) => `${platform}/${server}/${id}`;
