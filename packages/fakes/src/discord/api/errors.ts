import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';

type ErrorDetails = { errors?: object; violation?: boolean; headers?: Readonly<Record<string, string>> };

/** An error response in Discord's format. https://docs.discord.com/developers/topics/opcodes-and-status-codes */
export class DiscordError extends Error {
	readonly status: number;
	readonly code: number;
	/** The errors of fields, as a tree along the keys of the body. */
	readonly errors: object | undefined;
	/** Whether a well-behaved application never receives it. Then it is recorded as a violation. */
	readonly violation: boolean;
	readonly headers: Readonly<Record<string, string>> | undefined;

	constructor(status: number, code: number, message: string, more: ErrorDetails = {}) {
		super(message);
		this.status = status;
		this.code = code;
		this.errors = more.errors;
		this.violation = more.violation ?? false;
		this.headers = more.headers;
	}

	toJSON() {
		return { message: this.message, code: this.code, ...(this.errors && { errors: this.errors }) };
	}
}

const unknown = (code: number, what: string) => () => new DiscordError(404, code, `Unknown ${what}`);
const refused = (code: number, message: string) => () => new DiscordError(403, code, message);
const mistake = (status: number, code: number, message: string) => () =>
	new DiscordError(status, code, message, { violation: true });

/**
 * The errors that Discord returns, each with the address that says when. The codes:
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
 */
export const apiErrors = {
	/** https://docs.discord.com/developers/resources/channel#get-channel */
	unknownChannel: unknown(Code.UnknownChannel, 'Channel'),
	/** https://docs.discord.com/developers/resources/guild#get-guild */
	unknownGuild: unknown(Code.UnknownGuild, 'Guild'),
	/** https://docs.discord.com/developers/resources/guild#get-guild-member */
	unknownMember: unknown(Code.UnknownMember, 'Member'),
	/** https://docs.discord.com/developers/resources/user#get-user */
	unknownUser: unknown(Code.UnknownUser, 'User'),
	/** https://docs.discord.com/developers/resources/message#get-channel-message */
	unknownMessage: unknown(Code.UnknownMessage, 'Message'),
	/** https://github.com/discord/discord-api-docs/issues/6851 */
	unknownWebhook: unknown(Code.UnknownWebhook, 'Webhook'),
	/** https://docs.discord.com/developers/interactions/receiving-and-responding#responding-to-an-interaction */
	unknownInteraction: unknown(Code.UnknownInteraction, 'interaction'),
	/** https://docs.discord.com/developers/interactions/application-commands#get-global-application-command */
	unknownCommand: unknown(Code.UnknownApplicationCommand, 'application command'),
	/** https://docs.discord.com/developers/topics/permissions#permission-overwrites */
	missingAccess: refused(Code.MissingAccess, 'Missing Access'),
	/** https://docs.discord.com/developers/topics/permissions#permission-overwrites */
	missingPermissions: refused(Code.MissingPermissions, 'Missing Permissions'),
	/** https://docs.discord.com/developers/resources/message#edit-message */
	notYourMessage: refused(
		Code.CannotEditMessageAuthoredByAnotherUser,
		'Cannot edit a message authored by another user',
	),
	/** https://docs.discord.com/developers/resources/user#create-dm */
	closedDirectMessages: refused(Code.CannotSendMessagesToThisUser, 'Cannot send messages to this user'),
	/** https://docs.discord.com/developers/resources/channel#start-thread-without-message */
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
	/** https://docs.discord.com/developers/topics/threads */
	tooManyThreads: () => new DiscordError(400, Code.MaximumActiveThreads, 'Maximum number of active threads reached'),
	/** https://docs.discord.com/developers/topics/threads */
	/** The limit of a resource that others share. https://docs.discord.com/developers/topics/rate-limits#header-format */
	sharedRateLimit: () =>
		new DiscordError(429, 0, 'The resource is being rate limited.', {
			headers: { 'X-RateLimit-Scope': 'shared', 'Retry-After': '0.001' },
		}),
	archivedThread: () => new DiscordError(400, Code.InvalidActionOnArchivedThread, 'Thread is archived'),
	/** https://docs.discord.com/developers/resources/channel#start-thread-from-message */
	hasThread: () =>
		new DiscordError(400, Code.ThreadAlreadyCreatedForMessage, 'A thread has already been created for this message'),
	/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
	blockedByAutoMod: () => new DiscordError(400, 200_000, 'Message was blocked by automatic moderation'),
	/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
	titleBlockedByAutoMod: () => new DiscordError(400, 200_001, 'Title was blocked by automatic moderation'),
	/** https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages */
	tokenExpired: () => new DiscordError(401, Code.InvalidWebhookToken, 'Invalid Webhook Token'),
	/** https://docs.discord.com/developers/change-log (2024-06-27) */
	tooManyFollowUps: () =>
		new DiscordError(
			400,
			Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages,
			'This interaction has hit the maximum number of follow up messages',
		),
	/** Although the file is within the announced limit. https://github.com/discord/discord-api-docs/issues/8572 */
	uploadTooLarge: () => new DiscordError(413, Code.RequestEntityTooLarge, 'Request entity too large'),
	/** https://docs.discord.com/developers/reference#authentication */
	unauthorized: mistake(401, 0, '401: Unauthorized'),
	/** https://docs.discord.com/developers/reference#api-versioning */
	notFound: mistake(404, 0, '404: Not Found'),
	/** https://docs.discord.com/developers/reference#uploading-files */
	tooLarge: mistake(413, Code.RequestEntityTooLarge, 'Request entity too large'),
	/** https://docs.discord.com/developers/resources/message#create-message */
	emptyMessage: mistake(400, Code.CannotSendAnEmptyMessage, 'Cannot send an empty message'),
	/** https://docs.discord.com/developers/reference#error-messages */
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
