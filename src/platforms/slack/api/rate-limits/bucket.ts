/**
 * A leaky bucket: takes `burst` calls at once, then one every `intervalMs`. All times are milliseconds of one clock.
 * https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
 */
export class Bucket {
	readonly #intervalMs: number;
	readonly #burst: number;
	#emptyAt = 0;

	constructor(intervalMs: number, burst: number) {
		this.#intervalMs = intervalMs;
		this.#burst = burst;
	}

	/** Returns the time at which the next call may be made; in the past when it may be made at once. */
	freeAt(): number {
		return this.#emptyAt - this.#intervalMs * (this.#burst - 1);
	}

	/** Counts a call that is made at that time. */
	take(at: number): void {
		this.#emptyAt = Math.max(this.#emptyAt, at) + this.#intervalMs;
	}

	/** Returns how many calls could be made at once. */
	available(now: number): number {
		const fullMs = this.#emptyAt - now;
		return fullMs <= 0 ? this.#burst : Math.max(0, Math.floor(this.#burst - fullMs / this.#intervalMs));
	}

	/** Takes no call before that time, and then one after another, without a burst. */
	fillUntil(at: number): void {
		this.#emptyAt = Math.max(this.#emptyAt, at + this.#intervalMs * (this.#burst - 1));
	}
}
