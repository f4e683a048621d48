import { webApi } from '@slack/bolt';
import { callOf } from '../../../domain/program.ts';
import { PlatformRefusedError, SentenceError } from '../../../i18n/translator.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';

/** Returns Slack's code of an error, such as `not_in_channel`, or undefined for other errors. The library takes a page for a code, too. */
export const codeOf = (error: unknown): string | undefined =>
	error instanceof webApi.WebAPIPlatformError && /^[\w.:-]{1,80}$/.test(error.data.error)
		? error.data.error
		: undefined;

/** Returns what tells whether an error has one of these codes, which stand one after another. */
export function hasCode(codes: string): (error: unknown) => boolean {
	const known: readonly (string | undefined)[] = codes.split(' ');
	return (error) => known.includes(codeOf(error));
}

const mayBeDone = hasCode('internal_error fatal_error');

/**
 * Whether the outcome of a call is unknown: Slack may have carried it out, also where it names an error of its own, or a page came in place
 * of its answer. https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
export const isOutcomeUnknown = (error: unknown): boolean =>
	error instanceof webApi.WebAPIRequestError ||
	(error instanceof webApi.WebAPIHTTPError && error.statusCode >= 500) ||
	(error instanceof webApi.WebAPIPlatformError && codeOf(error) === undefined) ||
	mayBeDone(error);

/** Whether Slack has not carried a call out, and may do so in a moment. */
export const isPassing = hasCode(
	'service_unavailable request_timeout team_added_to_org org_login_required external_channel_migrating',
);

const hasLimitCode = hasCode('ratelimited rate_limited message_limit_exceeded');

/**
 * Returns the milliseconds that a call has to wait because of a rate limit; undefined for other errors. Slack also names one without a time,
 * with the status 429 or in the body of another answer.
 *
 * @param untimedMs for a limit without a time
 */
export function limitMsOf(error: unknown, untimedMs = 0): number | undefined {
	if (error instanceof webApi.WebAPIRateLimitedError) return error.retryAfter * 1000;
	// The library has no other sign of a 429 without a time.
	const isUntimed = error instanceof Error && error.message.startsWith('Retry header did not contain a valid timeout');
	return isUntimed || hasLimitCode(error) ? untimedMs : undefined;
}

/** Returns what does something else after an expected rejection: `write(blocks).catch(orElse(areBlocksRefused, () => write(plain)))`. */
export const orElse =
	<Result>(isExpected: (error: unknown) => boolean, instead: () => Result) =>
	(error: unknown): Result => {
		if (!isExpected(error)) throw error;
		return instead();
	};

/** Returns what turns an expected rejection into undefined: `slack.call(…).catch(unless(isMessageGone))`. */
export const unless = (isExpected: (error: unknown) => boolean) => orElse(isExpected, () => undefined);

export const isRateLimited = (error: unknown): boolean => limitMsOf(error) !== undefined;

/** Whether Slack has refused a call, for any reason that it names. */
export const isRefused = (error: unknown): boolean => codeOf(error) !== undefined;

/** Whether the bot is not in the channel, and has to be invited. For `no_permission`, too, the app has to be a member. */
export const isNotInChannel = hasCode('not_in_channel channel_not_found invalid_channel no_permission');

/** Whether Slack does not accept the token any more. https://docs.slack.dev/reference/methods/auth.test#errors */
export const isTokenInvalid = hasCode('token_revoked token_expired invalid_auth');

/** Whether the message does not exist. */
export const isMessageGone = hasCode('message_not_found');

/** Whether a message takes no more edits, so that a new one has to be posted. https://docs.slack.dev/reference/methods/chat.update#errors */
export const isEditRefused = hasCode(
	'message_not_found edit_window_closed cant_update_message update_failed msg_too_long is_inactive',
);

/** Whether Slack refuses the blocks of a message, so that it has to be plain text. */
export const areBlocksRefused = hasCode('invalid_blocks invalid_blocks_format msg_blocks_too_long');

/** Codes of errors about which a sentence needs no details. https://docs.slack.dev/reference/methods, under each method's errors */
const CODES = {
	'slack.errors.archived': 'is_archived is_inactive',
	'slack.errors.restricted':
		'restricted_action restricted_action_read_only_channel restricted_action_thread_only_channel posting_to_channel_denied ' +
		'posting_to_general_channel_denied ekm_access_denied access_denied accesslimited enterprise_is_restricted app_access_restricted',
	'slack.errors.noThreads': 'restricted_action_non_threadable_channel',
	'slack.errors.lockedThread': 'restricted_action_thread_locked cannot_reply_to_message',
	'slack.errors.goneThread': 'thread_not_found invalid_thread_ts',
	'slack.errors.uploads': 'file_uploads_disabled',
	'slack.errors.uploadSize': 'file_upload_size_restricted',
	'slack.errors.storage': 'storage_limit_reached',
	'slack.errors.fileType': 'file_type_not_allowed blocked_file_type file_uploads_except_images_disabled',
	'slack.errors.sharedChannelFiles':
		'slack_connect_blocked_file_type slack_connect_file_upload_sharing_blocked slack_connect_file_link_sharing_blocked',
	'slack.errors.deletion': 'compliance_exports_prevent_deletion cant_delete_message',
	'slack.errors.direct':
		'cannot_dm_bot user_disabled user_not_found users_not_found user_not_visible invalid_user_combination',
	'slack.errors.messagesTab': 'messages_tab_disabled',
	'slack.errors.formExpired': 'expired_trigger_id invalid_trigger_id trigger_expired',
	'slack.errors.uninstalled':
		'account_inactive token_revoked token_expired invalid_auth not_authed team_access_not_granted',
} as const;

