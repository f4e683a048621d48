import { KINDS } from '../kinds.ts';

/**
 * Spaces that are not backed up: facts about the service, which are found again; objects of a bucket and small files, which are
 * backed up as files; the store's own health and backups.
 */
const OTHER_SPACES: ReadonlySet<string> = new Set(['service', 'files', 'small-files', 'health', 'backups', 'restore']);

/** All spaces that may be in a store. */
export const ALL_SPACES: readonly string[] = [...new Set([...Object.keys(KINDS), ...OTHER_SPACES])];

export const isBackedUpSpace = (space: string): boolean => !OTHER_SPACES.has(space);

/** Tells whether an entry is backed up. A lease belongs to a process, which does not run on another store. */
export function isBackedUp(space: string, key: string): boolean {
	if (!isBackedUpSpace(space)) return false;
	return KINDS[space]?.entries.find(({ prefix }) => key.startsWith(prefix))?.owner !== 'process';
}

/** Splits a key that begins with its space and a colon. */
export function splitKey(stored: string): { space: string; key: string } {
	const colon = stored.indexOf(':');
	return { space: stored.slice(0, colon), key: stored.slice(colon + 1) };
}
