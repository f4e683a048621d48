import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Space } from '../../store/store.ts';

/** Which finished pictures could not be posted, so that their people can collect them. */
export type UndeliveredResults = {
	add(place: Place, person: Pick<Person, 'id'>, job: string): Promise<void>;
	jobs(place: Place, person: Pick<Person, 'id'>): Promise<string[]>;
	remove(place: Place, person: Pick<Person, 'id'>, job: string): Promise<void>;
};

export function createUndeliveredResults(space: Space): UndeliveredResults {
	const prefix = ({ platform, server }: Place, person: Pick<Person, 'id'>) => `${platform}/${server}/${person.id}/`;
	return {
		async add(place, person, job) {
			await space.keyv.set(prefix(place, person) + job, true);
		},
		async jobs(place, person) {
			const start = prefix(place, person);
			const jobs: string[] = [];
			for await (const [key] of space.list(start)) jobs.push(key.slice(start.length));
			return jobs.sort();
		},
		async remove(place, person, job) {
			await space.keyv.delete(prefix(place, person) + job);
		},
	};
}
