import { webApi } from '@slack/bolt';
import type { Log } from '../../../log.ts';
import { tryOnce } from '../api/library.ts';
import type { Refresh } from './token-rotation.ts';

/** https://docs.slack.dev/authentication/using-token-rotation#refresh */
export function createRefresh(options: {
	access: { clientId: string; clientSecret: string };
	apiUrl: string;
	log: Log;
}): Refresh {
	const { clientId, clientSecret } = options.access;
	const client = new webApi.WebClient(undefined, tryOnce(options.apiUrl, options.log));
	return async (refreshToken) => {
		const answer = await client.oauth.v2.access({
			client_id: clientId,
			client_secret: clientSecret,
			grant_type: 'refresh_token',
			refresh_token: refreshToken,
		});
		if (!answer.access_token || !answer.refresh_token || !answer.expires_in)
			throw new Error('Slack answered without a token');
		return {
			botToken: answer.access_token,
			refreshToken: answer.refresh_token,
			expiresInMs: answer.expires_in * 1000,
		};
	};
}
