import { setTimeout as sleep } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../../log.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import type { Installations } from '../installation/workspaces.ts';
import { tryOnce } from './http.ts';
import { Pace } from './pace.ts';
import { codeOf, isOutcomeUnknown, isPassing, isTokenInvalid } from './slack-errors.ts';

const MAX_CLIENTS = 1000;
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

/** Methods whose effect would be there twice. The others are tried again when their outcome is unknown. */
const MADE_ONCE: ReadonlySet<string> = new Set(['chat.postMessage', 'files.completeUploadExternal', 'views.open']);

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
	installations: Installations;
	apiUrl: string;
	pace?: Pace;
	/** Called when a call waits for a rate limit, with the seconds. */
	onWait?: ((seconds: number) => void) | undefined;
	/** Returns the id that Slack has given a channel since, if any. */
	renamed?: (channel: string) => Promise<string | undefined>;
	log: Log;
};

/** The clients of the workspaces, and the one way to call Slack. */
export class Calls {
	readonly pace: Pace;
	readonly #options: CallsOptions;
	readonly #clients = new LRUCache<string, webApi.WebClient>({ max: MAX_CLIENTS });

	constructor(options: CallsOptions) {
		this.#options = options;
		this.pace = options.pace ?? new Pace();
	}

	/**
	 * Returns the client of a workspace, which makes a call once and at once.
	 *
	 * @throws PlatformLoginError where the bot is not installed
	 */
	async of(server: string): Promise<webApi.WebClient> {
		const { installations, apiUrl, log } = this.#options;
		const token = (await installations.of(server))?.botToken;
		if (token === undefined) {
			this.#clients.delete(server);
			throw new PlatformLoginError('Easel is not installed in this Slack workspace: install it again.');
		}
		const existing = this.#clients.get(server);
		// With token rotation, the token changes every twelve hours.
		if (existing?.token === token) return existing;
		const client = new webApi.WebClient(token, tryOnce(apiUrl, log));
		this.#clients.set(server, client);
		return client;
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
			const client = await this.of(server);
			try {
				return await client.apiCall(method, args);
			} catch (error) {
				const mayRepeat = isPassing(error) || (isOutcomeUnknown(error) && !MADE_ONCE.has(method));
				if (error instanceof webApi.WebAPIRateLimitedError && ++waits <= MAX_WAITS) {
					this.pace.block(server, method, channel, error.retryAfter * 1000);
				} else if (mayRepeat && ++retries <= MAX_RETRIES) {
					await sleep(FIRST_RETRY_MS * 2 ** (retries - 1));
				} else if (isTokenInvalid(error) && ++renewals <= MAX_RENEWALS && (await this.isReplaced(server, client))) {
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
	 * Returns whether another token has replaced that of a client. Waits a moment for it: another process may be requesting it, and
	 * Slack does not say for how long the one before stays valid. https://docs.slack.dev/authentication/using-token-rotation
	 */
	async isReplaced(server: string, client: webApi.WebClient): Promise<boolean> {
		for (let looks = 0; looks < MAX_LOOKS; looks++) {
			if (looks > 0) await sleep(LOOK_MS);
			if ((await this.of(server)) !== client) return true;
			if (!(await this.#options.installations.of(server))?.rotation) return false;
		}
		return false;
	}
}
