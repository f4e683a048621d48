import { webApi } from '@slack/bolt';
import type { Log } from '../../log.ts';
import { libraryLog } from './library-log.ts';
import { type Installations, SlackRefusal, type Web } from './parts.ts';

/** The library waits for ever by itself. */
const TIMEOUT_MS = 15_000;
/** Its default is ten tries in half an hour, in which nobody hears anything. */
const RETRIES = { retries: 3, minTimeout: 500, maxTimeout: 5000 };
/** Calls of one workspace at once. */
const AT_ONCE = 20;

type Clients = { token: string; patient: webApi.WebClient; impatient: webApi.WebClient };

/**
 * Clients of the Web API, two for each workspace. Every one has options of its own: the library changes those that it is given, and
 * would send the token of one workspace for another by headers that are shared. It follows no redirect.
 */
export function createWeb(options: { installations: Installations; apiUrl: string; log: Log }): Web {
	const { installations, apiUrl, log } = options;
	const known = new Map<string, Clients>();

	function clientFor(token: string, impatient: boolean): webApi.WebClient {
		return new webApi.WebClient(token, {
			slackApiUrl: apiUrl,
			allowAbsoluteUrls: false,
			timeout: TIMEOUT_MS,
			retryConfig: impatient ? { retries: 0 } : { ...RETRIES },
			rejectRateLimitedCalls: impatient,
			maxRequestConcurrency: AT_ONCE,
			logger: libraryLog(log),
		});
	}

	async function clients(server: string): Promise<Clients> {
		const installation = await installations.of(server);
		if (!installation) {
			known.delete(server);
			throw new SlackRefusal('Easel is not installed in this workspace of Slack (any more): install it once more.');
		}
		const token = installation.botToken;
		const there = known.get(server);
		// Tokens are changed every twelve hours where rotation is on.
		if (there?.token === token) return there;
		const made = { token, patient: clientFor(token, false), impatient: clientFor(token, true) };
		known.set(server, made);
		return made;
	}

	return {
		of: async (server) => (await clients(server)).patient,
		impatient: async (server) => (await clients(server)).impatient,
	};
}
