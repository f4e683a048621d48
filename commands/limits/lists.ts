import type { Place } from '../../src/domain/place.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';

/** More than any server needs, and few enough to be searched with every request. */
const MAX_ENTRIES = 100;

/**
 * Returns a list of channels or roles with one more; unchanged when the id is undefined or in the list already.
 * @throws SentenceError when the list is full
 */
export function withEntry(ids: readonly string[], id: string | undefined): readonly string[] {
	if (id === undefined || ids.includes(id)) return ids;
	if (ids.length >= MAX_ENTRIES) throw new SentenceError('limits.errors.listFull', { most: MAX_ENTRIES });
	return [...ids, id];
}

/** Returns the channel that an option names. The thread where the command is used counts as its channel. */
export const channelOf = ({ channel, thread }: Place, id: string) => (id === thread ? channel : id);
