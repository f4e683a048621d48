import { LRUCache } from 'lru-cache';
import type { Debit } from '../../domain/receipt.ts';
import type { Change } from '../../store/store.ts';

const DAY_MS = 24 * 3600_000;

/**
 * Time zones differ from UTC by up to 14 hours, a change of the zone lets a day last up to 25 hours longer, and receipts are added up
 * once in a while.
 */
const MARGIN_MS = 3 * DAY_MS;

/**
 * Returns the step of a commit that changes a counter. A counter is kept until its window is over and the receipts of it have been
 * added up.
 */
export function counterStep(
	[key, by]: Debit,
	now: number,
	retentionMs: number,
	atMost?: number,
): NonNullable<Change['add']>[number] {
	const ttlMs = Math.max(DAY_MS, counterExpiry(key, retentionMs) - now);
	return { key, by, ttlMs, ...(atMost !== undefined && { atMost }) };
}

/** Returns until when a counter is kept, in Unix milliseconds. */
export const counterExpiry = (key: string, retentionMs: number): number => windowEndOf(key) + MARGIN_MS + retentionMs;

/** The ends of windows, by their ids. There are few at a time, and every call is taken from several. */
const windowEnds = new LRUCache<string, number>({ max: 1000 });

/** Returns when the window of a counter ends in UTC, in Unix milliseconds. Its key ends in the id of a day or a month; see `serverWindows`. */
function windowEndOf(key: string): number {
	const id = key.slice(key.lastIndexOf(':') + 1);
	const cached = windowEnds.get(id);
	if (cached !== undefined) return cached;
	const [window = ''] = id.split('.');
	const [year = 0, month = 1, day] = window.split('-').map(Number);
	const end = day === undefined ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + 1);
	windowEnds.set(id, end);
	return end;
}
