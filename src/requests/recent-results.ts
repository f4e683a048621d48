import type { Place } from '../domain/place.ts';
import type { HomeView } from '../domain/platform.ts';
import { oneLine } from '../domain/text.ts';
import { Collection, type PersonalCall, personIn, type Storage } from '../store/collection.ts';
import { timeKey } from '../store/pages.ts';
import type { Change } from '../store/store.ts';
import { latestCallsOf } from '../usage/jobs.ts';

/** The results that a person's own page shows. */
const MAX_HOME_RESULTS = 6;

/** Enough of a prompt to recognise it by, in UTF-16 units. */
const MAX_PROMPT = 300;

type RecentResult = HomeView['recent'][number];

/** A result in a person's history. */
export type HistoryEntry = RecentResult & { job: string };

/** A page of a person's history, and the position of the next one where there is one. */
export type HistoryPage = { entries: readonly HistoryEntry[]; next: string | undefined };

/** The results of a person in a server, for their own page and their history. They are found by the index of the person's calls. */
export const recentResults = new Collection<RecentResult, PersonalCall>('recent/', {
	owner: 'person',
	holds: 'prompt and message of a result',
	lifetime: 'retention',
	key: ({ platform, server, person, id }) => `${platform}/${server}/${person}/${id}`,
	erasure: 'deleted',
	group: 'prompts',
	ofCall: (call) => call,
	peopleOf: (key) => [personIn(key.split('/').slice(0, 3).join('/'), '/')],
});

const idOf = ({ platform, server }: Place, { id: person }: { id: string }, job = '') => {
	return { platform, server, person, id: job };
};

/** Returns the change that adds a result to those of a person. */
export const addingRecentResult = (
	easel: Storage,
	place: Place,
	person: { id: string },
	job: string,
	{ handle, prompt, at }: RecentResult,
): Change => ({
	put: [recentResults.put(easel, idOf(place, person, job), { handle, prompt: oneLine(prompt, MAX_PROMPT), at })],
});

/** Returns the latest results, newest first. */
export async function latestResults(easel: Storage, place: Place, person: { id: string }) {
	return (await recentResultsPage(easel, place, person, MAX_HOME_RESULTS)).entries;
}

/**
 * Returns results, newest first.
 * @param from `next` of the page before
 */
export async function recentResultsPage(
	easel: Storage,
	place: Place,
	person: { id: string },
	limit: number,
	from?: string,
): Promise<HistoryPage> {
	const after = timeKey(Date.now() - easel.retentionMs);
	const entries: HistoryEntry[] = [];
	let last: string | undefined;
	for await (const calls of latestCallsOf(easel.store.space('ledger'), place, person.id, { after, before: from })) {
		const ids = calls.map(({ id }) => idOf(place, person, id));
		const results = await recentResults.getMany(easel, ids);
		for (const [index, { id: job, position }] of calls.entries()) {
			const result = results[index];
			if (!result) continue;
			if (entries.length === limit) return { entries, next: last };
			entries.push({ ...result, job });
			last = position;
		}
	}
	return { entries, next: undefined };
}

export const findRecentResult = (easel: Storage, place: Place, person: { id: string }, job: string) =>
	recentResults.get(easel, idOf(place, person, job));

export const dropRecentResult = (easel: Storage, place: Place, person: { id: string }, job: string) =>
	recentResults.delete(easel, idOf(place, person, job));
