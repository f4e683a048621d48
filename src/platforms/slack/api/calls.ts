import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, LogLevel, webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { bounded } from '../../../domain/queues.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import { codeOf, isOutcomeUnknown, isPassing, isTokenInvalid, limitMsOf } from './slack-errors.ts';

/** How often a call waits because Slack says so (429), is tried again, and is made with the next token. */
const MAX_WAITS = 8;
const MAX_RETRIES = 3;
const MAX_RENEWALS = 2;
const FIRST_RETRY_MS = 500;
/** How often, and after which pause, the next token is looked for. */
const MAX_LOOKS = 10;
const LOOK_MS = 200;

/** Nobody waits longer for one call. */
const MAX_WAIT_MS = 600_000;

/** The wait after a rate limit without a time, in milliseconds, doubled for each further one. */
const FIRST_WAIT_MS = 1000;

/** A message is answered without what Slack does not return within so many milliseconds, or not without a longer wait. */
export const SOON_MS = 1800;

/** Resolves as a look-up does, if that is soon. One that takes longer goes on, and is there for the next time where it is cached. */
export async function soon<Value>(lookUp: Promise<Value>): Promise<Value> {
	const { promise: late, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(reject, SOON_MS, new Error('Slack did not answer soon'));
	return Promise.race([lookUp, late]).finally(() => clearTimeout(timer));
}

/** Methods whose effect would be there twice. The others are tried again when their outcome is unknown. */
const MADE_ONCE: ReadonlySet<string> = new Set(['chat.postMessage', 'files.completeUploadExternal']);

/** The library's function for a method: that of `chat.update` is `client.chat.update`. */
type Method<Name extends string, Group = webApi.WebClient> = Name extends `${infer First}.${infer Rest}`
	? Method<Rest, Group[First & keyof Group]>
	: Extract<Group[Name & keyof Group], (args: never) => Promise<unknown>>;

/**
 * Calls a method of the Web API with the token of a workspace, when its rate limit allows, and again as long as Slack says so (429), without
 * delaying other methods.
 *
 * @throws WebAPIRateLimitedError when a rate limit requires a longer wait than `maxWaitMs`; else as the library does
 */
export type Call = <Name extends string>(
	server: string,
	method: Name,
	args: Parameters<Method<Name>>[0],
	maxWaitMs?: number,
) => Promise<Awaited<ReturnType<Method<Name>>>>;

type CallsOptions = {
	/** Where the bot is installed, with its token now; with token rotation, another one takes its place. */
	installations: { of(server: string): Promise<{ botToken: string; rotation?: object } | undefined> };
	apiUrl: string;
	pace?: Pace;
	onWait?: ((seconds: number) => void) | undefined;
	/** Returns the id that Slack has given a channel since, if any. */
	renamed?: (channel: string) => Promise<string | undefined>;
};

/** The one way to call Slack. */
export class Calls {
	readonly pace: Pace;
	readonly #options: CallsOptions;
	/** Makes a call once and at once, with the token that the call brings. */
	readonly #client: webApi.WebClient;

	constructor(options: CallsOptions) {
		this.#options = options;
		this.pace = options.pace ?? new Pace();
		const maxRequestConcurrency = Number.POSITIVE_INFINITY;
		this.#client = new webApi.WebClient(undefined, { ...tryOnce(options.apiUrl), maxRequestConcurrency });
	}

	/**
	 * Returns the token of a workspace. With token rotation, it changes every twelve hours.
	 *
	 * @throws PlatformLoginError where the bot is not installed
	 */
	async tokenOf(server: string): Promise<string> {
		const token = (await this.#options.installations.of(server))?.botToken;
		if (token !== undefined) return token;
		throw new PlatformLoginError('Easel is not installed in this Slack workspace: install it again.');
	}

	readonly make: Call = async (server, method, args, maxWaitMs) =>
		(await this.#make(server, method, args as never, maxWaitMs)) as never;

	async #make(server: string, method: string, given: Record<string, unknown>, maxWaitMs = MAX_WAIT_MS) {
		let args = given;
		let [waits, retries, renewals] = [0, 0, 0];
		for (;;) {
			// Messages have a limit of their channel, too.
			const channel = method === 'chat.postMessage' ? String(args['channel']) : undefined;
			const waitedMs = await this.pace.turn(server, method, channel, maxWaitMs);
			if (waitedMs > 0) this.#options.onWait?.(waitedMs / 1000);
			const token = await this.tokenOf(server);
			try {
				return await this.#client.apiCall(method, { ...args, token });
			} catch (error) {
				const mayRepeat = isPassing(error) || (isOutcomeUnknown(error) && !MADE_ONCE.has(method));
				const limitMs = limitMsOf(error, FIRST_WAIT_MS * 2 ** waits);
				if (limitMs !== undefined && ++waits <= MAX_WAITS) {
					this.pace.block(server, method, channel, limitMs);
				} else if (mayRepeat && ++retries <= MAX_RETRIES) {
					await sleep(FIRST_RETRY_MS * 2 ** (retries - 1));
				} else if (isTokenInvalid(error) && ++renewals <= MAX_RENEWALS && (await this.isReplaced(server, token))) {
					// Slack has not carried the call out.
				} else {
					// https://docs.slack.dev/reference/events/channel_id_changed
					const name = 'channel' in args ? 'channel' : 'channel_id';
					const isMissing = codeOf(error) === 'channel_not_found';
					const now = isMissing ? await this.#options.renamed?.(String(args[name])) : undefined;
					if (now === undefined) throw error;
					args = { ...args, [name]: now };
				}
			}
		}
	}

	/**
	 * Returns whether another token has replaced one. Waits a moment for it: another process may be requesting it, and
	 * Slack does not say for how long the one before stays valid. https://docs.slack.dev/authentication/using-token-rotation
	 */
	async isReplaced(server: string, token: string): Promise<boolean> {
		for (let looks = 0; looks < MAX_LOOKS; looks++) {
			if (looks > 0) await sleep(LOOK_MS);
			if ((await this.tokenOf(server)) !== token) return true;
			if (!(await this.#options.installations.of(server))?.rotation) return false;
		}
		return false;
	}
}

/** Milliseconds for one call of the Web API. The library has no limit by default. */
const TIMEOUT_MS = 10_000;

const ignore = () => {};
/** The libraries log requests and answers, which have texts of people and secret addresses. Easel logs itself what comes of a call. */
export const SILENT: Logger = {
	...{ debug: ignore, info: ignore, warn: ignore, error: ignore },
	...{ setLevel: ignore, getLevel: () => LogLevel.ERROR, setName: ignore },
};

/**
 * Returns options for a client that tries each call once. A new object for each client: the libraries change the options they get,
 * and clients that share an object of headers would send each other's tokens.
 */
export const tryOnce = (apiUrl: string): webApi.WebClientOptions => ({
	slackApiUrl: apiUrl,
	retryConfig: { retries: 0 },
	timeout: TIMEOUT_MS,
	rejectRateLimitedCalls: true,
	logger: SILENT,
});

/**
 * Returns which hosts Easel may call, and which may receive the bot's token.
 *
 * @param apiUrl the base address of the Web API
 * @param origins other origins that files may be fetched from, without the token
 */
export function createHosts(apiUrl: string, origins: readonly string[] = []) {
	const apiOrigin = URL.parse(apiUrl)?.origin;
	const others = new Set(origins);
	// https://docs.slack.dev/govslack
	const domain = apiOrigin === 'https://slack-gov.com' ? 'slack-gov.com' : 'slack.com';
	/** Files are at `files.slack.com`, on Grid at `files.TEAM.slack.com`. https://docs.slack.dev/reference/objects/file-object */
	const isSlack = ({ origin, hostname }: URL) =>
		origin === `https://${hostname}` && `.${hostname}`.endsWith(`.${domain}`);
	/** Whether the token may be sent: to Slack, and to the scheme, host and port of the Web API. */
	const maySeeToken = (url: URL) => isSlack(url) || url.origin === apiOrigin;
	return {
		maySeeToken,
		/** Whether the token may be sent on a redirect. */
		mayPassToken: (from: URL, to: URL) => isSlack(to) || (to.origin === from.origin && maySeeToken(from)),
		/** Whether an address may be called, with or without the token. */
		mayCall: (url: URL) => maySeeToken(url) || others.has(url.origin),
	};
}

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
	readonly #buckets = new LRUCache<string, Bucket>(bounded(20_000));

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
