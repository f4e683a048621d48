import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { HomeView } from '../../domain/platform.ts';
import { clip, oneLine } from '../../domain/text.ts';
import { idOfMember, timedMember } from '../../store/pages.ts';
import type { Space } from '../../store/store.ts';

/** The results that a person's own page shows. */
const MAX_RESULTS = 6;

/** Enough of a prompt to recognise it by, in UTF-16 units. */
const MAX_PROMPT = 300;

type RecentResult = HomeView['recent'][number];

/** The latest results of a person in a server, for their own page. Each is an entry of its own, so that concurrent ones are all kept. */
export class RecentResults {
	readonly #space: Space;
	readonly #ttlMs: number;

	/** @param ttlMs how long a result is kept */
	constructor(space: Space, ttlMs: number) {
		this.#space = space;
		this.#ttlMs = ttlMs;
	}

	async add(
		place: Place,
		person: Pick<Person, 'id'>,
		job: string,
		{ handle, prompt, at }: RecentResult,
	): Promise<void> {
		const index = indexOf(place, person);
		const value: RecentResult = { handle, prompt: clip(oneLine(prompt), MAX_PROMPT), at };
		const ttlMs = this.#ttlMs;
		const member = timedMember(at, job);
		const others = (await this.#members(index)).filter((other) => other !== member);
		const kept = [member, ...others.filter((other) => idOfMember(other) !== job)].sort().slice(-MAX_RESULTS);
		if (!kept.includes(member)) return;
		const outdated = others.filter((other) => !kept.includes(other));
		const { remove, unindex } = removal(index, outdated);
		await this.#space.commit({
			remove: remove.filter((key) => key !== keyOf(index, job)),
			put: [{ key: keyOf(index, job), value, ttlMs }],
			index: [{ index, member, ttlMs }],
			unindex,
		});
	}

	/** Returns the results, newest first. */
	async of(place: Place, person: Pick<Person, 'id'>): Promise<RecentResult[]> {
		const index = indexOf(place, person);
		const members = (await this.#members(index)).slice(0, MAX_RESULTS);
		const results = await this.#space.keyv.getMany<RecentResult>(
			members.map((member) => keyOf(index, idOfMember(member))),
		);
		return results.filter((result) => result !== undefined);
	}

	async drop(place: Place, person: Pick<Person, 'id'>, job: string): Promise<void> {
		const index = indexOf(place, person);
		const members = (await this.#members(index)).filter((member) => idOfMember(member) === job);
		await this.#space.commit(removal(index, members));
	}

	/** Returns the members of a person's index, newest first. Some may be left by results that were added at the same time. */
	#members(index: string): Promise<string[]> {
		return this.#space.members(index, { limit: 2 * MAX_RESULTS, descending: true });
	}
}

const indexOf = ({ platform, server }: Place, { id }: Pick<Person, 'id'>) => `${platform}/${server}/${id}`;
const keyOf = (index: string, job: string) => `${index}/${job}`;

const removal = (index: string, members: readonly string[]) => ({
	remove: members.map((member) => keyOf(index, idOfMember(member))),
	unindex: members.map((member) => ({ index, member })),
});
