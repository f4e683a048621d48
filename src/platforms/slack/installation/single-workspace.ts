import { webApi } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { tryOnce } from '../api/library.ts';
import type { Installation, SharedMessage, Workspaces } from './installation.ts';
import { tokenErrorOf } from './token-errors.ts';

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

	async ownerOf({ server }: SharedMessage): Promise<{ self: Installation; bots: readonly string[] } | undefined> {
		const self = await this.of(server);
		return self && { self, bots: [] };
	}

	async check(): Promise<readonly string[]> {
		return (await this.#load()).scopes;
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
		if ((await this.#load().catch(() => undefined))?.server !== server) return undefined;
		return !this.#isRemoved;
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
		return {
			server,
			botToken: this.#botToken,
			botUser: answer.user_id,
			bot: answer.bot_id,
			scopes: answer.response_metadata?.scopes ?? [],
		};
	}
}
