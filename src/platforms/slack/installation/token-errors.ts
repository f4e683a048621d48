import { callOf } from '../../../domain/program.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import { codeOf } from '../api/slack-errors.ts';

/** The errors of a token that will not work, by Slack's code. https://docs.slack.dev/reference/methods/auth.test#errors */
const SENTENCES: Readonly<Record<string, (variable: string) => string>> = {
	invalid_auth: (variable) => `Slack does not know the token in ${variable}: copy it again from the app's settings.`,
	not_authed: (variable) => `Slack does not know the token in ${variable}: copy it again from the app's settings.`,
	account_inactive: (variable) =>
		`The token in ${variable} belongs to an app that was removed from the workspace: install it again and set its new token.`,
	token_revoked: (variable) => `The token in ${variable} was revoked: install the app again and set its new token.`,
	token_expired: (variable) =>
		`The token in ${variable} has expired: turn off token rotation for an app of one workspace.`,
	not_allowed_token_type: (variable) => `The token in ${variable} is of the wrong type.`,
	missing_scope: (variable) =>
		variable === 'SLACK_APP_TOKEN'
			? 'The token in SLACK_APP_TOKEN lacks the scope connections:write: create a new app-level token with it.'
			: `The token in ${variable} lacks a scope: compare the app's scopes with ${callOf('manifest')}.`,
	team_access_not_granted: () =>
		'The organization has not approved the app for this workspace: ask an organization admin.',
	access_denied: () => 'Slack does not allow the app in this workspace: ask a workspace admin.',
	no_permission: () => 'Slack does not allow the app in this workspace: ask a workspace admin.',
	user_removed_from_team: () => 'The app was removed from the workspace: install it again and set its new token.',
	team_disabled: () => 'Slack has closed this workspace.',
	enterprise_is_restricted: () => 'Slack does not allow this organization to call auth.test.',
	ekm_access_denied: () => "The organization's admins have suspended the app's access: ask an organization admin.",
};

/** Returns the sentence about a token that Slack has refused with this code; undefined for other codes. */
export const tokenSentence = (code: string, variable: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'): string | undefined =>
	SENTENCES[code]?.(variable);

/**
 * Returns a sentence for the operator when a call was refused because of its token, and any other error as it is.
 *
 * @param variable the environment variable that holds the token
 */
export function tokenErrorOf(error: unknown, variable: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'): unknown {
	const sentence = tokenSentence(codeOf(error) ?? '', variable);
	return sentence === undefined ? error : new PlatformLoginError(sentence);
}
