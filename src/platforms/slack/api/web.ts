import { webApi } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import type { Installations } from '../installation/installation.ts';
import { tryOnce } from './client-options.ts';

const TIMEOUT_MS = 15_000;
/** Concurrent calls of one workspace. */
const MAX_CONCURRENT = 20;

/** The clients of the Web API, one for each workspace. A call is tried once, and a 429 rejects at once: `CallWithRetry` waits. */
export class Web {
	readonly #installations: Installations;
	readonly #apiUrl: string;
	readonly #log: Log;
	readonly #clients = new Map<string, { token: string; client: webApi.WebClient }>();

	constructor(options: { installations: Installations; apiUrl: string; log: Log }) {
		this.#installations = options.installations;
		this.#apiUrl = options.apiUrl;
		this.#log = options.log;
	}

	/** @throws PlatformLoginError where the bot is not installed */
	async of(server: string): Promise<webApi.WebClient> {
		const token = (await this.#installations.of(server))?.botToken;
		if (token === undefined) {
			this.#clients.delete(server);
			throw new PlatformLoginError('Easel is not installed in this Slack workspace: install it again.');
		}
		const existing = this.#clients.get(server);
		// With token rotation, the token changes every twelve hours.
		if (existing?.token === token) return existing.client;
		const client = this.#clientFor(token);
		this.#clients.set(server, { token, client });
		return client;
	}

	/** The library rejects redirects, which could take the token elsewhere. */
	#clientFor(token: string): webApi.WebClient {
		return new webApi.WebClient(token, {
			...tryOnce(this.#apiUrl, this.#log),
			allowAbsoluteUrls: false,
			timeout: TIMEOUT_MS,
			maxRequestConcurrency: MAX_CONCURRENT,
		});
	}
}
