import { setTimeout as sleep } from 'node:timers/promises';
import {
	type APIGatewayBotInfo,
	DiscordAPIError,
	DiscordjsError,
	DiscordjsErrorCodes,
	GatewayCloseCodes,
	HTTPError,
	type REST,
	Routes,
} from 'discord.js';
import type { Log } from '../../../log.ts';
import { Backoff, logUnreachable } from '../../shared/backoff.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import type { Shards } from './shards.ts';

/** How long the start of the process waits for Discord, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Why there is no connection yet. `waiting`: until Discord allows another session start. */
type State = 'starting' | 'unreachable' | 'waiting' | 'refused';

type Options = {
	rest: REST;
	shards: Shards;
	/** Rejects with `PlatformLoginError`, or with a network error. */
	connect: () => Promise<void>;
	/** Milliseconds before the second try. */
	firstWaitMs: number | undefined;
	log: Log;
};

/**
 * Connects, and keeps trying while Discord cannot be reached. It stays within the session start limit: Discord resets the token of a
 * bot that exceeds it (https://docs.discord.com/developers/events/gateway#session-start-limit-object). The library takes care of the
 * number of concurrent starts.
 */
export class Connector {
	readonly #options: Options;
	readonly #stopping = new AbortController();
	readonly #delayed = Promise.withResolvers<void>();
	#state: State = 'starting';

	constructor(options: Options) {
		this.#options = options;
	}

	get state(): State {
		return this.#state;
	}

	/**
	 * Resolves once connected, or when the connection is delayed: then it is established in the background, and a failure is logged.
	 *
	 * @throws PlatformLoginError when Discord does not let the bot in
	 */
	async start(onConnected: () => void): Promise<void> {
		const { log } = this.#options;
		let isAwaited = true;
		const connected = this.#keepTrying().then(onConnected);
		connected.catch((error: unknown) => {
			if (this.#stopping.signal.aborted) return;
			this.#state = 'refused';
			if (isAwaited) return;
			log.error(
				{ err: error },
				error instanceof PlatformLoginError ? error.message : 'Discord does not let the bot in',
			);
		});
		const timedOut = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
			if (!isAwaited) return;
			this.#state = 'unreachable';
			log.warn('Discord has not accepted the connection yet; Easel starts without it and keeps trying');
		});
		await Promise.race([connected, this.#delayed.promise, timedOut]).finally(() => {
			isAwaited = false;
		});
	}

	stop(): void {
		this.#stopping.abort();
	}

	async #keepTrying(): Promise<void> {
		const { rest, shards, connect, firstWaitMs, log } = this.#options;
		const backoff = new Backoff(firstWaitMs);
		for (;;) {
			try {
				const info = (await rest.get(Routes.gatewayBot())) as APIGatewayBotInfo;
				const { session_start_limit: limit, shards: recommended } = info;
				const needed = shards === 'auto' ? recommended : shards.shards.length;
				if (limit.remaining >= needed) return await connect();
				const until = new Date(Date.now() + limit.reset_after).toISOString();
				log.warn(
					{ needed, remaining: limit.remaining, until },
					`Discord allows ${limit.remaining} more session starts today, and ${needed} are needed: the next try is at ${until}`,
				);
				await this.#delay('waiting', limit.reset_after);
			} catch (cause) {
				const error = loginErrorOf(cause, undefined);
				if (this.#stopping.signal.aborted || !isTemporary(error)) throw error;
				const wait = backoff.fail();
				logUnreachable(log, 'Discord', error, wait);
				await this.#delay('unreachable', wait);
			}
		}
	}

	#delay(state: State, ms: number): Promise<void> {
		this.#state = state;
		this.#delayed.resolve();
		return sleep(ms, undefined, { signal: this.#stopping.signal });
	}
}

/** Tells whether trying again may help: after a network error, and when Discord itself fails. */
function isTemporary(error: unknown): boolean {
	if (error instanceof PlatformLoginError) return false;
	if (error instanceof DiscordAPIError || error instanceof HTTPError)
		return error.status >= 500 || error.status === 429;
	return true;
}

/** Thrown when Discord has closed the connection for good, with its close code. */
export class DiscordLoginError extends PlatformLoginError {
	readonly code: number;

	constructor(code: number) {
		super(SENTENCES[code] ?? `Discord has closed the connection for good (close code ${code}).`);
		this.code = code;
	}
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const SENTENCES: Readonly<Record<number, string>> = {
	[GatewayCloseCodes.AuthenticationFailed]:
		'Discord does not accept DISCORD_TOKEN: reset the token in the developer portal under Bot, and set the new one.',
	[GatewayCloseCodes.InvalidShard]: 'Discord does not accept DISCORD_SHARDS: it names a shard that does not exist.',
	[GatewayCloseCodes.ShardingRequired]:
		'The bot is in too many servers for this number of shards: set DISCORD_SHARDS to auto, or to more shards.',
	[GatewayCloseCodes.InvalidIntents]:
		'Discord does not know the intents that this version of Easel requests: update Easel.',
	[GatewayCloseCodes.DisallowedIntents]:
		'Discord does not allow the bot to read messages: turn on Message Content Intent in the developer portal under Bot, or set DISCORD_MESSAGE_CONTENT=off.',
};

/**
 * Returns the meaning of a failed login, or the error itself when it is not Discord that refuses.
 *
 * @param closed the close code, if Discord has closed the connection
 */
export function loginErrorOf(error: unknown, closed: number | undefined): unknown {
	if (closed !== undefined) return new DiscordLoginError(closed);
	const isTokenInvalid =
		(error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid) ||
		(error instanceof DiscordAPIError && error.status === 401);
	if ((error instanceof DiscordAPIError || error instanceof HTTPError) && error.status === 404)
		return new PlatformLoginError(
			"DISCORD_API_URL is not the address of Discord's API, which answers 404 there: correct it, or remove it.",
		);
	return isTokenInvalid ? new DiscordLoginError(GatewayCloseCodes.AuthenticationFailed) : error;
}
