import type { Slack } from '../context.ts';
import { secret } from '../ids.ts';
import { refuse, wrong } from '../web-api/errors.ts';
import type { Installation, Json, Team, User } from '../world/model.ts';
import { send } from './events.ts';

/** https://docs.slack.dev/authentication/using-token-rotation */
const TOKEN_LIVES_S = 12 * 3600;

type Code = { team: Team; user: User; scopes: string[]; redirectUri: string };

/** OAuth: the page where people let the application in, and the exchange of codes and tokens. */
export function createOAuth(slack: () => Slack) {
	const codes = new Map<string, Code>();
	/** Refresh tokens that are spent. */
	const spent = new Set<string>();

	/** What goes back to the application when somebody presses Allow there. */
	function authorize(url: URL, user: User): string {
		const { clientId, manifest, violate } = slack();
		const { client_id, scope = '', redirect_uri = '', state, user_scope } = Object.fromEntries(url.searchParams);
		if (client_id !== clientId) throw refuse('invalid_client_id');
		if (!scope) throw wrong('no_scopes');
		if (!state) violate('OAuth: without a state anybody could finish what somebody began');
		if (user_scope) violate('OAuth: scopes of people are asked for');
		const code = secret('');
		codes.set(code, { team: user.team, user, scopes: scope.split(','), redirectUri: redirect_uri });
		// Who names no address is sent to the first that the application has.
		const back = new URL(redirect_uri || (manifest.oauth_config?.redirect_urls?.[0] ?? ''));
		back.searchParams.set('code', code);
		if (state) back.searchParams.set('state', state);
		return back.href;
	}

	function grant(installation: Installation): Json {
		const { settings, clock, appId } = slack();
		const { team, user, scopes } = installation;
		if (settings.rotation) {
			if (installation.expiresAt) installation.retired.set(installation.token, installation.expiresAt);
			installation.token = secret('xoxe.xoxb-1-');
			installation.refreshToken = secret('xoxe-1-');
			installation.expiresAt = clock.now() + TOKEN_LIVES_S * 1000;
		}
		return {
			access_token: installation.token,
			token_type: 'bot',
			scope: [...scopes].join(),
			bot_user_id: user.id,
			app_id: appId,
			...(settings.rotation && { expires_in: TOKEN_LIVES_S, refresh_token: installation.refreshToken }),
			team: team.orgWide ? null : { id: team.id, name: team.name },
			enterprise: team.enterprise ?? null,
			is_enterprise_install: team.orgWide,
		};
	}

	function refresh(token: string): Json {
		const { world, violate } = slack();
		if (spent.has(token)) {
			violate('OAuth: a refresh token was used twice');
			throw refuse('invalid_refresh_token');
		}
		const installation = [...world.teams.values()]
			.map((team) => team.installation)
			.find((one) => one?.refreshToken === token);
		if (!installation) throw refuse('invalid_refresh_token');
		spent.add(token);
		return grant(installation);
	}

	return {
		authorize,
		/** `oauth.v2.access` */
		access(args: Json): Json {
			const { clientId, clientSecret, world } = slack();
			if (args['client_id'] !== clientId) throw refuse('invalid_client_id');
			if (args['client_secret'] !== clientSecret) throw refuse('bad_client_secret');
			if (args['grant_type'] === 'refresh_token') return refresh(String(args['refresh_token']));
			const code = codes.get(String(args['code']));
			if (!code) throw refuse('invalid_code');
			codes.delete(String(args['code']));
			if (code.redirectUri && args['redirect_uri'] !== code.redirectUri) throw wrong('bad_redirect_uri');
			return { ...grant(world.install(code.team, code.scopes)), authed_user: { id: code.user.id } };
		},
	};
}

/** Takes the application out of a workspace. It is told of that, and its token is no good any more. */
export function uninstall(slack: Slack, team: Team): void {
	const installation = team.installation;
	if (!installation) return;
	const subscribed = slack.manifest.settings?.event_subscriptions?.bot_events ?? [];
	if (subscribed.includes('tokens_revoked'))
		send(slack, team, { type: 'tokens_revoked', tokens: { oauth: [], bot: [installation.user.id] } });
	if (subscribed.includes('app_uninstalled')) send(slack, team, { type: 'app_uninstalled' });
	delete team.installation;
}
