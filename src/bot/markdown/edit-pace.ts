import type { ChannelLimits } from '../../domain/channel.ts';

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 8000;

/**
 * Keeps the edits of a message within a channel's rate limit. Times are milliseconds of a monotonic clock.
 *
 * An edit counts from when it was answered, so that network delays cannot bring more edits into the platform's window than it allows.
 * Where the platform delays an edit, the next one waits for as long again.
 */
export class EditPace {
	readonly #limit: ChannelLimits['edits'];
	/** Spreads the edits over the window. */
	readonly #intervalMs: number;
	/** When the latest edits were answered. */
	#answered: number[] = [];
	#nextPreview = 0;
	#retryAt = 0;
	#failures = 0;

	constructor(limit: ChannelLimits['edits']) {
		this.#limit = limit;
		this.#intervalMs = limit.perMs / Math.max(1, limit.count - 1);
	}

	/** The number of failures since the last success. */
	get failures(): number {
		return this.#failures;
	}

	/**
	 * Returns how long to wait before an edit.
	 *
	 * @param last the last edit does not wait for the interval, and may use the place that is reserved for it
	 */
	wait(now: number, last: boolean): number {
		const { count } = this.#limit;
		const at = last ? this.#free(count) : Math.max(this.#free(Math.max(1, count - 1)), this.#nextPreview);
		return Math.max(0, at - now, this.#retryAt - now);
	}

	/** Records that a message was posted or edited. */
	succeeded(sent: number, now: number): void {
		this.#record(now);
		this.#failures = 0;
		this.#nextPreview = Math.max(sent + this.#intervalMs, now + (now - sent));
	}

	failed(now: number): void {
		this.#record(now);
		this.#retryAt = now + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures);
		this.#failures++;
	}

	#record(now: number): void {
		this.#answered.push(now);
		this.#answered = this.#answered.slice(-this.#limit.count);
	}

	/** Returns when fewer than `edits` of them are in the window. */
	#free(edits: number): number {
		return (this.#answered.at(-edits) ?? Number.NEGATIVE_INFINITY) + this.#limit.perMs;
	}
}
