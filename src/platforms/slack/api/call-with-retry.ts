import { setTimeout as sleep } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import type { RateLimiter } from './rate-limiter.ts';
import { isUnsure } from './slack-errors.ts';
import type { Web } from './web.ts';

/** Waits that Slack asks for, before it is given up. */
const MOST_WAITS = 8;
/** Further tries of what can be done twice. */
const MORE_TRIES = 3;
const TRY_AGAIN_MS = 500;

/**
 * Calls one method in its turn: paced by its tier, waiting as long as Slack says (429) without holding up other methods.
 * Rejects as the library does.
 */
export type CallWithRetry = <Result>(
	server: string,
	method: string,
	work: (client: webApi.WebClient) => Promise<Result>,
	options?: {
		/** Where something is posted, which is paced as well. */
		channel?: string;
		/** Doing it twice is doing it once: it is tried again when nobody knows what became of it. */
		repeatable?: boolean;
	},
) => Promise<Result>;

export function createCallWithRetry({ web, pace }: { web: Web; pace: RateLimiter }): CallWithRetry {
	return async (server, method, work, { channel, repeatable = false } = {}) => {
		let waits = 0;
		let tries = 0;
		for (;;) {
			await pace(server, method, channel);
			try {
				return await work(await web.of(server));
			} catch (error) {
				if (error instanceof webApi.WebAPIRateLimitedError && ++waits <= MOST_WAITS) {
					pace.pushBack(server, method, error.retryAfter * 1000);
				} else if (repeatable && isUnsure(error) && ++tries <= MORE_TRIES) {
					await sleep(TRY_AGAIN_MS * 2 ** (tries - 1));
				} else throw error;
			}
		}
	};
}
