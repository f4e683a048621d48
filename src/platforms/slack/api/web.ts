import { webApi } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import type { Installations } from '../installation/installation.ts';
import { libraryLog } from './library-log.ts';

/**
 * The Web API, each workspace by its own token. Calls are tried once and a 429 is thrown at once, so that it holds up nothing
 * else: `CallWithRetry` waits. Rejects with `PlatformLoginError` where the bot is not installed.
 */
export type Web = { of(server: string): Promise<webApi.WebClient> };

/** The library waits for ever by itself. */
const TIMEOUT_MS = 15_000;
/** Calls of one workspace at once. */
const AT_ONCE = 20;

/**
 * Clients of the Web API, one for each workspace. Every one has options of its own: the library changes those that it is given, and
 * would send the token of one workspace for another by headers that are shared. It follows no redirect.
 */
export function createWeb(options: { installations: Installations; apiUrl: string; log: Log }): Web {
	const { installations, apiUrl, log } = options;
	const known = new Map<string, { token: string; client: webApi.WebClient }>();

	function clientFor(token: string): webApi.WebClient {
		return new webApi.WebClient(token, {
			slackApiUrl: apiUrl,
			allowAbsoluteUrls: false,
			timeout: TIMEOUT_MS,
			retryConfig: { retries: 0 },
			rejectRateLimitedCalls: true,
			maxRequestConcurrency: AT_ONCE,
			logger: libraryLog(log),
		});
	}

	return {
		async of(server) {
			const installation = await installations.of(server);
			if (!installation) {
				known.delete(server);
				throw new PlatformLoginError(
					'Easel is not installed in this workspace of Slack (any more): install it once more.',
				);
			}
			const token = installation.botToken;
			const there = known.get(server);
			// Tokens are changed every twelve hours where rotation is on.
			if (there?.token === token) return there.client;
			const client = clientFor(token);
			known.set(server, { token, client });
			return client;
		},
	};
}
