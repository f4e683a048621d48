import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { HTTPReceiver, type Installation as LibraryInstallation, webApi } from '@slack/bolt';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { ServesPlace } from '../../../domain/place.ts';
import type { Log } from '../../../log.ts';
import { libraryLog, tryOnce } from '../api/library.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { Access, StoredInstallation } from './installation.ts';
import { stateKey } from './token-cipher.ts';

const INSTALL_PATH = '/slack/install';
const REDIRECT_PATH = '/slack/oauth_redirect';

type Installer = NonNullable<HTTPReceiver['installer']>;
type Callbacks = NonNullable<Parameters<Installer['handleCallback']>[2]>;

type OAuthOptions = {
	access: Extract<Access, { kind: 'oauth' }>;
	apiUrl: string;
	scopes: readonly string[];
	/** Tells which workspaces may install the app. */
	serves: ServesPlace;
	/** @param installer the person who has installed the app */
	save(installation: StoredInstallation, installer: string): Promise<void>;
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
		protect(outgoing);
		await installer.handleInstallPath(incoming, outgoing, {}, { scopes: [...scopes] });
		return RESPONSE_ALREADY_SENT;
	});
	routes.get(REDIRECT_PATH, async ({ env: { incoming, outgoing } }) => {
		protect(outgoing);
		await installer.handleCallback(incoming, outgoing, callbacks);
		return RESPONSE_ALREADY_SENT;
	});
	return routes;
}

/** Bolt has the library's installer only as a part of a receiver. This receiver never listens. */
function createInstaller(options: OAuthOptions): Installer {
	const { access, apiUrl, scopes, log } = options;
	const library = libraryLog(log);
	const { installer } = new HTTPReceiver({
		...access,
		stateSecret: stateKey(access.stateSecret),
		scopes: [...scopes],
		// An error is logged where it is answered.
		logger: { ...library, error: (first) => first instanceof Error || library.error(first) },
		installationStore: {
			storeInstallation: (installation) =>
				store(options, storedFrom(installation as LibraryInstallation), installation.user.id),
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

async function store(options: OAuthOptions, installation: StoredInstallation, installer: string): Promise<void> {
	const { server, botToken } = installation;
	if (options.serves({ platform: 'slack', server })) return options.save(installation, installer);
	await revokeToken(botToken, options);
	throw new NotServedError(server);
}

/** Thrown when the app was installed in a workspace that is not served. */
class NotServedError extends Error {
	override name = 'NotServedError';
	readonly code = 'workspace_not_served';
	constructor(server: string) {
		super(`${server} is not served`);
	}
}

/** Revokes a token that is not kept, which removes the bot from the workspace. https://docs.slack.dev/reference/methods/auth.revoke */
async function revokeToken(token: string, { apiUrl, log }: OAuthOptions): Promise<void> {
	try {
		await new webApi.WebClient(token, tryOnce(apiUrl, log)).auth.revoke();
	} catch (error) {
		log.warn({ err: error, slack: codeOf(error) }, 'The token of a workspace that is not served could not be revoked');
	}
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
		logFailure(log, error, code);
		await respond(response as ServerResponse, failurePage(code, INSTALL_PATH));
	},
});

/** A stranger can open the page with whatever address: that takes no more than a short line, and none that is shown by default. */
function logFailure(log: Log, error: Error, code: string | undefined): void {
	const sentence = 'Slack: the app could not be installed';
	if (code === undefined) log.warn({ err: error }, sentence);
	else if (isVisitors(code)) log.debug({ slack: code.slice(0, 60) }, sentence);
	else log.warn({ slack: code.slice(0, 60) }, sentence);
}

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
	response.writeHead(page.status, { 'content-type': 'text/html; charset=utf-8' });
	response.end(await renderPage(page));
}

/** The headers of everything that people open. */
function protect(response: ServerResponse): void {
	const policy = ["default-src 'none'", `style-src '${STYLE_HASH}'`, "base-uri 'none'", "form-action 'none'"];
	response.setHeader('content-security-policy', [...policy, "frame-ancestors 'none'"].join('; '));
	response.setHeader('x-content-type-options', 'nosniff');
	response.setHeader('referrer-policy', 'no-referrer');
	response.setHeader('cache-control', 'no-store');
}

/** A page that an installation ends on. */
type OAuthPage = { status: number; heading: string; text: string; link: { to: string; label: string } };

const successPage = (installation: LibraryInstallation, name: string): OAuthPage => ({
	status: 200,
	heading: `Easel is installed in ${name}`,
	text: 'Type /imagine in any channel, or mention the bot. Invite it to the channels where it should read messages.',
	link: { to: linkTo(installation), label: 'Open Slack' },
});

/** @param code the library's or Slack's code of the error */
const failurePage = (code: string | undefined, installPath: string): OAuthPage => ({
	...(FAILURES[code ?? ''] ?? OTHER_FAILURE),
	heading: 'Easel was not installed',
	link: { to: installPath, label: 'Start again' },
});

const STYLE = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
`;

/** The source of the page's style, for its content security policy. */
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

async function renderPage({ heading, text, link }: OAuthPage): Promise<string> {
	const markup = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<h1>${heading}</h1>
<p>${text}</p>
<p><a href="${link.to}">${link.label}</a></p>
</body>
</html>
`;
	return String(markup);
}

/** https://docs.slack.dev/interactivity/deep-linking */
function linkTo({ appId, team }: LibraryInstallation): string {
	const link = new URL('https://slack.com/app_redirect');
	if (appId) link.searchParams.set('app', appId);
	if (team) link.searchParams.set('team', team.id);
	return link.href;
}

const NOT_FROM_SLACK = {
	status: 400,
	text: 'This page opens from Slack, at the end of an installation.',
};

/** By the library's codes, and Slack's. https://docs.slack.dev/reference/methods/oauth.v2.access#errors */
const FAILURES: Readonly<Record<string, { status: number; text: string }>> = {
	slack_oauth_installer_authorization_error: {
		status: 403,
		text: 'You did not allow the app, or you may not install apps in this workspace. A workspace admin can.',
	},
	slack_oauth_invalid_state: {
		status: 400,
		text: 'This page belongs to another visit, or the visit took more than ten minutes. Start again in this browser.',
	},
	slack_oauth_missing_state: NOT_FROM_SLACK,
	slack_oauth_missing_code: NOT_FROM_SLACK,
	workspace_not_served: {
		status: 403,
		text: 'This Easel serves certain workspaces only, and this is not one of them. Its access was revoked.',
	},
	code_already_used: {
		status: 400,
		text: 'This page was loaded before. If the app is not in your workspace, start again.',
	},
	invalid_code: { status: 400, text: 'Slack’s permission has expired. Start again.' },
	bad_redirect_uri: {
		status: 502,
		text: 'The app’s manifest has another address for this page. The operator of Easel has to correct it.',
	},
	invalid_client_id: {
		status: 502,
		text: 'Slack does not know this app. The operator of Easel has to check SLACK_CLIENT_ID.',
	},
	bad_client_secret: {
		status: 502,
		text: 'Slack rejects the app’s secret. The operator of Easel has to check SLACK_CLIENT_SECRET.',
	},
};

/** Tells whether a failure is the visitor's: whoever opens the page can cause it, and the operator can change nothing about it. */
const isVisitors = (code: string): boolean => (FAILURES[code]?.status ?? 502) < 500;

const OTHER_FAILURE = {
	status: 502,
	text: 'Slack or the store could not be reached, or did not answer as expected. Start again in a minute.',
};
