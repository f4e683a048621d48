import { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';

/** Calls a minute of each method in a workspace, by its tier; 50 for others. https://docs.slack.dev/apis/web-api/rate-limits#web */
const PER_MINUTE: Readonly<Record<string, number>> = {
	...{ 'views.open': 100, 'views.publish': 100, 'users.info': 100, 'chat.postEphemeral': 100 },
	...{ 'files.getUploadURLExternal': 100, 'files.completeUploadExternal': 100, 'files.info': 100 },
	// “Several hundred messages per minute” in a workspace.
	...{ 'chat.postMessage': 300, 'assistant.threads.setStatus': 600 },
};

/**
 * The methods with one call a minute in apps that many workspaces install and the Marketplace does not list.
 * https://docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps
 */
const UNLISTED: ReadonlySet<string> = new Set(['conversations.history', 'conversations.replies']);

/**
 * The share of a minute's calls that may come at once; more for methods that people wait for in bursts. The others are spread over the
 * minute, so that both stay within the limit.
 */
const burstOf = (method: string): number => {
	if (/^(?:users\.info|chat\.postEphemeral|views\.open)$/.test(method)) return 9 / 10;
	return method.startsWith('files.') && method !== 'files.delete' ? 1 / 2 : 1 / 5;
};

/** “Generally, 1 per second per channel”, with short bursts: the same page. */
const POST_INTERVAL_MS = 1000;
const POST_BURST = 3;
const MINUTE_MS = 60_000;

/** `busyUntil` is when all calls so far would have been made at the regular pace, by a monotonic clock. */
type Bucket = { stepMs: number; burst: number; busyUntil: number };

/**
 * Spaces calls so that Slack need not refuse them: each waits for its turn, in the order of the calls.
 * https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
 */
export class Pace {
	readonly #options: { factor?: number | undefined; isUnlisted?: boolean };
	readonly #buckets = new LRUCache<string, Bucket>({ max: 20_000 });

	/** @param options.factor of Slack's periods, for tests */
	constructor(options: { factor?: number | undefined; isUnlisted?: boolean } = {}) {
		this.#options = options;
	}

	/**
	 * Resolves when a method may be called, and a message be posted in the channel, with the milliseconds that this took.
	 *
	 * @throws WebAPIRateLimitedError at once, when that would take longer than `maxWaitMs`
	 */
	async turn(server: string, method: string, channel?: string, maxWaitMs = Number.POSITIVE_INFINITY): Promise<number> {
		const now = performance.now();
		const waitMs = this.waitMs(server, method, channel);
		if (waitMs > maxWaitMs) throw new webApi.WebAPIRateLimitedError(Math.ceil(waitMs / 1000));
		for (const bucket of this.#bucketsOf(server, method, channel))
			bucket.busyUntil = Math.max(bucket.busyUntil, now + waitMs) + bucket.stepMs;
		if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(waitMs)));
		return waitMs;
	}

	/** Returns the milliseconds that `turn` would take now. */
	waitMs(server: string, method: string, channel?: string): number {
		const now = performance.now();
		const waits = this.#bucketsOf(server, method, channel).map(
			({ busyUntil, stepMs, burst }) => busyUntil - stepMs * (burst - 1) - now,
		);
		return Math.max(0, ...waits);
	}

	/** Makes no call for some time, as Slack has said (429), and then one after another: in the channel, or of the method. */
	block(server: string, method: string, channel: string | undefined, ms: number): void {
		const bucket = channel === undefined ? this.#method(server, method) : this.#channel(server, channel);
		bucket.busyUntil = Math.max(bucket.busyUntil, performance.now() + ms + bucket.stepMs * (bucket.burst - 1));
	}

	/** Tells whether at least half of the calls that may come at once are left. */
	isFree(server: string, method: string): boolean {
		const { busyUntil, stepMs, burst } = this.#method(server, method);
		return busyUntil - performance.now() < (stepMs * burst) / 2;
	}

	#bucketsOf(server: string, method: string, channel: string | undefined): Bucket[] {
		const bucket = this.#method(server, method);
		return channel === undefined ? [bucket] : [bucket, this.#channel(server, channel)];
	}

	#method(server: string, method: string): Bucket {
		const perMinute = this.#options.isUnlisted && UNLISTED.has(method) ? 1 : (PER_MINUTE[method] ?? 50);
		const burst = Math.max(1, Math.floor(perMinute * burstOf(method)));
		return this.#bucket(`${server}:${method}`, MINUTE_MS / Math.max(1, perMinute - burst), burst);
	}

	#channel = (server: string, channel: string) => this.#bucket(`${server}:${channel}`, POST_INTERVAL_MS, POST_BURST);

	#bucket(key: string, intervalMs: number, burst: number): Bucket {
		const existing = this.#buckets.get(key);
		if (existing) return existing;
		const bucket = { stepMs: intervalMs * (this.#options.factor ?? 1), burst, busyUntil: 0 };
		this.#buckets.set(key, bucket);
		return bucket;
	}
}
