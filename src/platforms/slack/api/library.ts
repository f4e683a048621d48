import { type Logger, LogLevel, type webApi } from '@slack/bolt';
import type { Log } from '../../../log.ts';

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
	return {
		debug() {},
		info() {},
		// The libraries warn of every call that is tried again, which Easel logs itself.
		warn: (first) => log.debug({ from: 'slack' }, String(first).slice(0, 60)),
		error(first: unknown) {
			if (first instanceof Error) return log.warn({ err: first }, 'A Slack library failed');
			const line = String(first).split('\n', 1)[0] ?? '';
			log.warn({ from: 'slack' }, line.replace(/\b(https?|wss?):\/\/\S+/g, '[address]').slice(0, 200));
		},
		setLevel() {},
		getLevel: () => LogLevel.WARN,
		setName() {},
	};
}
