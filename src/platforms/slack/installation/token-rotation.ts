import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../../log.ts';
import type { Once } from '../../shared/once.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { StoredInstallation } from './workspaces.ts';

/** A token is valid for twelve hours. The next one is requested this long before it expires, as the library does. */
const REFRESH_BEFORE_MS = 2 * 60 * 60_000;

/** How long one process alone may try. Then another may. */
const TURN_MS = 60_000;

/** How long a process with an expired token waits for another process that requests the next one. */
const WAIT_MS = 15_000;
const POLL_MS = 200;

/** Errors of a refresh token that is no longer valid. https://docs.slack.dev/reference/methods/oauth.v2.access#errors */
const INVALID: ReadonlySet<string> = new Set([
	'invalid_refresh_token',
	'invalid_grant',
	'token_revoked',
	'token_expired',
]);

type Rotation = NonNullable<StoredInstallation['rotation']>;

/** Requests the next token with a refresh token, which Slack accepts once. Rejects as the library does. */
export type Refresh = (
	refreshToken: string,
) => Promise<{ botToken: string; refreshToken: string; expiresInMs: number }>;

type RotationOptions = {
	once: Once;
	refresh: Refresh;
	read(server: string): Promise<StoredInstallation | undefined>;
	save(installation: StoredInstallation): Promise<void>;
	log: Log;
	/** Unix milliseconds. */
	now?: () => number;
};

/**
 * Replaces tokens before they expire. One process requests the next token, once; the others use the current one meanwhile.
 * https://docs.slack.dev/authentication/using-token-rotation
 */
export class TokenRotation {
	readonly #options: RotationOptions;
	readonly #now: () => number;
	/** The replacements under way, by server. */
	readonly #replacing = new Map<string, Promise<StoredInstallation>>();

	constructor(options: RotationOptions) {
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

	async #replace(stored: StoredInstallation, rotation: Rotation): Promise<StoredInstallation> {
		const { once, read } = this.#options;
		const { server } = stored;
		const turn = `refresh:${createHash('sha256').update(rotation.refreshToken).digest('hex')}`;
		if (!(await once(turn, TURN_MS))) return this.#waitForOther(stored, rotation);
		// Another process may have replaced the token after this one read it.
		const latest = await read(server);
		if (latest?.rotation && latest.rotation.refreshToken !== rotation.refreshToken) return latest;
		try {
			return await this.#request(stored, rotation);
		} catch (error) {
			this.#logFailure(server, error);
			if (rotation.expiresAt > this.#now()) return stored;
			throw error;
		}
	}

	async #request(stored: StoredInstallation, { refreshToken }: Rotation): Promise<StoredInstallation> {
		const next = await this.#options.refresh(refreshToken);
		const rotation = { refreshToken: next.refreshToken, expiresAt: this.#now() + next.expiresInMs };
		const replaced: StoredInstallation = { ...stored, botToken: next.botToken, rotation };
		await this.#options.save(replaced);
		return replaced;
	}

	/** Waits until the process whose turn it is has saved the next token, when the current one has expired. */
	async #waitForOther(stored: StoredInstallation, { expiresAt }: Rotation): Promise<StoredInstallation> {
		const giveUpAt = this.#now() + WAIT_MS;
		while (expiresAt <= this.#now() && this.#now() < giveUpAt) {
			const latest = await this.#options.read(stored.server);
			if (latest?.botToken !== stored.botToken) return latest ?? stored;
			await sleep(POLL_MS);
		}
		return stored;
	}

	#logFailure(server: string, error: unknown): void {
		const { log } = this.#options;
		const code = codeOf(error);
		if (INVALID.has(code ?? ''))
			log.error({ server }, 'Slack rejects the refresh token of a workspace: install the app there again.');
		else log.warn({ err: error, slack: code, server }, 'A token could not be replaced');
	}
}
