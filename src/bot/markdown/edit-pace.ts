import type { ChannelLimits } from '../../domain/channel.ts';

/** When the next edit may be sent. Times are milliseconds of a clock that never goes back. */
export type EditPace = {
	/** How long to wait before an edit. The last edit need not keep the distance, and takes the place that is kept for it. */
	wait(now: number, last: boolean): number;
	/** A message was posted or edited. */
	landed(sent: number, now: number): void;
	failed(now: number): void;
	/** How often in a row it has failed. */
	failures(): number;
};

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 8000;

/**
 * Keeps to a channel's pace from the side of the platform: an edit counts from when it was answered, so that no delay on the way
 * brings two windows' edits together. A platform that makes an edit wait is given as long again.
 */
export function createEditPace({ count, perMs }: ChannelLimits['edits']): EditPace {
	/** When the latest edits were answered. */
	let answered: number[] = [];
	let nextPreview = 0;
	let retryAt = 0;
	let failures = 0;
	const apart = perMs / Math.max(1, count - 1);

	function done(now: number): void {
		answered.push(now);
		answered = answered.slice(-count);
	}
	/** When fewer than `places` of them are in the window. */
	const free = (places: number) => (answered.at(-places) ?? Number.NEGATIVE_INFINITY) + perMs;

	return {
		wait(now, last) {
			const at = last ? free(count) : Math.max(free(Math.max(1, count - 1)), nextPreview);
			return Math.max(0, at - now, retryAt - now);
		},
		landed(sent, now) {
			done(now);
			failures = 0;
			nextPreview = Math.max(sent + apart, now + (now - sent));
		},
		failed(now) {
			done(now);
			retryAt = now + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
			failures++;
		},
		failures: () => failures,
	};
}