const SENTENCES: ReadonlyMap<string, keyof typeof CODES> = new Map(
	Object.entries(CODES).flatMap(([sentence, codes]) =>
		codes.split(' ').map((code) => [code, sentence as keyof typeof CODES]),
	),
);

/**
 * Returns a `PlatformRefusedError` for an error of Slack that people can do something about, a `SentenceError` for one that passes, and any
 * other error as it is.
 *
 * @param name the bot's name, by which people can invite it
 * @param place where it happened: nobody can be invited to a conversation between people
 */
export function refusedErrorOf(error: unknown, name = 'Easel', place?: { channel: string; isTalk?: boolean }): unknown {
	if (isRateLimited(error) || isPassing(error) || isOutcomeUnknown(error))
		return new SentenceError('slack.errors.busy', undefined, { cause: error });
	if (!(error instanceof webApi.WebAPIPlatformError)) return error;
	const { error: code, ...more } = error.data;
	if (isNotInChannel(error))
		return place?.channel.startsWith('D') || place?.isTalk
			? new PlatformRefusedError('slack.errors.betweenPeople', undefined, { cause: error })
			: new PlatformRefusedError('slack.errors.notInChannel', { name }, { cause: error });
	if (code === 'missing_scope') {
		const needed = 'needed' in more && typeof more.needed === 'string' ? more.needed : 'files:read';
		return missingScope(needed, error);
	}
	const sentence = SENTENCES.get(code);
	return sentence ? new PlatformRefusedError(sentence, undefined, { cause: error }) : error;
}

/** @param scope such as `files:read` */
export const missingScope = (scope: string, cause?: unknown): PlatformRefusedError =>
	new PlatformRefusedError('slack.errors.scope', { scope }, { cause });

const UNKNOWN_TOKEN = "Slack does not know the token in VARIABLE: copy it again from the app's settings.";
const NOT_ALLOWED = 'Slack does not allow the app in this workspace: ask a workspace admin.';

/** The errors of a token that will not work, by Slack's code. https://docs.slack.dev/reference/methods/auth.test#errors */
const TOKEN_SENTENCES: Readonly<Record<string, string>> = {
	invalid_auth: UNKNOWN_TOKEN,
	not_authed: UNKNOWN_TOKEN,
	account_inactive:
		'The token in VARIABLE belongs to an app that was removed from the workspace: install it again and set its new token.',
	token_revoked: 'The token in VARIABLE was revoked: install the app again and set its new token.',
	token_expired: 'The token in VARIABLE has expired: turn off token rotation for an app of one workspace.',
	not_allowed_token_type: 'The token in VARIABLE is of the wrong type.',
	missing_scope: `The token in VARIABLE lacks a scope: compare the app's scopes with ${callOf('manifest')}.`,
	team_access_not_granted: 'The organization has not approved the app for this workspace: ask an organization admin.',
	access_denied: NOT_ALLOWED,
	no_permission: NOT_ALLOWED,
	user_removed_from_team: 'The app was removed from the workspace: install it again and set its new token.',
	team_disabled: 'Slack has closed this workspace.',
	enterprise_is_restricted: 'Slack does not allow this organization to call auth.test.',
	ekm_access_denied: "The organization's admins have suspended the app's access: ask an organization admin.",
};

type TokenVariable = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';

/** Returns the sentence about a token that Slack has refused with this code; undefined for other codes. */
export const tokenSentence = (code: string, variable: TokenVariable): string | undefined =>
	code === 'missing_scope' && variable === 'SLACK_APP_TOKEN'
		? 'The token in SLACK_APP_TOKEN lacks the scope connections:write: create a new app-level token with it.'
		: TOKEN_SENTENCES[code]?.replace('VARIABLE', variable);

/**
 * Returns a sentence for the operator when a call was refused because of its token, and any other error as it is.
 *
 * @param variable the environment variable that has the token
 */
export function tokenErrorOf(error: unknown, variable: TokenVariable): unknown {
	const sentence = tokenSentence(codeOf(error) ?? '', variable);
	return sentence === undefined ? error : new PlatformLoginError(sentence);
}
