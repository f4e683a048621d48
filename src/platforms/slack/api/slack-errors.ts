import { webApi } from '@slack/bolt';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';

/** Returns Slack's code of an error, such as `not_in_channel`, or undefined for other errors. */
export const codeOf = (error: unknown): string | undefined =>
	error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined;

const hasCode =
	(...codes: readonly string[]) =>
	(error: unknown): boolean =>
		codes.includes(codeOf(error) ?? '');

/**
 * Whether the outcome of a call is unknown: Slack may have carried it out, also where it names an error of its own.
 * https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
export const isOutcomeUnknown = (error: unknown): boolean =>
	error instanceof webApi.WebAPIRequestError ||
	(error instanceof webApi.WebAPIHTTPError && error.statusCode >= 500) ||
	hasCode('internal_error', 'fatal_error')(error);

/** Whether Slack has not carried a call out, and may do so in a moment. */
export const isPassing = hasCode('service_unavailable', 'request_timeout', 'team_added_to_org');

/** Whether a rate limit requires a longer wait than a call could take. */
export const isRateLimited = (error: unknown): boolean => error instanceof webApi.WebAPIRateLimitedError;

/** Whether the bot is not in the channel, and has to be invited. For `no_permission`, too, the app has to be a member. */
export const isNotInChannel = hasCode('not_in_channel', 'channel_not_found', 'no_permission');

/** Whether Slack does not accept the token any more. https://docs.slack.dev/reference/methods/auth.test#errors */
export const isTokenInvalid = hasCode('token_revoked', 'token_expired', 'invalid_auth');

/** Whether the message does not exist. */
export const isMessageGone = hasCode('message_not_found');

/** Whether a message takes no more edits, so that a new one has to be posted. https://docs.slack.dev/reference/methods/chat.update#errors */
export const isEditRefused = hasCode('message_not_found', 'edit_window_closed', 'cant_update_message', 'update_failed');

/** Whether Slack refuses the blocks of a message, so that it has to be plain text. */
export const areBlocksRefused = hasCode('invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long');

/** Sentences for errors that need no details. https://docs.slack.dev/reference/methods, under each method's errors */
const SENTENCES = {
	is_archived: 'slack.errors.archived',
	restricted_action: 'slack.errors.restricted',
	restricted_action_read_only_channel: 'slack.errors.restricted',
	restricted_action_thread_only_channel: 'slack.errors.restricted',
	posting_to_channel_denied: 'slack.errors.restricted',
	posting_to_general_channel_denied: 'slack.errors.restricted',
	ekm_access_denied: 'slack.errors.restricted',
	restricted_action_non_threadable_channel: 'slack.errors.noThreads',
	restricted_action_thread_locked: 'slack.errors.lockedThread',
	file_uploads_disabled: 'slack.errors.uploads',
	file_upload_size_restricted: 'slack.errors.uploadSize',
	storage_limit_reached: 'slack.errors.storage',
	file_type_not_allowed: 'slack.errors.fileType',
	blocked_file_type: 'slack.errors.fileType',
	file_uploads_except_images_disabled: 'slack.errors.fileType',
	slack_connect_blocked_file_type: 'slack.errors.sharedChannelFiles',
	slack_connect_file_upload_sharing_blocked: 'slack.errors.sharedChannelFiles',
	slack_connect_file_link_sharing_blocked: 'slack.errors.sharedChannelFiles',
	compliance_exports_prevent_deletion: 'slack.errors.deletion',
	cant_delete_message: 'slack.errors.deletion',
	cannot_dm_bot: 'slack.errors.direct',
	user_disabled: 'slack.errors.direct',
	messages_tab_disabled: 'slack.errors.messagesTab',
	expired_trigger_id: 'slack.errors.formExpired',
	exchanged_trigger_id: 'slack.errors.formExpired',
	invalid_trigger_id: 'slack.errors.formExpired',
	trigger_expired: 'slack.errors.formExpired',
	account_inactive: 'slack.errors.uninstalled',
	token_revoked: 'slack.errors.uninstalled',
	token_expired: 'slack.errors.uninstalled',
	invalid_auth: 'slack.errors.uninstalled',
	not_authed: 'slack.errors.uninstalled',
	team_access_not_granted: 'slack.errors.uninstalled',
} as const;

/**
 * Returns a `PlatformRefusedError` for an error of Slack that people can do something about, and any other error as it is.
 *
 * @param name the bot's name, by which people can invite it
 * @param place where it happened: nobody can be invited to a conversation between people
 */
export function refusedErrorOf(error: unknown, name = 'Easel', place?: { channel: string; isTalk?: boolean }): unknown {
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
	return code in SENTENCES
		? new PlatformRefusedError(SENTENCES[code as keyof typeof SENTENCES], undefined, { cause: error })
		: error;
}

/** @param scope such as `files:read` */
export const missingScope = (scope: string, cause?: unknown): PlatformRefusedError =>
	new PlatformRefusedError('slack.errors.scope', { scope }, { cause });
