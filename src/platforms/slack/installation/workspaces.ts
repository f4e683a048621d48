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
	readonly isRemoved?: boolean;
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
	readonly #options: { botToken: string; apiUrl: string; log: Log };
	#installation: Promise<Installation> | undefined;
	isRemoved = false;

	constructor(options: { botToken: string; apiUrl: string; log: Log }) {
		this.#options = options;
	}

	async of(server: string): Promise<Installation | undefined> {
		if (this.isRemoved) return undefined;
		const installation = await this.check();
		return installation.server === server ? installation : undefined;
	}

	async ownerOf({ server }: SharedMessage): ReturnType<Workspaces['ownerOf']> {
		const self = await this.of(server);
		return self && { self, bots: [] };
	}

	/** Asks again after a failure. */
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

	async isInstalled(server: string): Promise<boolean | undefined> {
		const known = await this.check().catch(() => undefined);
		return known?.server === server ? !this.isRemoved : undefined;
	}

	async #request(): Promise<Installation> {
		const { botToken, apiUrl, log } = this.#options;
		const refused = (error: unknown) => tokenErrorOf(error, 'SLACK_BOT_TOKEN');
		const answer = await new webApi.WebClient(botToken, tryOnce(apiUrl, log)).auth
			.test()
			.catch((error: unknown) => Promise.reject(refused(error)));
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
