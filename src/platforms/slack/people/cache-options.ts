/**
 * People and groups are looked up again after five minutes. Until a new look-up ends, the old value can still be read, and a look-up
 * that was evicted meanwhile still returns its result. A failed look-up is not cached.
 */
export const CACHE_OPTIONS = {
	max: 5000,
	ttl: 5 * 60_000,
	ttlResolution: 0,
	allowStale: true,
	ignoreFetchAbort: true,
} as const;
