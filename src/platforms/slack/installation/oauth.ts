import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { HTTPReceiver, type Installation as LibraryInstallation } from '@slack/bolt';
import { Hono } from 'hono';
import type { Log } from '../../../log.ts';
import { tryOnce } from '../api/client-options.ts';
import { libraryLog } from '../api/library-log.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { Access } from '../transport/access.ts';
import { failurePage, type OAuthPage, renderPage, successPage } from './oauth-pages.ts';
import type { StoredInstallation } from './workspaces.ts';

const INSTALL_PATH = '/slack/install';
const REDIRECT_PATH = '/slack/oauth_redirect';

type Installer = NonNullable<HTTPReceiver['installer']>;
type Callbacks = NonNullable<Parameters<Installer['handleCallback']>[2]>;

type OAuthOptions = {
	access: Extract<Access, { kind: 'oauth' }>;
	apiUrl: string;
	scopes: readonly string[];
	save(installation: StoredInstallation): Promise<void>;
	log: Log;
};

/**
 * Installs the app in a workspace or an organization with Slack's library: `/slack/install` redirects to Slack, which asks for
 * permission and redirects to `/slack/oauth_redirect`. The browser must be the same, within ten minutes.
 */
export function createInstallRoutes(options: OAuthOptions): Hono<{ Bindings: HttpBindings }> {
	const { scopes, log } = options;
	const installer = createInstaller(options);
	const callbacks = createCallbacks(log);
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

/** Bolt has the library's installer only as a part of a receiver. This receiver never listens. */
function createInstaller({ access, apiUrl, scopes, save, log }: OAuthOptions): Installer {
	const { installer } = new HTTPReceiver({
		...access,
		scopes: [...scopes],
		logger: libraryLog(log),
		installationStore: {
			storeInstallation: (installation) => save(storedFrom(installation as LibraryInstallation)),
			fetchInstallation: () => Promise.reject(new Error('Installations are read from the store')),
		},
		installerOptions: {
			directInstall: true,
			clientOptions: tryOnce(apiUrl, log),
			// On the host of the Web API: https://slack.com/oauth/v2/authorize
			authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
		},
	});
	if (!installer) throw new TypeError('The library has no installer');
	return installer;
}

/** Responds with pages of our own: the library's would show its errors. */
const createCallbacks = (log: Log): Callbacks => ({
	async successAsync(result, _options, _request, response) {
		const installation = result as LibraryInstallation;
		const { server, name } = storedFrom(installation);
		log.info({ server }, 'Slack: the app was installed');
		await respond(response as ServerResponse, successPage(installation, name));
	},
	async failureAsync(error, _options, _request, response) {
		const code = codeOf(error) ?? ('code' in error ? String(error.code) : undefined);
		log.warn({ err: error, slack: code }, 'Slack: the app could not be installed');
		await respond(response as ServerResponse, failurePage(code, INSTALL_PATH));
	},
});

/** @throws Error for an installation without a bot token */
function storedFrom({ isEnterpriseInstall, enterprise, team, bot }: LibraryInstallation): StoredInstallation {
	const workspace = isEnterpriseInstall ? enterprise : team;
	if (!workspace || !bot) throw new Error('Slack has installed no bot');
	return {
		server: workspace.id,
		name: workspace.name ?? workspace.id,
		botToken: bot.token,
		botUser: bot.userId,
		bot: bot.id,
		scopes: bot.scopes,
		installedAt: Date.now(),
		...(bot.refreshToken &&
			bot.expiresAt && { rotation: { refreshToken: bot.refreshToken, expiresAt: bot.expiresAt * 1000 } }),
	};
}

async function respond(response: ServerResponse, page: OAuthPage): Promise<void> {
	response.writeHead(page.status, {
		'content-type': 'text/html; charset=utf-8',
		'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
		'referrer-policy': 'no-referrer',
		'cache-control': 'no-store',
	});
	response.end(await renderPage(page));
}
