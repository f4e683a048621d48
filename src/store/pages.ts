import { setImmediate } from 'node:timers/promises';
import type { IndexPage, Space } from './store.ts';

/** The number of members that are read from an index at once. Their entries, which may be long, follow at once too. */
const MEMBERS_PER_PAGE = 100;

/** Yields the members of an index page by page, in the order of their bytes. Members that are removed meanwhile do not disturb it. */
export async function* pagesOf(
	space: Space,
	index: string,
	bounds: Omit<IndexPage, 'limit' | 'descending'> = {},
): AsyncGenerator<string[]> {
	const pause = createPauses();
	let { after } = bounds;
	for (;;) {
		const page = await space.members(index, { ...bounds, after, limit: MEMBERS_PER_PAGE });
		if (page.length > 0) yield page;
		if (page.length < MEMBERS_PER_PAGE) return;
		after = page.at(-1);
		await pause();
	}
}

/** Yields every member of an index; see `pagesOf`. */
export async function* membersOf(...args: Parameters<typeof pagesOf>): AsyncGenerator<string> {
	for await (const page of pagesOf(...args)) yield* page;
}

/** As many base 36 digits as a time of the next thousand years has. */
const TIME_DIGITS = 9;

/** Formats a time so that the order of the texts is that of the times. @param at Unix milliseconds */
export const timeKey = (at: number): string => Math.max(0, Math.trunc(at)).toString(36).padStart(TIME_DIGITS, '0');

/** Returns a member that is ordered by time. @param at Unix milliseconds */
export const timedMember = (at: number, id: string): string => `${timeKey(at)}:${id}`;

/** Returns the time in a member that `timedMember` has made, in Unix milliseconds. */
export const timeOfMember = (member: string): number => Number.parseInt(member.slice(0, member.indexOf(':')), 36);

/** Returns the id in a member that `timedMember` has made. */
export const idOfMember = (member: string): string => member.slice(member.indexOf(':') + 1);

/** The longest time that a long read holds the event loop, in milliseconds. */
const HELD_MS = 5;

/** Returns what a long read awaits after each of its steps, so that other work goes on in between. */
export function createPauses(): () => Promise<void> | undefined {
	let since = performance.now();
	return () => {
		if (performance.now() - since < HELD_MS) return undefined;
		return setImmediate().then(() => {
			since = performance.now();
		});
	};
}

/** Yields the entries with these keys that exist, without holding the event loop. */
export async function* entriesAt(
	{ keyv }: Space,
	keys: readonly string[],
): AsyncGenerator<[key: string, value: unknown]> {
	const pause = createPauses();
	for (let start = 0; start < keys.length; start += MEMBERS_PER_PAGE) {
		const page = keys.slice(start, start + MEMBERS_PER_PAGE);
		const values = await keyv.getMany<unknown>(page);
		for (const [index, key] of page.entries()) if (values[index] !== undefined) yield [key, values[index]];
		await pause();
	}
}

/**
 * Creates a function that returns true for the first caller with a key within `ttlMs`, among all processes on this store, and
 * false for every other one. The entry expires after that time. The function rejects with `StoreError` when the store cannot
 * answer.
 */
export function createOnce({ commit }: Space) {
	return async (key: string, ttlMs: number): Promise<boolean> =>
		(await commit({ once: key, put: [{ key, value: true, ttlMs }] })) === 'done';
}
