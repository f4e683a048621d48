/** Where numbers are counted: the calls of a month, the balance, repeated requests. Each rejects when it cannot be reached. */
export type Counters = {
	get(key: string): Promise<number | undefined>;
	/**
	 * Adds to a number in one step.
	 * @returns false when the number would become more than `atMost`; nothing is added then
	 */
	add(key: string, by: number, limits?: { atMost?: number | undefined; ttlMs?: number | undefined }): Promise<boolean>;
};

/** Counts in the memory of this process. */
export function memoryCounters(): Counters {
	const counts = new Map<string, { value: number; until: number }>();
	const countOf = (key: string) => {
		const count = counts.get(key);
		return count && Date.now() < count.until ? count.value : undefined;
	};
	return {
		get: async (key) => countOf(key),
		async add(key, by, { atMost = Number.POSITIVE_INFINITY, ttlMs = Number.POSITIVE_INFINITY } = {}) {
			const value = (countOf(key) ?? 0) + by;
			if (value > atMost) return false;
			counts.set(key, { value, until: Date.now() + ttlMs });
			return true;
		},
	};
}
