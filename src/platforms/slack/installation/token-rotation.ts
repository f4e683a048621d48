import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import type { Once } from '../../shared/once.ts';
import { tryOnce } from '../api/library.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { StoredInstallation } from './installation.ts';

/** A token is valid for twelve hours. The next one is requested this long before it expires, as the library does. */
const REFRESH_BEFORE_MS = 2 * 60 * 60_000;

/** How long one process alone may try. Then another may. */
const TURN_MS = 60_000;

/** How long a process with an expired token waits for another process that requests the next one. */
const WAIT_MS = 15_000;
const POLL_MS = 200;

/** Errors of a refresh token that is no longer valid. https://docs.slack.dev/reference/methods/oauth.v2.access#errors */
const INVALID = ['invalid_refresh_token', 'invalid_grant', 'token_revoked', 'token_expired'];

export type RotationOptions = {
	access: { clientId: string; clientSecret: string };
	apiUrl: string;
	once: Once;
	log: Log;
	/** Unix milliseconds. */
	now?: () => number;
};

type Installations = {
	read(server: string): Promise<StoredInstallation | undefined>;
	save(installation: StoredInstallation): Promise<void>;
};

/**
 * Replaces tokens before they expire. One process requests the next token, once; the others use the current one meanwhile.
 * https://docs.slack.dev/authentication/using-token-rotation
 */
export class TokenRotation {
	readonly #options: RotationOptions & Installations;
	readonly #now: () => number;
	/** The replacements under way, by server. */
	readonly #replacing = new Map<string, Promise<StoredInstallation>>();

	constructor(options: RotationOptions & Installations) {
		this.#options = options;
		this.#now = options.now ?? Date.now;
	}

	/** Returns the installation with a valid token. Rejects when the token has expired and there is no other yet. */
	async current(stored: StoredInstallation): Promise<StoredInstallation> {
		const { server, rotation } = stored;
		if (!rotation || rotation.expiresAt - this.#now() > REFRESH_BEFORE_MS) return stored;
		const underWay = this.#replacing.get(server);
		if (underWay) return rotation.expiresAt > this.#now() ? stored : underWay;
		const replacing = this.#replace(stored, rotation).finally(() => this.#replacing.delete(server));
		this.#replacing.set(server, replacing);
		return replacing;
	}

	async #replace(
		stored: StoredInstallation,
		{ refreshToken, expiresAt }: NonNullable<StoredInstallation['rotation']>,
	): Promise<StoredInstallation> {
		const { once, read, save, log } = this.#options;
		const { server } = stored;
		const turn = `refresh:${createHash('sha256').update(refreshToken).digest('hex')}`;
		if (!(await once(turn, TURN_MS))) return this.#waitForOther(stored, expiresAt);
		// Another process may have replaced the token after this one read it.
		const latest = await read(server);
		if (latest?.rotation && latest.rotation.refreshToken !== refreshToken) return latest;
		try {
			const replaced = { ...stored, ...(await this.#request(refreshToken)) };
			await save(replaced);
			return replaced;
		} catch (error) {
			const code = codeOf(error) ?? '';
			if (INVALID.includes(code))
				log.error({ server }, 'Slack rejects the refresh token of a workspace: install the app there again.');
			else log.warn({ err: error, slack: code, server }, 'A token could not be replaced');
			if (expiresAt > this.#now()) return stored;
			throw error;
		}
	}

	/** Requests the next token with a refresh token, which Slack accepts once. */
	async #request(refreshToken: string): Promise<Pick<StoredInstallation, 'botToken' | 'rotation'>> {
		const { access, apiUrl, log } = this.#options;
		const answer = await new webApi.WebClient(undefined, tryOnce(apiUrl, log)).oauth.v2.access({
			client_id: access.clientId,
			client_secret: access.clientSecret,
			grant_type: 'refresh_token',
			refresh_token: refreshToken,
		});
		const { access_token: botToken, refresh_token: next, expires_in: seconds } = answer;
		if (!botToken || !next || !seconds) throw new Error('Slack answered without a token');
		return { botToken, rotation: { refreshToken: next, expiresAt: this.#now() + seconds * 1000 } };
	}

	/** Waits until the process whose turn it is has saved the next token, when the current one has expired. */
	async #waitForOther(stored: StoredInstallation, expiresAt: number): Promise<StoredInstallation> {
		const giveUpAt = this.#now() + WAIT_MS;
		while (expiresAt <= this.#now() && this.#now() < giveUpAt) {
			const latest = await this.#options.read(stored.server);
			if (latest?.botToken !== stored.botToken) return latest ?? stored;
			await sleep(POLL_MS);
		}
		return stored;
	}
}
