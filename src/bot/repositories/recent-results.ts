import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { HomeView } from '../../domain/platform.ts';
import { clip, oneLine } from '../../domain/text.ts';
import type { Space } from '../../store/store.ts';

/** As many as are seen at a glance. */
const MOST = 6;

const KEPT_MS = 30 * 24 * 3600_000;

/** Enough of a prompt to recognise it by. */
const MAX_PROMPT = 300;

type Result = HomeView['recent'][number];
type Whose = [place: Place, person: Pick<Person, 'id'>];

/** The last pictures that somebody got in a server, for their own page. */
export type RecentResults = {
	add(...args: [...Whose, job: string, result: Result]): Promise<void>;
	/** The latest first. */
	of(...whose: Whose): Promise<Result[]>;
	drop(...args: [...Whose, job: string]): Promise<void>;
};

/** Each result is an entry of its own, so that two at once are both there. */
export function createRecentResults(space: Space): RecentResults {
	const prefix = ({ platform, server }: Place, { id }: Pick<Person, 'id'>) => `${platform}/${server}/${id}/`;

	async function all(start: string): Promise<[key: string, result: Result][]> {
		const found = await Array.fromAsync(space.list(start) as AsyncIterable<[string, Result]>);
		return found.toSorted(([a, { at: one }], [b, { at: other }]) => other - one || (a < b ? 1 : -1));
	}

	return {
		async add(place, person, job, { handle, prompt, at }) {
			const start = prefix(place, person);
			const result: Result = { handle, prompt: clip(oneLine(prompt), MAX_PROMPT), at };
			await space.keyv.set(start + job, result, KEPT_MS);
			for (const [key] of (await all(start)).slice(MOST)) await space.keyv.delete(key);
		},
		async of(place, person) {
			return (await all(prefix(place, person))).slice(0, MOST).map(([, result]) => result);
		},
		async drop(place, person, job) {
			await space.keyv.delete(prefix(place, person) + job);
		},
	};
}
