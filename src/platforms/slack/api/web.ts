import { setTimeout as sleep } from 'node:timers/promises';
import type { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../../log.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import type { Installations } from '../installation/installation.ts';
import { libraryLog } from './library-log.ts';
import { SlackWebClient } from './web-client.ts';

const MAX_CLIENTS = 1000;
/** How often, and after which pause, the next token is looked for. */
const MAX_TRIES = 10;
const PAUSE_MS = 200;

/** The clients of the Web API, one for each workspace. A call is tried once, and a 429 rejects at once: `CallWithRetry` waits. */
export class Web {
	readonly #installations: Installations;
	readonly #apiUrl: string;
	readonly #log: Log;
	readonly #clients = new LRUCache<string, { token: string; client: webApi.WebClient }>({ max: MAX_CLIENTS });

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
		const client = new SlackWebClient(token, { slackApiUrl: this.#apiUrl, logger: libraryLog(this.#log) });
		this.#clients.set(server, { token, client });
		return client;
	}

	/**
	 * Returns whether another token has replaced that of a client. Waits a moment for it: another process may be requesting it, and
	 * Slack does not say for how long the one before stays valid. https://docs.slack.dev/authentication/using-token-rotation
	 */
	async isReplaced(server: string, client: webApi.WebClient): Promise<boolean> {
		for (let tries = 0; tries < MAX_TRIES; tries++) {
			if (tries > 0) await sleep(PAUSE_MS);
			if ((await this.of(server)) !== client) return true;
			if (!(await this.#installations.of(server))?.rotation) return false;
		}
		return false;
	}
}
