import { webApi } from '@slack/bolt';
import { PlatformRefusedError } from '../../../bot/messages/refused-error.ts';

/** Returns Slack's code of an error, such as `not_in_channel`, or undefined for other errors. */
export const codeOf = (error: unknown): string | undefined =>
	error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined;

/** Whether the outcome of a call is unknown: Slack may have carried it out. */
export const isOutcomeUnknown = (error: unknown): boolean =>
	error instanceof webApi.WebAPIRequestError || (error instanceof webApi.WebAPIHTTPError && error.statusCode >= 500);

/** Whether the bot is not in the channel, and has to be invited. */
export const isNotInChannel = (error: unknown): boolean => NOT_IN_CHANNEL.has(codeOf(error) ?? '');
/** For `no_permission`, too, the app has to be a member. https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const NOT_IN_CHANNEL: ReadonlySet<string> = new Set(['not_in_channel', 'channel_not_found', 'no_permission']);

/** Whether the message does not exist. */
export const isMessageGone = (error: unknown): boolean => codeOf(error) === 'message_not_found';

/** Sentences for errors that need no details. https://docs.slack.dev/reference/methods, under each method's errors */
const SENTENCES = {
	is_archived: 'This channel is archived; ask in another one.',
	restricted_action: 'The admins of this workspace let only some people post here; ask in another channel.',
	restricted_action_read_only_channel:
		'The admins of this workspace let only some people post here; ask in another channel.',
	restricted_action_thread_only_channel:
		'The admins of this workspace let only some people post here; ask in another channel.',
	ekm_access_denied: 'The admins of this workspace let only some people post here; ask in another channel.',
	restricted_action_non_threadable_channel: 'There are no threads in this channel; ask in another one.',
	restricted_action_thread_locked: 'This thread is locked; ask outside of it.',
	file_uploads_disabled:
		'Uploads are turned off in this workspace, so no picture can be shown; a workspace admin can turn them on under Permissions.',
	file_upload_size_restricted: 'The admins of this workspace let no file through that is as large as this picture.',
	storage_limit_reached: "This workspace's storage is full; an admin has to make room before pictures can be posted.",
	cannot_dm_bot: 'Slack lets me send you no direct messages.',
	user_disabled: 'Slack lets me send you no direct messages.',
	messages_tab_disabled:
		'Slack lets me send you no direct messages: whoever runs Easel has to turn on the Messages Tab of its app.',
	expired_trigger_id: 'Slack did not wait long enough to show the form; try once more.',
	exchanged_trigger_id: 'Slack did not wait long enough to show the form; try once more.',
	invalid_trigger_id: 'Slack did not wait long enough to show the form; try once more.',
	trigger_expired: 'Slack did not wait long enough to show the form; try once more.',
	account_inactive: 'Slack no longer lets Easel in here; an admin has to install it once more.',
	token_revoked: 'Slack no longer lets Easel in here; an admin has to install it once more.',
	token_expired: 'Slack no longer lets Easel in here; an admin has to install it once more.',
	invalid_auth: 'Slack no longer lets Easel in here; an admin has to install it once more.',
	not_authed: 'Slack no longer lets Easel in here; an admin has to install it once more.',
	team_access_not_granted: 'Slack no longer lets Easel in here; an admin has to install it once more.',
} as const;

/**
 * Returns a `PlatformRefusedError` for an error of Slack that people can do something about, and any other error as it is.
 *
 * @param name the bot's name, by which people can invite it
 */
export function refusedErrorOf(error: unknown, name = 'Easel'): unknown {
	if (!(error instanceof webApi.WebAPIPlatformError)) return error;
	const { error: code, ...more } = error.data;
	if (isNotInChannel(error))
		return new PlatformRefusedError(
			'I am not in this channel. Invite me with `/invite @{name}`, then ask again.',
			{ name },
			{ cause: error },
		);
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
	new PlatformRefusedError(
		'Easel lacks the permission `{scope}` in this workspace: an admin has to add it to the app and install it once more.',
		{ scope },
		{ cause },
	);
