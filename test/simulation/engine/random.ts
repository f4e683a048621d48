/** A repeatable source of random numbers: the same seed gives the same sequence. */
export type Random = {
	/** Returns a number of at least 0 and less than 1. */
	next(): number;
	/** Returns a whole number from `low` to `high`, both included. */
	between(low: number, high: number): number;
	/** Returns true with a probability of `share`. */
	chance(share: number): boolean;
	pick<Item>(items: readonly Item[]): Item;
	/** Returns an independent sequence, so that the draws of one part do not affect those of another. */
	fork(name: string): Random;
};

/** FNV-1a hashes the seed, and mulberry32 makes the numbers: small, and good enough to choose faults. */
export function createRandom(seed: string): Random {
	let state = 0x811c9dc5;
	for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) as number), 0x01000193);

	function next(): number {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
	return {
		next,
		between,
		chance: (share) => next() < share,
		pick<Item>(items: readonly Item[]): Item {
			if (items.length === 0) throw new RangeError('An empty list has no item to pick.');
			return items[between(0, items.length - 1)] as Item;
		},
		fork: (name) => createRandom(`${seed}/${name}`),
	};
}
