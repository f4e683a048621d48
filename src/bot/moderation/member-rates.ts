import { LRUCache } from 'lru-cache';

/** The number of members whose last requests are remembered. */
const MAX_MEMBERS = 10_000;

/** So many requests within so many seconds. */
export type Rate = { count: number; seconds: number };

/**
 * Limits how often each member does something: cooldowns, and free requests that cost the operator something. Neither protects a cap, so
 * each process has its own.
 */
export class MemberRates {
	/** When a member has used up nothing of a rate, in Unix milliseconds: each request takes its share of the time. */
	readonly #freeAt = new LRUCache<string, number>({ maxSize: MAX_MEMBERS, sizeCalculation: () => 1 });
	readonly #now: () => number;

	/** @param now returns Unix milliseconds */
	constructor(now: () => number) {
		this.#now = now;
	}

	/** Returns how many seconds a member has to wait; 0 when they need not. @param member names what is limited, and for whom */
	wait(member: string, { count, seconds }: Rate): number {
		const shareMs = (seconds * 1000) / count;
		const waitMs = (this.#freeAt.peek(member) ?? 0) + shareMs - seconds * 1000 - this.#now();
		return seconds === 0 ? 0 : Math.max(0, Math.ceil(waitMs / 1000));
	}

	/** Takes one request of the rate, unless the member has to wait; see `wait`. */
	take(member: string, rate: Rate): number {
		const waitSeconds = this.wait(member, rate);
		if (waitSeconds > 0 || rate.seconds === 0) return waitSeconds;
		const from = Math.max(this.#now(), this.#freeAt.peek(member) ?? 0);
		this.#freeAt.set(member, from + (rate.seconds * 1000) / rate.count);
		return 0;
	}
}
