import type { Slack } from '../context.ts';
import { secret } from '../ids.ts';
import { misuse, slackError } from '../web-api/errors.ts';
import type { Installation, Json, Team, User } from '../world/model.ts';
import { deliverEvent } from './events.ts';

/** https://docs.slack.dev/authentication/using-token-rotation */
const TOKEN_LIFETIME_S = 12 * 3600;

type Code = { team: Team; user: User; scopes: string[]; redirectUri: string };

/** OAuth: the page where people install the application, and the exchange of codes and tokens. */
export function createOAuth(slack: Slack) {
	const codes = new Map<string, Code>();
	const usedRefreshTokens = new Set<string>();

	/** Returns the address that a person is redirected to after *Allow*. https://docs.slack.dev/authentication/installing-with-oauth */
	function authorize(url: URL, user: User): string {
		const { clientId, manifest, violate } = slack;
		const { client_id, scope = '', redirect_uri = '', state, user_scope } = Object.fromEntries(url.searchParams);
		if (client_id !== clientId) throw slackError('invalid_client_id');
		if (!scope) throw misuse('no_scopes');
		if (!state) violate('OAuth: there is no state, which protects against forged requests');
		if (user_scope) violate('OAuth: user scopes are requested');
		const code = secret('');
		codes.set(code, { team: user.team, user, scopes: scope.split(','), redirectUri: redirect_uri });
		// The default is the first address in the manifest.
		const back = new URL(redirect_uri || (manifest.oauth_config?.redirect_urls?.[0] ?? ''));
		back.searchParams.set('code', code);
		if (state) back.searchParams.set('state', state);
		return back.href;
	}

	function grant(installation: Installation): Json {
		const { settings, clock, appId } = slack;
		const { team, user, scopes } = installation;
		if (settings.rotation) {
			if (installation.expiresAt) installation.retired.set(installation.token, installation.expiresAt);
			installation.token = secret('xoxe.xoxb-1-');
			installation.refreshToken = secret('xoxe-1-');
			installation.expiresAt = clock.now() + TOKEN_LIFETIME_S * 1000;
		}
		return {
			access_token: installation.token,
			token_type: 'bot',
			scope: [...scopes].join(),
			bot_user_id: user.id,
			app_id: appId,
			...(settings.rotation && { expires_in: TOKEN_LIFETIME_S, refresh_token: installation.refreshToken }),
			team: team.orgWide ? null : { id: team.id, name: team.name },
			enterprise: team.enterprise ?? null,
			is_enterprise_install: team.orgWide,
		};
	}

	/** A refresh token works once. https://docs.slack.dev/authentication/using-token-rotation */
	function refresh(token: string): Json {
		const { world, violate } = slack;
		if (usedRefreshTokens.has(token)) {
			violate('OAuth: a refresh token was used twice');
			throw slackError('invalid_refresh_token');
		}
		const installation = [...world.teams.values()]
			.map((team) => team.installation)
			.find((one) => one?.refreshToken === token);
		if (!installation) throw slackError('invalid_refresh_token');
		usedRefreshTokens.add(token);
		return grant(installation);
	}

	return {
		authorize,
		/** https://docs.slack.dev/reference/methods/oauth.v2.access */
		access(args: Json): Json {
			const { clientId, clientSecret, world } = slack;
			if (args['client_id'] !== clientId) throw slackError('invalid_client_id');
			if (args['client_secret'] !== clientSecret) throw slackError('bad_client_secret');
			if (args['grant_type'] === 'refresh_token') return refresh(String(args['refresh_token']));
			const code = codes.get(String(args['code']));
			if (!code) throw slackError('invalid_code');
			codes.delete(String(args['code']));
			if (code.redirectUri && args['redirect_uri'] !== code.redirectUri) throw misuse('bad_redirect_uri');
			return { ...grant(world.install(code.team, code.scopes)), authed_user: { id: code.user.id } };
		},
	};
}

/** Removes the application from a workspace. It receives the events, and its token becomes invalid. */
export function uninstall(slack: Slack, team: Team): void {
	const installation = team.installation;
	if (!installation) return;
	const subscribed = slack.manifest.settings?.event_subscriptions?.bot_events ?? [];
	if (subscribed.includes('tokens_revoked'))
		deliverEvent(slack, team, { type: 'tokens_revoked', tokens: { oauth: [], bot: [installation.user.id] } });
	if (subscribed.includes('app_uninstalled')) deliverEvent(slack, team, { type: 'app_uninstalled' });
	delete team.installation;
}
