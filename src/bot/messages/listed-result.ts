import type { Post } from '../../domain/channel.ts';
import type { Place } from '../../domain/place.ts';
import type { HistoryEntry } from '../repositories/recent-results.ts';

/** A result in a list, with the address of its message where it has one, and its pictures where they can be read. */
export type ListedResult = Pick<HistoryEntry, 'job' | 'prompt' | 'at'> & {
	link?: string | undefined;
	place?: Place;
	pictures?: Post['pictures'] | undefined;
};
