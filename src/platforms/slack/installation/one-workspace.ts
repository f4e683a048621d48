import { webApi } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { tryOnce } from '../api/client-options.ts';
import type { Installation } from './installation.ts';
import { tokenErrorOf } from './token-errors.ts';
import type { Workspaces } from './workspaces.ts';

/** The one workspace, or the one organisation, that a bot token is for. What it is, Slack says when it can be reached first. */
export function createOneWorkspace(options: { botToken: string; apiUrl: string; log: Log }): Workspaces {
	const { botToken, apiUrl, log } = options;
	const client = new webApi.WebClient(botToken, tryOnce(apiUrl, log));
	let known: Promise<Installation> | undefined;
	let removed = false;

	async function ask(): Promise<Installation> {
		const answer = await client.auth.test().catch((error: unknown) => {
			throw tokenErrorOf(error, 'SLACK_BOT_TOKEN');
		});
		const server = answer.is_enterprise_install ? answer.enterprise_id : answer.team_id;
		if (!server || !answer.user_id || !answer.bot_id)
			throw tokenErrorOf(
				new webApi.WebAPIPlatformError({ ok: false, error: 'not_allowed_token_type' }),
				'SLACK_BOT_TOKEN',
			);
		log.info({ server }, `Slack: in ${answer.team ?? server} as @${answer.user ?? answer.user_id}`);
		return {
			server,
			botToken,
			botUser: answer.user_id,
			bot: answer.bot_id,
			scopes: answer.response_metadata?.scopes ?? [],
		};
	}

	function installation(): Promise<Installation> {
		known ??= ask().catch((error: unknown) => {
			known = undefined;
			throw error;
		});
		return known;
	}

	return {
		async of(server) {
			if (removed) return undefined;
			const installed = await installation();
			return installed.server === server ? installed : undefined;
		},
		async check() {
			const { scopes } = await installation();
			return scopes;
		},
		async remove(server) {
			if ((await this.of(server)) === undefined) return false;
			removed = true;
			log.error('The app was removed from the Slack workspace: install it again, and start Easel anew with its token.');
			return true;
		},
		gone: () => removed,
	};
}
