import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { HTTPReceiver, type Installation as LibraryInstallation, webApi } from '@slack/bolt';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { Invitation } from '../../../domain/platform.ts';
import type { Log } from '../../../log.ts';
import { SILENT, tryOnce } from '../api/calls.ts';
import { codeOf } from '../api/slack-errors.ts';
import { BOT_SCOPES } from '../manifest.ts';
import type { TransportOptions } from '../slack.ts';
import { type Access, type StoredInstallation, stateKey } from './workspaces.ts';

const INSTALL_PATH = '/slack/install';
const REDIRECT_PATH = '/slack/oauth_redirect';

type Installer = NonNullable<HTTPReceiver['installer']>;
type Callbacks = NonNullable<Parameters<Installer['handleCallback']>[2]>;

/** Called after a workspace has installed the app, with the person who has done it. */
export type OnInstalled = (server: string, invited: Invitation) => Promise<void>;

type OAuthOptions = Pick<TransportOptions, 'apiUrl' | 'serves' | 'log'> & {
	access: Extract<Access, { kind: 'oauth' }>;
	onInstalled?: OnInstalled | undefined;
	workspaces: { save(installation: StoredInstallation): Promise<void> };
};

/**
 * Installs the app in a workspace or an organization with Slack's library: `/slack/install` redirects to Slack, which asks for
 * permission and redirects to `/slack/oauth_redirect`. The browser must be the same, within ten minutes.
 */
export function createInstallRoutes(options: OAuthOptions): Hono<{ Bindings: HttpBindings }> {
	const installer = createInstaller(options);
	const callbacks = createCallbacks(options.log);
	const routes = new Hono<{ Bindings: HttpBindings }>();
	routes.get(INSTALL_PATH, async ({ env: { incoming, outgoing } }) => {
		protect(outgoing);
		await installer.handleInstallPath(incoming, outgoing, {}, { scopes: [...BOT_SCOPES] });
		return sent();
	});
	return routes.get(REDIRECT_PATH, async ({ env: { incoming, outgoing } }) => {
		protect(outgoing);
		await installer.handleCallback(incoming, outgoing, callbacks);
		return sent();
	});
}

/** A clone is a response of Node's. One of Hono's own class, which a listener puts in its place, would be sent once more. */
const sent = () => RESPONSE_ALREADY_SENT.clone();

/** Bolt has the library's installer only as a part of a receiver. This receiver never listens. */
function createInstaller(options: OAuthOptions): Installer {
	const { access, apiUrl } = options;
	const { installer } = new HTTPReceiver({
		...access,
		stateSecret: stateKey(access.stateSecret),
		scopes: [...BOT_SCOPES],
		logger: SILENT,
		installationStore: {
			storeInstallation: (installation) => store(options, installation as LibraryInstallation),
			fetchInstallation: () => Promise.reject(new Error('Installations are read from the store')),
		},
		installerOptions: {
			directInstall: true,
			clientOptions: tryOnce(apiUrl),
			// On the host of the Web API: https://slack.com/oauth/v2/authorize
			authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
		},
	});
	if (!installer) throw new TypeError('The library has no installer');
	return installer;
}

/** Stores an installation, or removes the bot where it does not serve: nothing is kept of its token. */
async function store(
	{ apiUrl, serves, workspaces, onInstalled, log }: OAuthOptions,
	given: LibraryInstallation,
): Promise<void> {
	const installation = storedFrom(given);
	const { server, name, botToken } = installation;
	if (serves?.({ platform: 'slack', server }) ?? true) {
		await workspaces.save(installation);
		await onInstalled?.(server, { name, person: { id: given.user.id } });
		return;
	}
	// https://docs.slack.dev/reference/methods/auth.revoke
	await new webApi.WebClient(botToken, tryOnce(apiUrl)).auth
		.revoke()
		.catch((err: unknown) =>
			log.warn({ err, slack: codeOf(err) }, 'The token of a workspace that is not served could not be revoked'),
		);
	throw Object.assign(new Error(`${server} is not served`), { code: 'workspace_not_served' });
}

