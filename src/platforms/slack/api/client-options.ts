import type { webApi } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { libraryLog } from './library-log.ts';

/** Milliseconds for one call of the Web API: the library's own default is to wait for ever. */
const TIMEOUT_MS = 10_000;

/**
 * For a client that is asked rarely and tries once. A fresh object every time: the libraries write into what they are given, and
 * an object of headers that two clients share would send one's token for the other.
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
