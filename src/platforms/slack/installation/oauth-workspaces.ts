import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import type { Keyv } from 'keyv';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../../log.ts';
import { isStoreFailure } from '../../shared/failure-message.ts';
import type { Once } from '../../shared/once.ts';
import { tryOnce } from '../api/library.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { SharedMessage, StoredInstallation, Workspaces } from './installation.ts';
import type { TokenCipher } from './token-cipher.ts';

/** Slack's event times are whole seconds. */
const EVENT_TIME_MS = 1000;

/** As long as a thread in which the bot chats is remembered after its last message. */
const HOME_TTL_MS = 366 * 24 * 3600_000;

const MAX_UNREADABLE = 1000;

/** The number of workspaces that are known while the store fails. */
const MAX_LAST_READ = 10_000;

export type TokenSpace = {
	commit(change: { put: readonly { key: string; value: string }[] }): Promise<unknown>;
};

/** The workspaces and organizations that have installed the app by OAuth, stored with encrypted tokens. */
export class OAuthWorkspaces implements Workspaces {
	readonly #keyv: Keyv;
	readonly #space: TokenSpace;
	readonly #cipher: TokenCipher;
	readonly #rotation: TokenRotation;
	readonly #log: Log;
	/** Servers that an error was logged for. */
	readonly #unreadable = new LRUCache<string, true>({ max: MAX_UNREADABLE });
	/** The installations as they were last read or saved, encrypted. */
	readonly #lastRead = new LRUCache<string, string>({ max: MAX_LAST_READ });

	constructor(
		options: RotationOptions & {
			keyv: Keyv;
			/** The namespace that `keyv` is of. */
			space: TokenSpace;
			cipher: TokenCipher;
		},
	) {
		this.#keyv = options.keyv;
		this.#space = options.space;
		this.#cipher = options.cipher;
		this.#log = options.log;
		const read = (server: string) => this.#read(server);
		const save = (installation: StoredInstallation) => this.save(installation);
		this.#rotation = new TokenRotation({ ...options, read, save });
	}

	/** While the store fails, returns an installation as it was last read. Its token is not replaced then. */
	async of(server: string): Promise<StoredInstallation | undefined> {
		try {
			const stored = await this.#read(server);
			return await (stored && this.#rotation.current(stored));
		} catch (error) {
			const encrypted = this.#lastRead.get(server);
			if (!isStoreFailure(error) || encrypted === undefined) throw error;
			return this.#decrypt(server, encrypted);
		}
	}

	async ownerOf({ server, thread, users }: SharedMessage) {
		const servers = await this.#keyv
			.getMany<string>([`home:${thread}`, ...users.map(botKey)])
			.catch((error: unknown): undefined[] => {
				this.#log.error({ err: error }, 'The workspace of a shared message could not be looked up');
				return [];
			});
		const [home, ...others] = servers;
		const self = await this.#firstOf([...servers, server]);
		if (!self) return undefined;
		if (self.server !== home && others.includes(self.server))
			await this.#keyv.set(`home:${thread}`, self.server, HOME_TTL_MS);
		return { self, bots: users.filter((_, index) => others[index] !== undefined) };
	}

	async #firstOf(servers: readonly (string | undefined)[]): Promise<StoredInstallation | undefined> {
		for (const server of servers) {
			const installation = server === undefined ? undefined : await this.of(server);
			if (installation) return installation;
		}
		return undefined;
	}

	/** Replaces an earlier installation of the same workspace. */
	async save(installation: StoredInstallation): Promise<void> {
		const { server } = installation;
		const encrypted = await this.#cipher.encrypt(JSON.stringify(installation), server);
		const put = [
			{ key: keyOf(server), value: encrypted },
			{ key: botKey(installation.botUser), value: server },
		];
		await this.#space.commit({ put });
		this.#lastRead.set(server, encrypted);
		this.#unreadable.delete(server);
	}

	async remove(server: string, at: number): Promise<boolean> {
		const stored = await this.#read(server);
		// Slack may deliver the event after the app was installed again.
		if (stored && stored.installedAt > at + EVENT_TIME_MS) return false;
		this.#lastRead.delete(server);
		await this.#keyv.delete(keyOf(server));
		if (stored) await this.#keyv.delete(botKey(stored.botUser));
		this.#unreadable.delete(server);
		return true;
	}

	isInstalled(server: string): Promise<boolean> {
		return this.#keyv.has(keyOf(server));
	}

	/** Every workspace has a token of its own, so there is nothing to check at the start. */
	async check(): Promise<undefined> {}

	isRemoved(): boolean {
		return false;
	}

	async #read(server: string): Promise<StoredInstallation | undefined> {
		const encrypted = await this.#keyv.get<string>(keyOf(server));
		this.#lastRead.set(server, encrypted);
		return encrypted === undefined ? undefined : this.#decrypt(server, encrypted);
	}

	async #decrypt(server: string, encrypted: string): Promise<StoredInstallation | undefined> {
		const text = await this.#cipher.decrypt(encrypted, server);
		if (text !== undefined) return JSON.parse(text) as StoredInstallation;
		if (!this.#unreadable.has(server))
			this.#log.error(
				{ server },
				'SLACK_STATE_SECRET has changed since a workspace installed the app: install it there again.',
			);
		this.#unreadable.set(server, true);
		return undefined;
	}
}

const keyOf = (server: string) => `installation:${server}`;
const botKey = (user: string) => `bot:${user}`;

/** A token is valid for twelve hours. The next one is requested this long before it expires, as the library does. */
const REFRESH_BEFORE_MS = 2 * 60 * 60_000;

/** How long one process alone may try. Then another may. */
const TURN_MS = 60_000;

/** How long a process with an expired token waits for another process that requests the next one. */
const WAIT_MS = 15_000;
const POLL_MS = 200;

/** Errors of a refresh token that is no longer valid. https://docs.slack.dev/reference/methods/oauth.v2.access#errors */
const INVALID = ['invalid_refresh_token', 'invalid_grant', 'token_revoked', 'token_expired'];

type RotationOptions = {
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
class TokenRotation {
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
