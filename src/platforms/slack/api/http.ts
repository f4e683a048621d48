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

/** The hosts that Easel may call, and those that may receive the bot's token. */
export type Hosts = ReturnType<typeof createHosts>;

/**
 * @param apiUrl the base address of the Web API
 * @param origins other origins that files may be fetched from, without the token
 */
export function createHosts(apiUrl: string, origins: readonly string[] = []) {
	const apiOrigin = URL.parse(apiUrl)?.origin;
	const others = new Set(origins);
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

/** Files are at `files.slack.com`, on Grid at `files.TEAM.slack.com`. https://docs.slack.dev/reference/objects/file-object */
const isSlack = ({ protocol, hostname, port }: URL) =>
	protocol === 'https:' && port === '' && (hostname === 'slack.com' || hostname.endsWith('.slack.com'));
