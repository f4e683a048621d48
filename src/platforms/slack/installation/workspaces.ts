import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scrypt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { once } from '../../../domain/findings.ts';
import { callOf } from '../../../domain/program.ts';
import { bounded } from '../../../domain/queues.ts';
import type { Log } from '../../../log.ts';
import { isStoreFailure } from '../../shared/failure-message.ts';
import { tryOnce } from '../api/calls.ts';
import { codeOf, hasCode, tokenErrorOf } from '../api/slack-errors.ts';
import { missingScopes } from '../manifest.ts';
import type { TransportOptions } from '../slack.ts';

/** The credentials for Slack: for one workspace by Socket Mode or HTTP, or for many by OAuth. */
export type Access =
	| { kind: 'socket'; botToken: string; appToken: string }
	| { kind: 'http'; botToken: string; signingSecret: string }
	| ({ kind: 'oauth'; clientId: string; clientSecret: string; signingSecret: string } & StateSecrets);

/** The operator's own secret, and the one before, with which stored tokens may still be encrypted. */
export type StateSecrets = { stateSecret: string; previousStateSecret?: string | undefined };

/** The bot in a workspace, or in a whole organization. */
export type Installation = {
	/** The owner of caps and places: the id of the organization when it is installed for all of it, else of the workspace. */
	server: string;
	botToken: string;
	botUser: string;
	/** The bot's id as the author of messages, `B…`. */
	bot: string;
	scopes: readonly string[];
	/** With token rotation: when `botToken` expires (Unix milliseconds), and the token that the next one is requested with, once. */
	rotation?: { expiresAt: number; refreshToken: string };
};

/** Finds where the bot is installed, with its token now; with token rotation, another one takes its place. */
export type Installations = { of(server: string): Promise<Installation | undefined> };

export type Workspaces = SingleWorkspace | OAuthWorkspaces;

/** A message of a channel that workspaces share. */
type SharedMessage = {
	/** The workspace that Slack names. It may be another one for the next message. */
	server: string;
	/** The channel and the first message of its thread, which the message itself may be. */
	thread: string;
	/** Whom it mentions, and who has written it and the first message of its thread. */
	users: readonly string[];
};

/** An installation as it is stored, encrypted. */
export type StoredInstallation = Installation & {
	/** The name of the workspace or organization, for people. */
	name: string;
	/** Unix milliseconds. */
	installedAt: number;
};

/** The one workspace, or the one organization, that a bot token is for. Slack is asked which, once. */
export class SingleWorkspace {
	readonly #options: { botToken: string; apiUrl: string; log: Log };
	#installation: Promise<Installation> | undefined;
	/** Whether the bot was removed from it. */
	isRemoved = false;

	constructor(options: { botToken: string; apiUrl: string; log: Log }) {
		this.#options = options;
	}

	async of(server: string): Promise<Installation | undefined> {
		const installation = this.isRemoved ? undefined : await this.check();
		return installation?.server === server ? installation : undefined;
	}

	/**
	 * Asks Slack whether the token is valid; again after a failure.
	 *
	 * @throws PlatformLoginError, or the network's error
	 */
	check(): Promise<Installation> {
		this.#installation ??= this.#request().catch((error: unknown) => {
			this.#installation = undefined;
			throw error;
		});
		return this.#installation;
	}

	async remove(server: string): Promise<boolean> {
		if ((await this.of(server)) === undefined) return false;
		this.isRemoved = true;
		const { log } = this.#options;
		log.error('The app was removed from the Slack workspace: install it again, and restart Easel with its new token.');
		return true;
	}

	/** Tells whether the bot is installed in a workspace now; undefined where this process cannot know it. */
	async isInstalled(server: string): Promise<boolean | undefined> {
		const known = await this.check().catch(() => undefined);
		return known?.server === server ? !this.isRemoved : undefined;
	}

	async #request(): Promise<Installation> {
		const { botToken, apiUrl, log } = this.#options;
		const refused = (error: unknown) => tokenErrorOf(error, 'SLACK_BOT_TOKEN');
		const client = new webApi.WebClient(botToken, tryOnce(apiUrl));
		const answer = await client.auth.test().catch((error: unknown) => Promise.reject(refused(error)));
		const { enterprise_id, team_id, user_id: botUser, bot_id: bot, team, user = botUser } = answer;
		const server = answer.is_enterprise_install ? enterprise_id : team_id;
		if (!server || !botUser || !bot)
			throw refused(new webApi.WebAPIPlatformError({ ok: false, error: 'not_allowed_token_type' }));
		log.info({ server }, `Slack: in ${team ?? server} as @${user}`);
		const scopes = answer.response_metadata?.scopes ?? [];
		const missing = missingScopes(scopes);
		// Slack lists the scopes with every answer. A stand-in for Slack may not.
		if (scopes.length > 0 && missing.length > 0)
			log.warn(
				`The Slack app lacks the scopes ${missing.join(', ')}: add them as ${callOf('manifest')} has them, and install the app again.`,
			);
		return { server, botToken, botUser, bot, scopes };
	}
}

