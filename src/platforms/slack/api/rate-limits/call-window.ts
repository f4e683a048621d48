/** A sliding window: takes at most `limit` calls in any `periodMs`, all at once if need be. All times are milliseconds of one clock. */
export class CallWindow {
	readonly #periodMs: number;
	readonly #limit: number;
	/** When the last calls were made, the oldest first. */
	readonly #times: number[] = [];
	#blockedUntil = 0;

	constructor(periodMs: number, limit: number) {
		this.#periodMs = periodMs;
		this.#limit = limit;
	}

	/** Returns the time at which the next call may be made; in the past when it may be made at once. */
	freeAt(): number {
		const oldest = this.#times.at(-this.#limit);
		return Math.max(this.#blockedUntil, oldest === undefined ? 0 : oldest + this.#periodMs);
	}

	/** Counts a call that is made at that time. */
	take(at: number): void {
		this.#times.push(at);
		// Not with every call, because the others have to move.
		if (this.#times.length >= 2 * this.#limit) this.#times.splice(0, this.#times.length - this.#limit);
	}

	/** Returns how many calls could be made at once. */
	available(now: number): number {
		if (this.#blockedUntil > now) return 0;
		return Math.max(0, this.#limit - this.#times.filter((at) => at > now - this.#periodMs).length);
	}

	/** Takes no call before that time. */
	fillUntil(at: number): void {
		this.#blockedUntil = Math.max(this.#blockedUntil, at);
	}
}
