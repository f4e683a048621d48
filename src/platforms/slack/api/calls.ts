import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, LogLevel, webApi } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import { Pace } from './pace.ts';
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
	log: Log;
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
		const ofAll = { maxRequestConcurrency: Number.POSITIVE_INFINITY };
		this.#client = new webApi.WebClient(undefined, { ...tryOnce(options.apiUrl, options.log), ...ofAll });
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

/**
 * Returns options for a client that tries each call once. A new object for each client: the libraries change the options they get,
 * and clients that share an object of headers would send each other's tokens.
 */
export function tryOnce(apiUrl: string, log: Log): webApi.WebClientOptions {
	return {
		slackApiUrl: apiUrl,
		retryConfig: { retries: 0 },
		timeout: TIMEOUT_MS,
		rejectRateLimitedCalls: true,
		logger: libraryLog(log),
	};
}

/**
 * Returns a logger for Slack's libraries. Passes on errors without addresses, and no requests or answers: those hold texts of people
 * and addresses that are secret.
 */
export function libraryLog(log: Log): Logger {
	// Easel logs itself what comes of a call or a connection: Slack refuses most pictures at first, until it has processed them.
	const note = (given: unknown) => {
		const line = String(given).slice(0, 60);
		log.debug({ from: 'slack' }, line.replace(/\b(https?|wss?):\/\/\S+/g, '[address]'));
	};
	const error = (first: unknown) =>
		first instanceof Error ? log.warn({ err: first }, 'A Slack library failed') : note(first);
	const ignore = () => {};
	const settings = { setLevel: ignore, getLevel: () => LogLevel.WARN, setName: ignore };
	return { debug: ignore, info: ignore, warn: note, error, ...settings };
}

/** The hosts that Easel may call, and those that may receive the bot's token. */
export type Hosts = ReturnType<typeof createHosts>;

/**
 * @param apiUrl the base address of the Web API
 * @param origins other origins that files may be fetched from, without the token
 */
export function createHosts(apiUrl: string, origins: readonly string[] = []) {
	const apiOrigin = URL.parse(apiUrl)?.origin;
	const others = new Set(origins);
	// https://docs.slack.dev/govslack
	const domain = apiOrigin === 'https://slack-gov.com' ? 'slack-gov.com' : 'slack.com';
	/** Files are at `files.slack.com`, on Grid at `files.TEAM.slack.com`. https://docs.slack.dev/reference/objects/file-object */
	const isSlack = ({ protocol, hostname, port }: URL) =>
		protocol === 'https:' && port === '' && (hostname === domain || hostname.endsWith(`.${domain}`));
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
