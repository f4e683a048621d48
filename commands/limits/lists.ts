import type { Place } from '../../src/domain/place.ts';
import { SentenceError } from '../../src/i18n/sentence-error.ts';

/** More than any server needs, and few enough to be looked through with every request. */
const MOST = 100;

/** A list of channels or roles with one more; as it is when that is on it, or undefined. Throws a sentence when it is full. */
export function withOne(ids: readonly string[], id: string | undefined): readonly string[] {
	if (id === undefined || ids.includes(id)) return ids;
	if (ids.length >= MOST) throw new SentenceError('limits.errors.listFull', { most: MOST });
	return [...ids, id];
}

/** The channel that is meant by one or by the thread that is asked in: threads count as their channel. */
export const channelOf = ({ channel, thread }: Place, named: string) => (named === thread ? channel : named);
