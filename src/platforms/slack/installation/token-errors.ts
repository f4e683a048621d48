import { codeOf } from '../api/slack-errors.ts';
import { SlackLoginError } from './login-error.ts';

/** What Slack does not let a token in with, for good. https://docs.slack.dev/reference/methods/auth.test#errors */
const SENTENCES: Readonly<Record<string, (variable: string) => string>> = {
	invalid_auth: (variable) => `Slack does not know the token in ${variable}: copy it anew from the app's pages.`,
	not_authed: (variable) => `Slack does not know the token in ${variable}: copy it anew from the app's pages.`,
	account_inactive: (variable) =>
		`The token in ${variable} is of an app that was removed from the workspace: install it again and set its new token.`,
	token_revoked: (variable) => `The token in ${variable} was revoked: install the app again and set its new token.`,
	token_expired: (variable) =>
		`The token in ${variable} has expired: turn token rotation off for an app of one workspace.`,
	not_allowed_token_type: (variable) => `${variable} holds a token of another kind than is needed there.`,
	missing_scope: (variable) =>
		variable === 'SLACK_APP_TOKEN'
			? 'The token in SLACK_APP_TOKEN has no scope connections:write: make a new app-level token with it.'
			: `The token in ${variable} lacks a permission: compare the app's scopes with npm run manifest.`,
	team_access_not_granted: () => 'The organisation has not let the app into this workspace yet: ask its admins.',
	access_denied: () => 'Slack does not let the app in: ask the admins of the workspace.',
	no_permission: () => 'Slack does not let the app in: ask the admins of the workspace.',
	user_removed_from_team: () => 'The app was removed from the workspace: install it again and set its new token.',
	team_disabled: () => 'Slack has closed this workspace.',
	enterprise_is_restricted: () => 'Slack does not let this organisation use the method that is asked first.',
	ekm_access_denied: () => "The organisation's admins have suspended what the app would need: ask them.",
};

/**
 * A call that was refused for the token it was made with as what is to be done about it; any other error as it is.
 * @param variable the environment variable that the token is from
 */
export function tokenErrorOf(error: unknown, variable: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'): unknown {
	const sentence = SENTENCES[codeOf(error) ?? ''];
	return sentence ? new SlackLoginError(sentence(variable)) : error;
}
