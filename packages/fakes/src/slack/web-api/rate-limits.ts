import type { Clock } from '../../clock.ts';

/** A method's limit: calls per minute, or about one message per second in each channel. https://docs.slack.dev/apis/web-api/rate-limits */
export type Tier = 1 | 2 | 3 | 4 | 'messages' | 'many';

const PER_MINUTE = { 1: 1, 2: 20, 3: 50, 4: 100, many: 600 };
const MINUTE_MS = 60_000;

/** Messages that a channel accepts at once. */
const BURST = 5;

/** Counts the calls of each method in each workspace. */
export function createRateLimits(clock: Clock, pace: () => number) {
	const windows = new Map<string, { used: number; endsAt: number }>();
	const buckets = new Map<string, { left: number; at: number }>();

	function inWindow(key: string, count: number): number {
		const now = clock.now();
		const window = windows.get(key);
		if (!window || window.endsAt <= now) {
			windows.set(key, { used: 1, endsAt: now + MINUTE_MS * pace() });
			return 0;
		}
		if (window.used >= count) return window.endsAt - now;
		window.used++;
		return 0;
	}

	function fromBucket(key: string): number {
		const now = clock.now();
		const second = 1000 * pace();
		const bucket = buckets.get(key) ?? { left: BURST, at: now };
		const left = Math.min(BURST, bucket.left + (now - bucket.at) / second);
		const taken = left >= 1;
		buckets.set(key, { left: taken ? left - 1 : left, at: now });
		return taken ? 0 : (1 - left) * second;
	}

	return {
		/** Returns the value of `Retry-After`, in whole seconds; 0 when the call is within the limit. */
		check(method: string, team: string, tier: Tier, channel: string): number {
			const wait =
				tier === 'messages' ? fromBucket(`${team} ${channel}`) : inWindow(`${team} ${method}`, PER_MINUTE[tier]);
			return wait > 0 ? Math.max(1, Math.ceil(wait / 1000)) : 0;
		},
	};
}
