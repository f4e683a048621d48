import type { Place } from '../../domain/place.ts';
import type { HomeView } from '../../domain/platform.ts';
import { oneLine } from '../../domain/text.ts';
import { idOfMember, pruneIndex, timedMember } from '../../store/pages.ts';
import type { Space } from '../../store/store.ts';

/** The results that a person's own page shows. */
const MAX_HOME_RESULTS = 6;

/** Enough of a prompt to recognise it by, in UTF-16 units. */
const MAX_PROMPT = 300;

type RecentResult = HomeView['recent'][number];

/** A result in a person's history. */
export type HistoryEntry = RecentResult & { job: string };

/** A page of a person's history, and the position of the next one where there is one. */
export type HistoryPage = { entries: readonly HistoryEntry[]; next: string | undefined };

/** The results of a person in a server, for their own page and their history. */
export class RecentResults {
	readonly #space: Space;
	readonly #ttlMs: number;

	/** @param ttlMs how long a result is kept */
	constructor(space: Space, ttlMs: number) {
		this.#space = space;
		this.#ttlMs = ttlMs;
	}

	async add(place: Place, person: { id: string }, job: string, { handle, prompt, at }: RecentResult): Promise<void> {
		const index = indexOf(place, person);
		const key = keyOf(index, job);
		const value: RecentResult = { handle, prompt: oneLine(prompt, MAX_PROMPT), at };
		const ttlMs = this.#ttlMs;
		const before = await this.#space.keyv.get<RecentResult>(key);
		const outdated = before && before.at !== at ? [timedMember(before.at, job)] : [];
		const adding = this.#space.commit({
			put: [{ key, value, ttlMs }],
			index: [{ index, member: timedMember(at, job), ttlMs }],
			unindex: outdated.map((member) => ({ index, member })),
		});
		await Promise.all([adding, pruneIndex(this.#space, index, Date.now() - ttlMs)]);
	}

	/** Returns the latest results, newest first. */
	async of(place: Place, person: { id: string }): Promise<readonly RecentResult[]> {
		return (await this.page(place, person, MAX_HOME_RESULTS)).entries;
	}

	/**
	 * Returns results, newest first.
	 * @param from `next` of the page before
	 */
	async page(place: Place, person: { id: string }, limit: number, from?: string): Promise<HistoryPage> {
		const index = indexOf(place, person);
		const members = await this.#space.members(index, { descending: true, before: from, limit: limit + 1 });
		const jobs = members.slice(0, limit).map(idOfMember);
		const results =
			jobs.length === 0 ? [] : await this.#space.keyv.getMany<RecentResult>(jobs.map((job) => keyOf(index, job)));
		return {
			entries: jobs.flatMap((job, position) => (results[position] ? { ...results[position], job } : [])),
			next: members.length > limit ? members[limit - 1] : undefined,
		};
	}

	find(place: Place, person: { id: string }, job: string): Promise<RecentResult | undefined> {
		return this.#space.keyv.get<RecentResult>(keyOf(indexOf(place, person), job));
	}

	async drop(place: Place, person: { id: string }, job: string): Promise<void> {
		const index = indexOf(place, person);
		const result = await this.find(place, person, job);
		if (!result) return;
		await this.#space.commit({
			remove: [keyOf(index, job)],
			unindex: [{ index, member: timedMember(result.at, job) }],
		});
	}
}

const indexOf = ({ platform, server }: Place, { id }: { id: string }) => `${platform}/${server}/${id}`;
const keyOf = (index: string, job: string) => `${index}/${job}`;