/** Slack's event times are whole seconds. */
const EVENT_TIME_MS = 1000;

/** As long as a thread in which the bot chats is remembered after its last message. */
const HOME_TTL_MS = 366 * 24 * 3600_000;

/** The number of workspaces that are known while the store fails. */
const MAX_LAST_READ = 10_000;

/** A token is valid for twelve hours. The next one is requested this long before it expires, as the library does. */
const RENEW_BEFORE_MS = 2 * 60 * 60_000;

/** How long one process alone may try. Then another may. */
const TURN_MS = 60_000;

/** How long an expired token waits for the process that requests the next one. */
const WAIT_MS = 15_000;
const POLL_MS = 200;

/** Errors of a refresh token that is no longer valid. https://docs.slack.dev/reference/methods/oauth.v2.access#errors */
const isInvalid = hasCode('invalid_refresh_token invalid_grant token_revoked token_expired');

type OAuthWorkspacesOptions = TransportOptions & { access: Extract<Access, { kind: 'oauth' }> };

/** The workspaces and organizations that have installed the app by OAuth, stored with encrypted tokens. */
export class OAuthWorkspaces {
	readonly #options: OAuthWorkspacesOptions;
	readonly #cipher: TokenCipher;
	readonly #now: () => number;
	readonly isRemoved = false;
	/** Servers that an error was logged for. */
	readonly #unreadable = new Set<string>();
	/** The installations as they were last read or saved, encrypted. */
	readonly #lastRead = new LRUCache<string, string>(bounded(MAX_LAST_READ));

	constructor(options: OAuthWorkspacesOptions) {
		this.#options = options;
		this.#cipher = new TokenCipher(options.access);
		this.#now = options.now ?? Date.now;
	}

