import { setTimeout as sleep } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import { LongWaitError } from './rate-limits/long-wait-error.ts';
import type { RateLimiter } from './rate-limits/rate-limiter.ts';
import { isOutcomeUnknown, isTokenInvalid } from './slack-errors.ts';
import type { Web } from './web.ts';

/** How often a call waits because Slack says so (429). */
const MAX_WAITS = 8;
/** How often an idempotent call is tried again. */
const MAX_RETRIES = 3;
const FIRST_RETRY_MS = 500;
/** How often a call is made with the next token. */
const MAX_RENEWALS = 2;

/**
 * Calls one method within its rate limit, and waits as long as Slack says (429) without delaying other methods. Rejects as the
 * library does.
 */
export type CallWithRetry = <Result>(
	server: string,
	method: string,
	call: (client: webApi.WebClient) => Promise<Result>,
	options?: {
		/** The channel that a message is posted to, which has a limit of its own. */
		channel?: string;
		/** The call may be made twice: it is tried again when its outcome is unknown. */
		idempotent?: boolean;
		/** Rejects with `LongWaitError` when the rate limit requires a longer wait. */
		maxWaitMs?: number;
	},
) => Promise<Result>;

export function createCallWithRetry({ web, limiter }: { web: Web; limiter: RateLimiter }): CallWithRetry {
	return async (server, method, call, { channel, idempotent = false, maxWaitMs = Infinity } = {}) => {
		let waits = 0;
		let retries = 0;
		let renewals = 0;
		for (;;) {
			if (limiter.delayMs(server, method, channel) > maxWaitMs) throw new LongWaitError(method);
			await limiter.wait(server, method, channel);
			const client = await web.of(server);
			try {
				return await call(client);
			} catch (error) {
				if (error instanceof webApi.WebAPIRateLimitedError && ++waits <= MAX_WAITS) {
					limiter.block(server, method, error.retryAfter * 1000);
				} else if (idempotent && isOutcomeUnknown(error) && ++retries <= MAX_RETRIES) {
					await sleep(FIRST_RETRY_MS * 2 ** (retries - 1));
				} else if (isTokenInvalid(error) && (await web.isReplaced(server, client)) && ++renewals <= MAX_RENEWALS) {
					// Slack has not carried the call out.
				} else throw error;
			}
		}
	};
}
