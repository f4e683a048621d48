import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { HTTPReceiver, type Installation as Installed, webApi } from '@slack/bolt';
import { Hono } from 'hono';
import type { Log } from '../../../log.ts';
import { tryOnce } from '../api/client-options.ts';
import { libraryLog } from '../api/library-log.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { Access } from '../transport/access.ts';
import { page } from './oauth-pages.ts';
import type { Refresh } from './rotation.ts';
import type { StoredInstallation } from './workspaces.ts';

const INSTALL_PATH = '/slack/install';
const REDIRECT_PATH = '/slack/oauth_redirect';

type Options = {
	access: Extract<Access, { kind: 'oauth' }>;
	apiUrl: string;
	/** What the bot may do where it is installed. */
	scopes: readonly string[];
	keep(installation: StoredInstallation): Promise<void>;
	log: Log;
};

/**
 * Installs the app in a workspace or in an organisation, by Slack's own library: `/slack/install` sends people to Slack, which asks
 * them and sends them back to `/slack/oauth_redirect`. Who comes back must be who was sent, within ten minutes.
 */
export function createInstallRoutes({ access, apiUrl, scopes, keep, log }: Options): Hono<{ Bindings: HttpBindings }> {
	// The library has the installer on a receiver alone. This one never listens.
	const { installer } = new HTTPReceiver({
		...access,
		scopes: [...scopes],
		logger: libraryLog(log),
		installationStore: {
			storeInstallation: (installed) => keep(keptFrom(installed as Installed)),
			// Where it is installed is asked of our own store.
			fetchInstallation: () => Promise.reject(new Error('Not asked here')),
		},
		installerOptions: {
			directInstall: true,
			clientOptions: tryOnce(apiUrl, log),
			// Slack's pages are beside its Web API: https://slack.com/oauth/v2/authorize
			authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
		},
	});
	if (!installer) throw new TypeError('The library has no installer');

	/** Both end in a page; the library's own would quote its errors. */
	const callbacks = {
		successAsync: async (installed: Installed, _: unknown, request: IncomingMessage, response: ServerResponse) => {
			const { server, name } = keptFrom(installed);
			log.info({ server }, 'Slack: the app was installed');
			const link = { to: linkTo(installed), label: 'Open Slack' };
			const text =
				'Type /imagine in any channel, or mention the bot. Invite it to the channels where it is to be heard.';
			await show(request, response, 200, page(`Easel is installed in ${name}`, text, link));
		},
		failureAsync: async (error: Error, _: unknown, request: IncomingMessage, response: ServerResponse) => {
			const code = codeOf(error) ?? ('code' in error ? String(error.code) : undefined);
			log.warn({ err: error, slack: code }, 'Slack: the app could not be installed');
			const { status, text } = FAILURES[code ?? ''] ?? OTHER_FAILURE;
			const again = { to: INSTALL_PATH, label: 'Start again' };
			await show(request, response, status, page('Easel was not installed', text, again));
		},
	};

	const routes = new Hono<{ Bindings: HttpBindings }>();
	routes.get(INSTALL_PATH, async ({ env: { incoming, outgoing } }) => {
		await installer.handleInstallPath(incoming, outgoing, {}, { scopes: [...scopes] });
		return RESPONSE_ALREADY_SENT;
	});
	routes.get(REDIRECT_PATH, async ({ env: { incoming, outgoing } }) => {
		await installer.handleCallback(incoming, outgoing, callbacks);
		return RESPONSE_ALREADY_SENT;
	});
	return routes;
}

/** Gets the next token of a workspace where tokens are rotated. */
export function createRefresh({ access, apiUrl, log }: Pick<Options, 'access' | 'apiUrl' | 'log'>): Refresh {
	const client = new webApi.WebClient(undefined, tryOnce(apiUrl, log));
	return async (refreshToken) => {
		const answer = await client.oauth.v2.access({
			client_id: access.clientId,
			client_secret: access.clientSecret,
			grant_type: 'refresh_token',
			refresh_token: refreshToken,
		});
		if (!answer.access_token || !answer.refresh_token || !answer.expires_in)
			throw new Error('Slack has answered without a token');
		return {
			botToken: answer.access_token,
			refreshToken: answer.refresh_token,
			expiresInMs: answer.expires_in * 1000,
		};
	};
}

/** Rejects what has no bot in it: nothing can be done without one. */
function keptFrom({ isEnterpriseInstall, enterprise, team, bot }: Installed): StoredInstallation {
	const whole = isEnterpriseInstall ? enterprise : team;
	if (!whole || !bot) throw new Error('Slack has installed no bot');
	return {
		server: whole.id,
		name: whole.name ?? whole.id,
		botToken: bot.token,
		botUser: bot.userId,
		bot: bot.id,
		scopes: bot.scopes,
		installedAt: Date.now(),
		...(bot.refreshToken &&
			bot.expiresAt && { rotation: { refreshToken: bot.refreshToken, expiresAt: bot.expiresAt * 1000 } }),
	};
}

/** https://docs.slack.dev/interactivity/deep-linking */
function linkTo({ appId, team }: Installed): string {
	const link = new URL('https://slack.com/app_redirect');
	if (appId) link.searchParams.set('app', appId);
	if (team) link.searchParams.set('team', team.id);
	return link.href;
}

/** By the library's codes, and Slack's. https://docs.slack.dev/reference/methods/oauth.v2.access#errors */
const FAILURES: Readonly<Record<string, { status: number; text: string }>> = {
	slack_oauth_installer_authorization_error: {
		status: 403,
		text: 'You did not allow it, or may not install apps in this workspace; its admins can.',
	},
	slack_oauth_invalid_state: {
		status: 400,
		text: 'This page belongs to another visit, or the visit took more than ten minutes. Start again in this browser.',
	},
	slack_oauth_missing_state: {
		status: 400,
		text: 'This page is reached from Slack, after an installation was begun here.',
	},
	slack_oauth_missing_code: {
		status: 400,
		text: 'This page is reached from Slack, after an installation was begun here.',
	},
	code_already_used: {
		status: 400,
		text: 'This page was loaded before. If the app is not in your workspace, start again.',
	},
	invalid_code: { status: 400, text: 'Slack’s permission has expired before it arrived here; start again.' },
	bad_redirect_uri: {
		status: 502,
		text: 'Slack knows another address of this page: whoever runs Easel has to put that right in the app’s manifest.',
	},
	invalid_client_id: {
		status: 502,
		text: 'Slack does not know this app: whoever runs Easel has to look at SLACK_CLIENT_ID.',
	},
	bad_client_secret: {
		status: 502,
		text: 'Slack does not let this app ask: whoever runs Easel has to look at SLACK_CLIENT_SECRET.',
	},
};

const OTHER_FAILURE = {
	status: 502,
	text: 'Slack or the store could not be reached, or did not answer as expected. Start again in a minute.',
};

async function show(
	_: IncomingMessage,
	response: ServerResponse,
	status: number,
	body: Promise<string>,
): Promise<void> {
	response.writeHead(status, {
		'content-type': 'text/html; charset=utf-8',
		'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
		'referrer-policy': 'no-referrer',
		'cache-control': 'no-store',
	});
	response.end(await body);
}
