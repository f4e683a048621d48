import type { webApi } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { libraryLog } from './library-log.ts';

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
