import { webApi } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { tryOnce } from '../api/library.ts';
import { codeOf } from '../api/slack-errors.ts';

/** Thrown when the app was installed in a workspace that is not served. */
export class NotServedError extends Error {
	override name = 'NotServedError';
	readonly code = 'workspace_not_served';
	constructor(server: string) {
		super(`${server} is not served`);
	}
}

/** Revokes a token that is not kept, which removes the bot from the workspace. https://docs.slack.dev/reference/methods/auth.revoke */
export async function revokeToken(token: string, apiUrl: string, log: Log): Promise<void> {
	try {
		await new webApi.WebClient(token, tryOnce(apiUrl, log)).auth.revoke();
	} catch (error) {
		log.warn({ err: error, slack: codeOf(error) }, 'The token of a workspace that is not served could not be revoked');
	}
}
