import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Space } from '../../store/store.ts';

/** The jobs whose finished pictures could not be delivered, by person. `/usage` offers them. */
export class UndeliveredResults {
	readonly #space: Space;

	constructor(space: Space) {
		this.#space = space;
	}

	async add(place: Place, person: Pick<Person, 'id'>, job: string): Promise<void> {
		await this.#space.keyv.set(prefixOf(place, person) + job, true);
	}

	async jobs(place: Place, person: Pick<Person, 'id'>): Promise<string[]> {
		const prefix = prefixOf(place, person);
		const jobs: string[] = [];
		for await (const [key] of this.#space.list(prefix)) jobs.push(key.slice(prefix.length));
		return jobs.sort();
	}

	async remove(place: Place, person: Pick<Person, 'id'>, job: string): Promise<void> {
		await this.#space.keyv.delete(prefixOf(place, person) + job);
	}
}

const prefixOf = ({ platform, server }: Place, { id }: Pick<Person, 'id'>) => `${platform}/${server}/${id}/`;
