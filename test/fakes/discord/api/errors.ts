import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';

/** An error response in Discord's format. https://docs.discord.com/developers/topics/opcodes-and-status-codes */
export class DiscordError extends Error {
	readonly status: number;
	readonly code: number;
	/** The errors of fields, as a tree along the keys of the body. */
	readonly errors: object | undefined;
	/** Whether a well-behaved application never receives it. Then it is recorded as a violation. */
	readonly violation: boolean;

	constructor(status: number, code: number, message: string, more: { errors?: object; violation?: boolean } = {}) {
		super(message);
		this.status = status;
		this.code = code;
		this.errors = more.errors;
		this.violation = more.violation ?? false;
	}

	toJSON() {
		return { message: this.message, code: this.code, ...(this.errors && { errors: this.errors }) };
	}
}

const unknown = (code: number, what: string) => () => new DiscordError(404, code, `Unknown ${what}`);
const refused = (code: number, message: string) => () => new DiscordError(403, code, message);
const mistake = (status: number, code: number, message: string) => () =>
	new DiscordError(status, code, message, { violation: true });

/** The errors that Discord returns. */
export const apiErrors = {
	unknownChannel: unknown(Code.UnknownChannel, 'Channel'),
	unknownGuild: unknown(Code.UnknownGuild, 'Guild'),
	unknownMember: unknown(Code.UnknownMember, 'Member'),
	unknownUser: unknown(Code.UnknownUser, 'User'),
	unknownMessage: unknown(Code.UnknownMessage, 'Message'),
	unknownWebhook: unknown(Code.UnknownWebhook, 'Webhook'),
	unknownInteraction: unknown(Code.UnknownInteraction, 'interaction'),
	unknownCommand: unknown(Code.UnknownApplicationCommand, 'application command'),
	missingAccess: refused(Code.MissingAccess, 'Missing Access'),
	missingPermissions: refused(Code.MissingPermissions, 'Missing Permissions'),
	notYourMessage: refused(
		Code.CannotEditMessageAuthoredByAnotherUser,
		'Cannot edit a message authored by another user',
	),
	closedDirectMessages: refused(Code.CannotSendMessagesToThisUser, 'Cannot send messages to this user'),
	wrongChannelType: refused(Code.CannotExecuteActionOnThisChannelType, 'Cannot execute action on this channel type'),
	/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
	nonTextChannel: () =>
		new DiscordError(400, Code.CannotSendMessagesInNonTextChannel, 'Cannot send messages in a non-text channel'),
	/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
	tagRequired: () =>
		new DiscordError(
			400,
			Code.TagRequiredToCreateAForumPostInThisChannel,
			'A tag is required to create a forum post in this channel',
		),
	/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
	noFreeTags: () =>
		new DiscordError(
			400,
			Code.ThereAreNoTagsAvailableThatCanBeSetByNonModerators,
			'There are no tags available that can be set by non-moderators',
		),
	tooManyThreads: () => new DiscordError(400, Code.MaximumActiveThreads, 'Maximum number of active threads reached'),
	archivedThread: () => new DiscordError(400, Code.InvalidActionOnArchivedThread, 'Thread is archived'),
	hasThread: () =>
		new DiscordError(400, Code.ThreadAlreadyCreatedForMessage, 'A thread has already been created for this message'),
	/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
	blockedByAutoMod: () => new DiscordError(400, 200_000, 'Message was blocked by automatic moderation'),
	/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
	titleBlockedByAutoMod: () => new DiscordError(400, 200_001, 'Title was blocked by automatic moderation'),
	tokenExpired: () => new DiscordError(401, Code.InvalidWebhookToken, 'Invalid Webhook Token'),
	tooManyFollowUps: () =>
		new DiscordError(
			400,
			Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages,
			'This interaction has hit the maximum number of follow up messages',
		),
	/** Although the file is within the announced limit. https://github.com/discord/discord-api-docs/issues/8572 */
	uploadTooLarge: () => new DiscordError(413, Code.RequestEntityTooLarge, 'Request entity too large'),
	unauthorized: mistake(401, 0, '401: Unauthorized'),
	notFound: mistake(404, 0, '404: Not Found'),
	tooLarge: mistake(413, Code.RequestEntityTooLarge, 'Request entity too large'),
	emptyMessage: mistake(400, Code.CannotSendAnEmptyMessage, 'Cannot send an empty message'),
	badJson: mistake(400, 50109, 'The request body contains invalid JSON.'),
};

/** An error of one field of the body. */
export type FieldError = { path: readonly PropertyKey[]; code: string; message: string };

/** Returns `Invalid Form Body` with the errors of its fields. https://docs.discord.com/developers/reference#error-messages */
export function invalidForm(errors: readonly FieldError[]): DiscordError {
	const root: Record<string, unknown> = {};
	for (const { path, code, message } of errors) {
		let node = root;
		for (const key of path) {
			node[String(key)] ??= {};
			node = node[String(key)] as Record<string, unknown>;
		}
		node['_errors'] = [...((node['_errors'] as object[] | undefined) ?? []), { code, message }];
	}
	return new DiscordError(400, Code.InvalidFormBodyOrContentType, 'Invalid Form Body', {
		errors: root,
		violation: true,
	});
}
