import { isFileName } from '../files.ts';
import { KINDS } from '../kinds.ts';
import { isIndexText } from '../store.ts';
import type { BackupContent } from './backup-format.ts';

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

/** Tells whether a record has a place in a store. Nothing else of a file becomes the name of a folder, a file, an object or a key. */
export function isKnown(record: BackupContent): boolean {
	const { space } = record;
	if (!ALL_SPACES.includes(space)) return false;
	if (record.kind === 'entry') return record.key.isWellFormed();
	if (record.kind === 'members') return [record.index, ...record.members.map(([member]) => member)].every(isIndexText);
	const isOfKind = KINDS[space]?.files?.some(({ prefix }) => record.name.startsWith(prefix)) ?? false;
	return isBackedUpSpace(space) && isOfKind && isFileName(record.name);
}

/** Splits a key that begins with its space and a colon. */
export function splitKey(stored: string): { space: string; key: string } {
	const colon = stored.indexOf(':');
	return { space: stored.slice(0, colon), key: stored.slice(colon + 1) };
}
