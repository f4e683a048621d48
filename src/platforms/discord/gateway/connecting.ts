import { setTimeout as sleep } from 'node:timers/promises';
import { type APIGatewayBotInfo, DiscordAPIError, HTTPError, type REST, Routes } from 'discord.js';
import type { Log } from '../../../log.ts';
import { Backoff } from '../../shared/backoff.ts';
import { DiscordLoginError, loginErrorOf } from './login-errors.ts';
import type { Shards } from './shards.ts';

/** The start of everything else does not wait longer than this for Discord. */
const PATIENCE_MS = 10_000;

/** Why there is no connection yet; `waiting` for Discord to allow one more. */
type State = 'starting' | 'unreachable' | 'waiting' | 'refused';

/**
 * Connects, however long Discord can't be reached, and only while Discord allows it: it counts the identifies of a day, and who
 * passes the limit loses the token (https://docs.discord.com/developers/events/gateway#session-start-limit-object).
 * How many identify at once, the library takes care of.
 */
export function createConnecting(options: {
	rest: REST;
	shards: Shards;
	/** Rejects with `DiscordLoginError`, or with the network's error. */
	connect: () => Promise<void>;
	/** Milliseconds before the second try. */
	firstWaitMs?: number | undefined;
	log: Log;
}) {
	const { rest, shards, connect, firstWaitMs, log } = options;
	const stopped = new AbortController();
	let state: State = 'starting';

	/** Rejects as `connect` does. */
	async function connectWithinBudget(takesLong: () => void): Promise<void> {
		const { session_start_limit: limit, shards: recommended } = (await rest.get(Routes.gatewayBot()).catch((error) => {
			throw loginErrorOf(error, undefined);
		})) as APIGatewayBotInfo;
		const needed = shards === 'auto' ? recommended : shards.shards.length;
		if (limit.remaining < needed) {
			const until = new Date(Date.now() + limit.reset_after).toISOString();
			log.warn(
				{ needed, remaining: limit.remaining, until },
				`Discord allows ${limit.remaining} more starts of a connection today, and ${needed} are needed: the next try is at ${until}`,
			);
			state = 'waiting';
			takesLong();
			await sleep(limit.reset_after, undefined, { signal: stopped.signal });
			return connectWithinBudget(takesLong);
		}
		await connect();
	}

	async function keepTrying(takesLong: () => void): Promise<void> {
		const backoff = new Backoff(firstWaitMs);
		for (;;) {
			try {
				return await connectWithinBudget(takesLong);
			} catch (error) {
				if (stopped.signal.aborted || !mayPass(error)) throw error;
				const wait = backoff.fail();
				log.warn({ err: error, wait }, `Discord can’t be reached; the next try is in ${Math.ceil(wait / 1000)} s`);
				state = 'unreachable';
				takesLong();
				await sleep(wait, undefined, { signal: stopped.signal });
			}
		}
	}

	return {
		/**
		 * Resolves once connected, or when that has failed once or takes long: then it goes on by itself. Rejects when Discord does not
		 * let the bot in; what it says of that later is for the log.
		 * @param connected called once it is
		 */
		async start(connected: () => void): Promise<void> {
			const { promise: long, resolve: takesLong } = Promise.withResolvers<void>();
			let isWaitedFor = true;
			const all = keepTrying(takesLong).then(connected);
			all.catch((error: unknown) => {
				if (stopped.signal.aborted) return;
				state = 'refused';
				if (isWaitedFor) return;
				log.error(
					{ err: error },
					error instanceof DiscordLoginError ? error.message : 'Discord does not let the bot in',
				);
			});
			const late = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
				if (!isWaitedFor) return;
				state = 'unreachable';
				log.warn('Discord has not let the bot in for a while; everything else goes on without it until it does');
			});
			await Promise.race([all, long, late]).finally(() => {
				isWaitedFor = false;
			});
		},
		stop: () => stopped.abort(),
		state: (): State => state,
	};
}

/** It is the network's or Discord's own trouble, which others get over. */
function mayPass(error: unknown): boolean {
	if (error instanceof DiscordLoginError) return false;
	if (error instanceof DiscordAPIError || error instanceof HTTPError)
		return error.status >= 500 || error.status === 429;
	return true;
}
