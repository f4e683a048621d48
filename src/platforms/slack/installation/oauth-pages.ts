import { createHash } from 'node:crypto';
import type { Installation as LibraryInstallation } from '@slack/bolt';
import { html, raw } from 'hono/html';

/** A page that an installation ends on. */
export type OAuthPage = { status: number; heading: string; text: string; link: { to: string; label: string } };

export const successPage = (installation: LibraryInstallation, name: string): OAuthPage => ({
	status: 200,
	heading: `Easel is installed in ${name}`,
	text: 'Type /imagine in any channel, or mention the bot. Invite it to the channels where it should read messages.',
	link: { to: linkTo(installation), label: 'Open Slack' },
});

/** @param code the library's or Slack's code of the error */
export const failurePage = (code: string | undefined, installPath: string): OAuthPage => ({
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
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

export async function renderPage({ heading, text, link }: OAuthPage): Promise<string> {
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
export const isVisitors = (code: string): boolean => (FAILURES[code]?.status ?? 502) < 500;

const OTHER_FAILURE = {
	status: 502,
	text: 'Slack or the store could not be reached, or did not answer as expected. Start again in a minute.',
};
