import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { HomeView } from '../../domain/platform.ts';
import { clip, oneLine } from '../../domain/text.ts';
import type { Space } from '../../store/store.ts';

/** The results that a person's own page shows. */
const MAX_RESULTS = 6;

const TTL_MS = 30 * 24 * 3600_000;

/** Enough of a prompt to recognise it by, in UTF-16 units. */
const MAX_PROMPT = 300;

type RecentResult = HomeView['recent'][number];

/** The latest results of a person in a server, for their own page. Each is an entry of its own, so that concurrent ones are all kept. */
export class RecentResults {
	readonly #space: Space;

	constructor(space: Space) {
		this.#space = space;
	}

	async add(
		place: Place,
		person: Pick<Person, 'id'>,
		job: string,
		{ handle, prompt, at }: RecentResult,
	): Promise<void> {
		const prefix = prefixOf(place, person);
		const result: RecentResult = { handle, prompt: clip(oneLine(prompt), MAX_PROMPT), at };
		await this.#space.keyv.set(prefix + job, result, TTL_MS);
		for (const [key] of (await this.#list(prefix)).slice(MAX_RESULTS)) await this.#space.keyv.delete(key);
	}

	/** Returns the results, newest first. */
	async of(place: Place, person: Pick<Person, 'id'>): Promise<RecentResult[]> {
		return (await this.#list(prefixOf(place, person))).slice(0, MAX_RESULTS).map(([, result]) => result);
	}

	async drop(place: Place, person: Pick<Person, 'id'>, job: string): Promise<void> {
		await this.#space.keyv.delete(prefixOf(place, person) + job);
	}

	/** Newest first; by key where two are equally old. */
	async #list(prefix: string): Promise<[key: string, result: RecentResult][]> {
		const entries = await Array.fromAsync(this.#space.list(prefix) as AsyncIterable<[string, RecentResult]>);
		return entries.toSorted(([a, { at: one }], [b, { at: other }]) => other - one || (a < b ? 1 : -1));
	}
}

const prefixOf = ({ platform, server }: Place, { id }: Pick<Person, 'id'>) => `${platform}/${server}/${id}/`;
