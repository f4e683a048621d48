import { webApi } from '@slack/bolt';
import { callOf } from '../../../domain/program.ts';
import type { Log } from '../../../log.ts';
import { tryOnce } from '../api/calls.ts';
import { tokenErrorOf } from '../api/slack-errors.ts';
import { missingScopes } from '../manifest.ts';

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

export type Installations = {
	of(server: string): Promise<Installation | undefined>;
};

/** A message of a channel that workspaces share. */
export type SharedMessage = {
	/** The workspace that Slack names. It may be another one for the next message. */
	server: string;
	/** The channel and the first message of its thread, which the message itself may be. */
	thread: string;
	/** Whom it mentions, and who has written it and the first message of its thread. */
	users: readonly string[];
};

export type Workspaces = Installations & {
	/**
	 * Returns the installation that a message of a shared channel belongs to, the same one for all of a thread: the bot that was mentioned
	 * there first, or whose message it begins with. Slack may name any one that is in the channel.
	 * https://docs.slack.dev/apis/events-api/#authorizations
	 *
	 * @returns `bots`: those of `users` that are bots of this app
	 */
	ownerOf(message: SharedMessage): Promise<{ self: Installation; bots: readonly string[] } | undefined>;
	/**
	 * Asks Slack whether the bot token is valid, where there is one for the whole process.
	 *
	 * @throws PlatformLoginError, or the network's error
	 */
	check?(): Promise<unknown>;
	/**
	 * Removes an installation that Slack has ended.
	 *
	 * @param at Unix milliseconds
	 * @returns false where the bot was not installed, or was installed again since
	 */
	remove(server: string, at: number): Promise<boolean>;
	/** Tells whether the bot is installed in a workspace now; undefined where this process cannot know it. */
	isInstalled(server: string): Promise<boolean | undefined>;
	/** Tells whether the bot was removed from the only workspace that this process can have. */
	isRemoved?(): boolean;
};

/** An installation as it is stored, encrypted. */
export type StoredInstallation = Installation & {
	/** The name of the workspace or organization, for people. */
	name: string;
	/** Unix milliseconds. */
	installedAt: number;
};

/** The one workspace, or the one organization, that a bot token is for. Slack is asked which, once. */
export class SingleWorkspace implements Workspaces {
	readonly #botToken: string;
	readonly #client: webApi.WebClient;
	readonly #log: Log;
	#installation: Promise<Installation> | undefined;
	#isRemoved = false;

	constructor({ botToken, apiUrl, log }: { botToken: string; apiUrl: string; log: Log }) {
		this.#botToken = botToken;
		this.#client = new webApi.WebClient(botToken, tryOnce(apiUrl, log));
		this.#log = log;
	}

	async of(server: string): Promise<Installation | undefined> {
		if (this.#isRemoved) return undefined;
		const installation = await this.#load();
		return installation.server === server ? installation : undefined;
	}

	async ownerOf({ server }: SharedMessage): ReturnType<Workspaces['ownerOf']> {
		const self = await this.of(server);
		return self && { self, bots: [] };
	}

	check(): Promise<unknown> {
		return this.#load();
	}

	async remove(server: string): Promise<boolean> {
		if ((await this.of(server)) === undefined) return false;
		this.#isRemoved = true;
		this.#log.error(
			'The app was removed from the Slack workspace: install it again, and restart Easel with its new token.',
		);
		return true;
	}

	async isInstalled(server: string): Promise<boolean | undefined> {
		const known = await this.#load().catch(() => undefined);
		return known?.server === server ? !this.#isRemoved : undefined;
	}

	isRemoved(): boolean {
		return this.#isRemoved;
	}

	/** Asks again after a failure. */
	#load(): Promise<Installation> {
		this.#installation ??= this.#request().catch((error: unknown) => {
			this.#installation = undefined;
			throw error;
		});
		return this.#installation;
	}

	async #request(): Promise<Installation> {
		const answer = await this.#client.auth.test().catch((error: unknown) => {
			throw tokenErrorOf(error, 'SLACK_BOT_TOKEN');
		});
		const server = answer.is_enterprise_install ? answer.enterprise_id : answer.team_id;
		if (!server || !answer.user_id || !answer.bot_id)
			throw tokenErrorOf(
				new webApi.WebAPIPlatformError({ ok: false, error: 'not_allowed_token_type' }),
				'SLACK_BOT_TOKEN',
			);
		this.#log.info({ server }, `Slack: in ${answer.team ?? server} as @${answer.user ?? answer.user_id}`);
		const scopes = answer.response_metadata?.scopes ?? [];
		const missing = missingScopes(scopes);
		// Slack lists the scopes with every answer. A stand-in for Slack may not.
		if (scopes.length > 0 && missing.length > 0)
			this.#log.warn(
				`The Slack app lacks the scopes ${missing.join(', ')}: add them as ${callOf('manifest')} has them, and install the app again.`,
			);
		return { server, botToken: this.#botToken, botUser: answer.user_id, bot: answer.bot_id, scopes };
	}
}