	/** While the store fails, returns an installation as it was last read. Its token is not replaced then. */
	async of(server: string): Promise<StoredInstallation | undefined> {
		try {
			const stored = await this.#read(server);
			return await (stored && this.#withValidToken(stored));
		} catch (error) {
			const encrypted = this.#lastRead.get(server);
			if (!isStoreFailure(error) || encrypted === undefined) throw error;
			return this.#decrypt(server, encrypted);
		}
	}

	/**
	 * Returns the installation that a message of a shared channel belongs to, the same one for all of a thread: the bot that was mentioned
	 * there first, or whose message it begins with. Slack may name any one that is in the channel.
	 * https://docs.slack.dev/apis/events-api/#authorizations
	 *
	 * @returns `bots`: those of `users` that are bots of this app
	 */
	async ownerOf({ server, thread, users }: SharedMessage) {
		const { space, log } = this.#options;
		const [home, ...others] = await space.keyv
			.getMany<string>([`home:${thread}`, ...users.map(botKey)])
			.catch((error: unknown): undefined[] => {
				log.error({ err: error }, 'The workspace of a shared message could not be looked up');
				return [];
			});
		let self: Installation | undefined;
		for (const one of [home, ...others, server]) self ??= one === undefined ? undefined : await this.of(one);
		if (!self) return undefined;
		if (self.server !== home && others.includes(self.server))
			await space.keyv.set(`home:${thread}`, self.server, HOME_TTL_MS);
		return { self, bots: users.filter((_, index) => others[index] !== undefined) };
	}

	async save(installation: StoredInstallation): Promise<void> {
		const { server } = installation;
		const encrypted = await this.#cipher.encrypt(JSON.stringify(installation), server);
		const put = [
			{ key: keyOf(server), value: encrypted },
			{ key: botKey(installation.botUser), value: server },
		];
		await this.#options.space.commit({ put });
		this.#lastRead.set(server, encrypted);
		this.#unreadable.delete(server);
	}

	/**
	 * Removes an installation that Slack has ended.
	 *
	 * @param at Unix milliseconds
	 * @returns false where the bot was installed again since
	 */
	async remove(server: string, at: number): Promise<boolean> {
		const stored = await this.#read(server);
		// Slack may deliver the event after the app was installed again.
		if (stored && stored.installedAt > at + EVENT_TIME_MS) return false;
		for (const known of [this.#lastRead, this.#unreadable]) known.delete(server);
		await this.#options.space.commit({ remove: [keyOf(server), ...(stored ? [botKey(stored.botUser)] : [])] });
		return true;
	}

	isInstalled(server: string): Promise<boolean> {
		return this.#options.space.keyv.has(keyOf(server));
	}

	async #read(server: string): Promise<StoredInstallation | undefined> {
		const encrypted = await this.#options.space.keyv.get<string>(keyOf(server));
		this.#lastRead.set(server, encrypted);
		return encrypted === undefined ? undefined : this.#decrypt(server, encrypted);
	}

	async #decrypt(server: string, encrypted: string): Promise<StoredInstallation | undefined> {
		const text = await this.#cipher.decrypt(encrypted, server);
		if (text !== undefined) return JSON.parse(text) as StoredInstallation;
		const why = 'SLACK_STATE_SECRET has changed since a workspace installed the app: install it there again.';
		if (!this.#unreadable.has(server)) this.#options.log.error({ server }, why);
		this.#unreadable.add(server);
		return undefined;
	}

	/**
	 * Returns an installation with a valid token, which is replaced before it expires: one process requests the next one, once, and the
	 * others use the current one meanwhile, or wait for the next one once it has expired.
	 * https://docs.slack.dev/authentication/using-token-rotation
	 */
	async #withValidToken(stored: StoredInstallation): Promise<StoredInstallation> {
		const giveUpAt = this.#now() + WAIT_MS;
		for (let current = stored; ; current = (await this.#read(stored.server)) ?? current) {
			const { rotation } = current;
			if (!rotation || rotation.expiresAt - this.#now() > RENEW_BEFORE_MS) return current;
			const turn = `refresh:${createHash('sha256').update(rotation.refreshToken).digest('hex')}`;
			if (await this.#options.claim(turn, TURN_MS)) return this.#renewed(current, rotation);
			if (rotation.expiresAt > this.#now() || this.#now() >= giveUpAt) return current;
			await sleep(POLL_MS);
		}
	}

	/** Returns an installation with its next token. Rejects when the token has expired and there is no other yet. */
	async #renewed(
		stored: StoredInstallation,
		{ refreshToken, expiresAt }: NonNullable<Installation['rotation']>,
	): Promise<StoredInstallation> {
		const { access, apiUrl, log } = this.#options;
		const { clientId: client_id, clientSecret: client_secret } = access;
		const { server } = stored;
		// Another process may have replaced the token after this one read it.
		const latest = await this.#read(server);
		if (latest?.rotation && latest.rotation.refreshToken !== refreshToken) return latest;
		try {
			const client = new webApi.WebClient(undefined, tryOnce(apiUrl));
			// Slack accepts a refresh token once.
			const asked = { client_id, client_secret, grant_type: 'refresh_token' as const, refresh_token: refreshToken };
			const { access_token: botToken, refresh_token: next, expires_in: seconds } = await client.oauth.v2.access(asked);
			if (!botToken || !next || !seconds) throw new Error('Slack answered without a token');
			const rotation = { refreshToken: next, expiresAt: this.#now() + seconds * 1000 };
			const replaced = { ...stored, botToken, rotation };
			await this.save(replaced);
			return replaced;
		} catch (error) {
			if (isInvalid(error))
				log.error({ server }, 'Slack rejects the refresh token of a workspace: install the app there again.');
			else log.warn({ err: error, slack: codeOf(error), server }, 'A token could not be replaced');
			if (expiresAt > this.#now()) return stored;
			throw error;
		}
	}
}

const keyOf = (server: string) => `installation:${server}`;
const botKey = (user: string) => `bot:${user}`;

const CIPHER = 'aes-256-gcm';
/** The first byte of what is encrypted, so that the format can change. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** Encrypts stored tokens with a key that is derived from a secret outside the store. */
export class TokenCipher {
	/** The first one encrypts. They are slow to derive, since a secret may be one that can be guessed: once, and not during the start. */
	readonly #keys: readonly (() => Promise<Buffer>)[];

	constructor({ stateSecret, previousStateSecret }: StateSecrets) {
		const secrets = [stateSecret, previousStateSecret].filter((secret) => secret !== undefined);
		this.#keys = secrets.map((secret) => once(() => derivedKey(secret, 'easel/slack/installations/1', KEY_BYTES)));
	}

	/** @param owner whose token it is; it cannot be decrypted as another's */
	async encrypt(text: string, owner: string): Promise<string> {
		const nonce = randomBytes(NONCE_BYTES);
		const key = await this.#keys[0]!();
		const cipher = createCipheriv(CIPHER, key, nonce).setAAD(associatedData(owner));
		const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
		return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), encrypted]).toString('base64');
	}

	/** Returns undefined when it was encrypted with another secret, for another owner, or was changed. */
	async decrypt(encrypted: string, owner: string): Promise<string | undefined> {
		const bytes = Buffer.from(encrypted, 'base64');
		if (bytes[0] !== VERSION || bytes.length < HEADER_BYTES) return undefined;
		for (const key of this.#keys) {
			const text = decrypted(bytes, await key(), owner);
			if (text !== undefined) return text;
		}
		return undefined;
	}
}

function decrypted(bytes: Buffer, key: Buffer, owner: string): string | undefined {
	const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
	const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
	decipher.setAAD(associatedData(owner)).setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEADER_BYTES));
	try {
		return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
	} catch {
		return undefined;
	}
}

const derivedKey = promisify<string, string, number, Buffer>(scrypt);

/**
 * Returns the key of the states that `/slack/install` gives to everybody. Nothing that is derived from it tells the key of the tokens, so
 * a state is of no use with a stolen store.
 */
export const stateKey = (secret: string): string =>
	createHmac('sha256', secret).update('easel/slack/state/1').digest('hex');

const associatedData = (owner: string) => Buffer.from(`${VERSION}:${owner}`);
