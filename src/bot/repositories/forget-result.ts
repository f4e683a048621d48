import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { BotServices } from '../services.ts';

/** Deletes what is kept of a result: its request, its pictures and its mentions in lists. The call stays counted. */
export async function forgetResult(
	services: BotServices,
	job: string,
	{ place, person }: { place: Place; person: Pick<Person, 'id'> },
): Promise<void> {
	await services.requests.forget(job);
	await services.recentResults.drop(place, person, job);
	await services.resultSearch.drop(place, job);
	await services.undeliveredResults.remove(place, person, job);
	await services.pictureStore.forget(job);
}
