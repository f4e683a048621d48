import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../../log.ts';
import type { Once } from '../../shared/once.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { StoredInstallation } from './workspaces.ts';

/** A token lives for twelve hours. The next one is got so long before its end, as the library does. */
const REFRESH_BEFORE_MS = 2 * 60 * 60_000;

/** For how long one process alone may try; then another may. */
const TURN_MS = 60_000;

/** How long those wait that have nothing but a token that has ended, while another process gets the next one. */
const WAIT_MS = 15_000;
const LOOK_EVERY_MS = 200;

/** What Slack says of a refresh token that nothing is got for any more. */
const SPENT: ReadonlySet<string> = new Set([
	'invalid_refresh_token',
	'invalid_grant',
	'token_revoked',
	'token_expired',
]);

/** Gets the next token for a refresh token, which Slack takes once. Rejects as the library does. */
export type Refresh = (
	refreshToken: string,
) => Promise<{ botToken: string; refreshToken: string; expiresInMs: number }>;

/**
 * Keeps tokens from ending: each is replaced once, by one process, while the others go on with the one they have.
 * https://docs.slack.dev/authentication/using-token-rotation
 */
export function createRotation(options: {
	once: Once;
	refresh: Refresh;
	read(server: string): Promise<StoredInstallation | undefined>;
	keep(installation: StoredInstallation): Promise<void>;
	log: Log;
	now?: () => number;
}) {
	const { once, refresh, read, keep, log, now = Date.now } = options;
	const underWay = new Map<string, Promise<StoredInstallation>>();

	async function replace(
		kept: StoredInstallation,
		rotation: NonNullable<StoredInstallation['rotation']>,
	): Promise<StoredInstallation> {
		const turn = `refresh:${createHash('sha256').update(rotation.refreshToken).digest('hex')}`;
		if (!(await once(turn, TURN_MS))) return byAnother(kept, rotation);
		// Another process may have replaced it between our reading and our turn.
		const latest = await read(kept.server);
		if (latest?.rotation && latest.rotation.refreshToken !== rotation.refreshToken) return latest;
		try {
			const next = await refresh(rotation.refreshToken);
			const fresh: StoredInstallation = {
				...kept,
				botToken: next.botToken,
				rotation: { refreshToken: next.refreshToken, expiresAt: now() + next.expiresInMs },
			};
			await keep(fresh);
			return fresh;
		} catch (error) {
			const { server } = kept;
			if (SPENT.has(codeOf(error) ?? ''))
				log.error({ server }, 'Slack does not take the refresh token of a workspace: install it once more.');
			else log.warn({ err: error, slack: codeOf(error), server }, 'A token could not be replaced');
			if (rotation.expiresAt > now()) return kept;
			throw error;
		}
	}

	/** Whoever has the turn writes the next token down. */
	async function byAnother(
		kept: StoredInstallation,
		rotation: NonNullable<StoredInstallation['rotation']>,
	): Promise<StoredInstallation> {
		const giveUpAt = now() + WAIT_MS;
		while (rotation.expiresAt <= now() && now() < giveUpAt) {
			const latest = await read(kept.server);
			if (latest?.botToken !== kept.botToken) return latest ?? kept;
			await sleep(LOOK_EVERY_MS);
		}
		return kept;
	}

	return {
		/** The installation with a token that is good for now. Rejects when there is none to be had at the moment. */
		async current(kept: StoredInstallation): Promise<StoredInstallation> {
			const { rotation } = kept;
			if (!rotation || rotation.expiresAt - now() > REFRESH_BEFORE_MS) return kept;
			const known = underWay.get(kept.server);
			if (known) return rotation.expiresAt > now() ? kept : known;
			const replacing = replace(kept, rotation).finally(() => underWay.delete(kept.server));
			underWay.set(kept.server, replacing);
			return replacing;
		},
	};
}
