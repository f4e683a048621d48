import type { Place } from '../domain/place.ts';
import type { HomeView } from '../domain/platform.ts';
import { oneLine } from '../domain/text.ts';
import { Collection, personIn, type Storage } from '../store/collection.ts';
import { idOfMember, timedMember, timeKey } from '../store/pages.ts';
import type { Change } from '../store/store.ts';

/** The results that a person's own page shows. */
const MAX_HOME_RESULTS = 6;

/** Enough of a prompt to recognise it by, in UTF-16 units. */
const MAX_PROMPT = 300;

type RecentResult = HomeView['recent'][number];

/** A result in a person's history. */
export type HistoryEntry = RecentResult & { job: string };

/** A page of a person's history, and the position of the next one where there is one. */
export type HistoryPage = { entries: readonly HistoryEntry[]; next: string | undefined };

type Requester = { platform: string; server: string; person: string };

/** The results of a person in a server, for their own page and their history. Its indexes are the people's. */
export const recentResults = new Collection<RecentResult, Requester & { id: string }>('recent/', {
	owner: 'person',
	holds: 'prompt and message of a result',
	lifetime: 'retention',
	key: ({ id, ...requester }) => `${indexOf(requester)}/${id}`,
	indexed(key, { at }) {
		const [platform = '', server = '', person = '', ...job] = key.split('/');
		return [{ index: indexOf({ platform, server, person }), member: timedMember(at, job.join('/')) }];
	},
	erasure: 'deleted',
	group: 'prompts',
	ofCall: (call) => call,
	peopleOf: (key) => [personIn(key.split('/').slice(0, 3).join('/'), '/')],
});

const indexOf = ({ platform, server, person }: Requester) => `${platform}/${server}/${person}`;

const idOf = ({ platform, server }: Place, { id: person }: { id: string }, job = '') => {
	return { platform, server, person, id: job };
};

/** Returns the change that adds a result to those of a person. */
export async function addingRecentResult(
	easel: Storage,
	place: Place,
	person: { id: string },
	job: string,
	{ handle, prompt, at }: RecentResult,
): Promise<Change> {
	const id = idOf(place, person, job);
	const result = { handle, prompt: oneLine(prompt, MAX_PROMPT), at };
	const space = recentResults.in(easel);
	const change = recentResults.replacing(easel, id, result, await recentResults.get(space, id));
	const from = timeKey(Date.now() - easel.retentionMs);
	return { ...change, index: change.index.map((each) => ({ ...each, from })) };
}

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
	const space = recentResults.in(easel);
	const index = indexOf(idOf(place, person));
	const members = await space.members(index, { descending: true, before: from, limit: limit + 1 });
	const jobs = members.slice(0, limit).map(idOfMember);
	const results = await recentResults.getMany(
		space,
		jobs.map((job) => idOf(place, person, job)),
	);
	return {
		entries: jobs.flatMap((job, position) => (results[position] ? { ...results[position], job } : [])),
		next: members.length > limit ? members[limit - 1] : undefined,
	};
}

export const findRecentResult = (easel: Storage, place: Place, person: { id: string }, job: string) =>
	recentResults.get(easel, idOf(place, person, job));

export async function dropRecentResult(easel: Storage, place: Place, person: { id: string }, job: string) {
	const id = idOf(place, person, job);
	const space = recentResults.in(easel);
	const result = await recentResults.get(space, id);
	if (result) await space.commit(recentResults.removal(recentResults.key(id), result));
}
