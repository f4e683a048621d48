import { LRUCache } from 'lru-cache';
import { Bucket } from './bucket.ts';
import { CallWindow } from './call-window.ts';

/** Calls per minute of one method in one workspace. https://docs.slack.dev/apis/web-api/rate-limits#web */
const TIERS = { 1: 1, 2: 20, 3: 50, 4: 100 } as const;

/** The tier on each method's page: https://docs.slack.dev/reference/methods. Methods that are not listed are of tier 3. */
const METHODS: Readonly<Record<string, keyof typeof TIERS>> = {
	'chat.update': 3,
	'chat.delete': 3,
	'chat.postEphemeral': 4,
	'conversations.history': 3,
	'conversations.replies': 3,
	'files.getUploadURLExternal': 4,
	'files.completeUploadExternal': 4,
	'files.info': 4,
	'users.info': 4,
	'users.list': 2,
	'usergroups.users.list': 2,
	'views.open': 4,
	'views.publish': 4,
	'views.update': 4,
};

/**
 * Methods of a lower tier in apps that many workspaces install and that the Marketplace does not list.
 * https://docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps
 */
const UNLISTED: Readonly<Record<string, keyof typeof TIERS>> = {
	'conversations.history': 1,
	'conversations.replies': 1,
};

/** “Generally, 1 per second per channel”, and “several hundred messages per minute” in a workspace: the same page. */
const POST = 'chat.postMessage';
const POSTS_PER_MINUTE = 300;
const POST_INTERVAL_MS = 1000;
/** Short bursts are allowed there. */
const POST_BURST = 3;

/**
 * Methods of tier 4 that people wait for in bursts, which Slack allows there (“generous burst behavior”): a whole minute's calls may come
 * at once. https://docs.slack.dev/apis/web-api/rate-limits#web
 */
const AT_ONCE: ReadonlySet<string> = new Set([
	'files.getUploadURLExternal',
	'files.completeUploadExternal',
	'files.info',
	'users.info',
	'chat.postEphemeral',
]);

/** The share of a minute's calls that may come at once. The others are spread over the minute, so that both stay within the limit. */
const BURST = 1 / 5;
const MINUTE_MS = 60_000;

const MAX_CHANNELS = 1000;
/** Some 20 methods in each of 1,000 workspaces. */
const MAX_METHODS = 20_000;

/** Keeps every method within its tier in every workspace, and posts within one a second in a channel. */
export class RateLimiter {
	readonly #scale: number;
	readonly #now: () => number;
	readonly #isUnlisted: boolean;
	readonly #onWait: (seconds: number) => void;
	readonly #methods = new LRUCache<string, Bucket | CallWindow>({ max: MAX_METHODS });
	readonly #channels = new LRUCache<string, Bucket>({ max: MAX_CHANNELS });

	/**
	 * @param scale multiplies all times, for tests whose Slack has shorter minutes
	 * @param now milliseconds of a monotonic clock
	 * @param options.unlisted the app is installed in many workspaces, without being listed in the Marketplace
	 * @param options.onWait called when a call waits, with the seconds
	 */
	constructor(
		scale = 1,
		now: () => number = () => performance.now(),
		{
			unlisted = false,
			onWait = () => {},
		}: { unlisted?: boolean; onWait?: ((seconds: number) => void) | undefined } = {},
	) {
		this.#scale = scale;
		this.#now = now;
		this.#isUnlisted = unlisted;
		this.#onWait = onWait;
	}

	/** Resolves when the method may be called; with `channel`, when a message may be posted there. In the order of the calls. */
	async wait(server: string, method: string, channel?: string): Promise<void> {
		const delayMs = this.delayMs(server, method, channel);
		if (delayMs > 0) this.#onWait(delayMs / 1000);
		const at = this.#now() + delayMs;
		for (const bucket of this.#bucketsOf(server, method, channel)) bucket.take(at);
		for (let ms = at - this.#now(); ms > 0; ms = at - this.#now())
			await new Promise((resolve) => setTimeout(resolve, Math.ceil(ms)));
	}

	/** Returns the milliseconds that `wait` would take now. */
	delayMs(server: string, method: string, channel?: string): number {
		const now = this.#now();
		return Math.max(0, ...this.#bucketsOf(server, method, channel).map((bucket) => bucket.freeAt() - now));
	}

	/** Returns how many calls could be made at once. */
	available(server: string, method: string): number {
		return this.#methodBucket(server, method).available(this.#now());
	}

	/** Makes no call of the method in this workspace for some time, as Slack has said (429). */
	block(server: string, method: string, ms: number): void {
		this.#methodBucket(server, method).fillUntil(this.#now() + ms);
	}

	#bucketsOf(server: string, method: string, channel: string | undefined): (Bucket | CallWindow)[] {
		const bucket = this.#methodBucket(server, method);
		return method === POST && channel !== undefined ? [bucket, this.#channelBucket(server, channel)] : [bucket];
	}

	#methodBucket(server: string, method: string): Bucket | CallWindow {
		const name = `${server}:${method}`;
		const existing = this.#methods.get(name);
		if (existing) return existing;
		const tier = (this.#isUnlisted && UNLISTED[method]) || (METHODS[method] ?? 3);
		const perMinute = method === POST ? POSTS_PER_MINUTE : TIERS[tier];
		const burst = Math.max(1, Math.floor(perMinute * BURST));
		const minuteMs = MINUTE_MS * this.#scale;
		const bucket = AT_ONCE.has(method)
			? new CallWindow(minuteMs, perMinute)
			: new Bucket(minuteMs / Math.max(1, perMinute - burst), burst);
		this.#methods.set(name, bucket);
		return bucket;
	}

	#channelBucket(server: string, channel: string): Bucket {
		const name = `${server}:${channel}`;
		const existing = this.#channels.get(name);
		if (existing) return existing;
		const bucket = new Bucket(POST_INTERVAL_MS * this.#scale, POST_BURST);
		this.#channels.set(name, bucket);
		return bucket;
	}
}