/** Responds with pages of our own: the library's would show its errors. */
const createCallbacks = (log: Log): Callbacks => ({
	async successAsync(result, _options, _request, response) {
		const installation = result as LibraryInstallation;
		const { server, name } = storedFrom(installation);
		log.info({ server }, 'Slack: the app was installed');
		await respond(response as ServerResponse, {
			status: 200,
			heading: `Easel is installed in ${name}`,
			text: 'Type /imagine in any channel, or mention the bot. Invite it to the channels where it should read messages.',
			link: { to: linkTo(installation), label: 'Open Slack' },
		});
	},
	async failureAsync(error, _options, _request, response) {
		const code = codeOf(error) ?? ('code' in error ? String(error.code) : undefined);
		const [status, text] = FAILURES[code ?? ''] ?? OTHER_FAILURE;
		// Whoever opens the page can cause the failures of a visitor: they take no more than a short line, which is not shown by default.
		const level = status < 500 ? 'debug' : 'warn';
		const about = code === undefined ? { err: error } : { slack: code.slice(0, 60) };
		log[level](about, 'Slack: the app could not be installed');
		const link = { to: INSTALL_PATH, label: 'Start again' };
		await respond(response as ServerResponse, { status, heading: 'Easel was not installed', text, link });
	},
});

/** @throws Error for an installation without a bot token */
function storedFrom({ isEnterpriseInstall, enterprise, team, bot }: LibraryInstallation): StoredInstallation {
	const workspace = isEnterpriseInstall ? enterprise : team;
	if (!workspace || !bot) throw new Error('Slack has installed no bot');
	const { refreshToken, expiresAt } = bot;
	return {
		server: workspace.id,
		name: workspace.name ?? workspace.id,
		botToken: bot.token,
		botUser: bot.userId,
		bot: bot.id,
		scopes: bot.scopes,
		installedAt: Date.now(),
		...(refreshToken && expiresAt && { rotation: { refreshToken, expiresAt: expiresAt * 1000 } }),
	};
}

/** The headers of everything that people open. */
function protect(response: ServerResponse): void {
	const policy = ["default-src 'none'", `style-src '${STYLE_HASH}'`, "base-uri 'none'", "form-action 'none'"];
	response.setHeader('content-security-policy', [...policy, "frame-ancestors 'none'"].join('; '));
	response.setHeader('x-content-type-options', 'nosniff');
	response.setHeader('referrer-policy', 'no-referrer');
	response.setHeader('cache-control', 'no-store');
}

type OAuthPage = { status: number; heading: string; text: string; link: { to: string; label: string } };

const STYLE = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
`;

/** The source of the page's style, for its content security policy. */
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

async function respond(response: ServerResponse, { status, heading, text, link }: OAuthPage): Promise<void> {
	const page = await html`<!doctype html>
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
	response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
	response.end(String(page));
}

/** https://docs.slack.dev/interactivity/deep-linking */
function linkTo({ appId, team }: LibraryInstallation): string {
	const link = new URL('https://slack.com/app_redirect');
	if (appId) link.searchParams.set('app', appId);
	if (team) link.searchParams.set('team', team.id);
	return link.href;
}

/** The status and the text of a page. */
type Failure = readonly [status: number, text: string];

const NOT_FROM_SLACK: Failure = [400, 'This page opens from Slack, at the end of an installation.'];

/** By the library's codes, and Slack's. https://docs.slack.dev/reference/methods/oauth.v2.access#errors */
const FAILURES: Readonly<Record<string, Failure>> = {
	slack_oauth_installer_authorization_error: [
		403,
		'You did not allow the app, or you may not install apps in this workspace. A workspace admin can.',
	],
	slack_oauth_invalid_state: [
		400,
		'This page belongs to another visit, or the visit took more than ten minutes. Start again in this browser.',
	],
	slack_oauth_missing_state: NOT_FROM_SLACK,
	slack_oauth_missing_code: NOT_FROM_SLACK,
	workspace_not_served: [
		403,
		'This Easel serves certain workspaces only, and this is not one of them. Its access was revoked.',
	],
	code_already_used: [400, 'This page was loaded before. If the app is not in your workspace, start again.'],
	invalid_code: [400, 'Slack’s permission has expired. Start again.'],
	bad_redirect_uri: [
		502,
		'The app’s manifest has another address for this page. The operator of Easel has to correct it.',
	],
	invalid_client_id: [502, 'Slack does not know this app. The operator of Easel has to check SLACK_CLIENT_ID.'],
	bad_client_secret: [502, 'Slack rejects the app’s secret. The operator of Easel has to check SLACK_CLIENT_SECRET.'],
};

const OTHER_FAILURE: Failure = [
	502,
	'Slack or the store could not be reached, or did not answer as expected. Start again in a minute.',
];
