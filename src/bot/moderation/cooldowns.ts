import { LRUCache } from 'lru-cache';
import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';

/** The number of members whose last request is remembered. */
const MAX_MEMBERS = 10_000;

/** Spaces out the requests of each member. A cooldown protects no money, so each process has its own. */
export class Cooldowns {
	/** Unix milliseconds of the last request. */
	readonly #last = new LRUCache<string, number>({ maxSize: MAX_MEMBERS, sizeCalculation: () => 1 });
	readonly #now: () => number;

	/** @param now returns Unix milliseconds */
	constructor(now: () => number) {
		this.#now = now;
	}

	/** Returns how many seconds a member has to wait; 0 starts their next cooldown. */
	start({ platform, server }: Place, { id }: Pick<Person, 'id'>, seconds: number): number {
		if (seconds === 0) return 0;
		const key = `${platform}:${server}:${id}`;
		const now = this.#now();
		const waitMs = (this.#last.peek(key) ?? Number.NEGATIVE_INFINITY) + seconds * 1000 - now;
		if (waitMs > 0) return Math.ceil(waitMs / 1000);
		this.#last.set(key, now);
		return 0;
	}
}
