import { setTimeout as sleep } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../../log.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import type { Installations } from '../installation/installation.ts';
import { tryOnce } from './library.ts';
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

export type CallOptions = {
	/** The channel that a message is posted to, which has a limit of its own. */
	channel?: string;
	/** The call may be made twice: it is tried again when its outcome is unknown. */
	idempotent?: boolean;
	/** Rejects with `WebAPIRateLimitedError` when a rate limit requires a longer wait. */
	maxWaitMs?: number;
};

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

/** Calls Slack's Web API with the token of a workspace, within its rate limits. Rejects as the library does. */
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
		const client = new Client(token, tryOnce(apiUrl, log));
		client.renamed = this.#options.renamed;
		this.#clients.set(server, client);
		return client;
	}

	/** Calls one method when its rate limit allows, and again as long as Slack says so (429), without delaying other methods. */
	readonly make = async <Result>(
		server: string,
		method: string,
		call: (client: webApi.WebClient) => Promise<Result>,
		{ channel, idempotent = false, maxWaitMs = MAX_WAIT_MS }: CallOptions = {},
	): Promise<Result> => {
		let [waits, retries, renewals] = [0, 0, 0];
		for (;;) {
			const waitedMs = await this.pace.turn(server, method, channel, maxWaitMs);
			if (waitedMs > 0) this.#options.onWait?.(waitedMs / 1000);
			const client = await this.of(server);
			try {
				return await call(client);
			} catch (error) {
				if (error instanceof webApi.WebAPIRateLimitedError && ++waits <= MAX_WAITS) {
					this.pace.block(server, method, channel, error.retryAfter * 1000);
				} else if ((isPassing(error) || (idempotent && isOutcomeUnknown(error))) && ++retries <= MAX_RETRIES) {
					await sleep(FIRST_RETRY_MS * 2 ** (retries - 1));
				} else if (isTokenInvalid(error) && ++renewals <= MAX_RENEWALS && (await this.isReplaced(server, client))) {
					// Slack has not carried the call out.
				} else throw error;
			}
		}
	};

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

/** Finds channels that have got another id since theirs was stored. https://docs.slack.dev/reference/events/channel_id_changed */
class Client extends webApi.WebClient {
	renamed: CallsOptions['renamed'];

	override async apiCall(method: string, options: Record<string, unknown> = {}): Promise<webApi.WebAPICallResult> {
		try {
			return await super.apiCall(method, options);
		} catch (error) {
			const name = 'channel' in options ? 'channel' : 'channel_id';
			const channel = options[name];
			if (codeOf(error) !== 'channel_not_found' || typeof channel !== 'string') throw error;
			const now = await this.renamed?.(channel);
			if (now === undefined) throw error;
			return await this.apiCall(method, { ...options, [name]: now });
		}
	}
}

export type CallWithRetry = Calls['make'];
