/** Reproducible chance: the next number from 0 up to, not including, 1. */
export type Random = () => number;

/** FNV-1a over UTF-16 units, 32 bits. http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(text: string): number {
	let value = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
	return value >>> 0;
}

/** Mulberry32. https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function randomOf(seed: string): Random {
	let state = hash(seed);
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

export function between(random: Random, low: number, high: number): number {
	return low + random() * (high - low);
}

export function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
	return items[Math.floor(random() * items.length)] ?? items[0];
}
