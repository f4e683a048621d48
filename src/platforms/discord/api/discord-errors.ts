import { RESTJSONErrorCodes as Code, DiscordAPIError, HTTPError } from 'discord.js';
import type { Place } from '../../../domain/place.ts';
import { PlatformRefusedError, SentenceError, UploadTooLargeError } from '../../../i18n/sentence-error.ts';
import type { MessageId } from '../../../i18n/translator.ts';
import { isConnectionFailure } from './rest.ts';

/** The kinds of threads that do not start from a message. In forums every thread is a post, which has a first message of its own. */
export type ThreadKind = 'public' | 'private' | 'announcement' | 'post';

/** What is done: a message is written, or a thread is opened. */
type Purpose = 'message' | ThreadKind;

/**
 * Rejects with a `PlatformRefusedError` for an error of Discord's that a person can do something about, with a `SentenceError` for one that
 * passes, else with the error itself.
 */
export async function translateErrors<Result>(purpose: Purpose, place: Place, work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		if (isPassing(error)) throw new SentenceError('discord.errors.passing', undefined, { cause: error });
		throw (error instanceof DiscordAPIError && refusalOf(error, purpose, place)) || error;
	}
}

const PASSING: readonly unknown[] = [
	Code.ActionCannotBePerformedDueToSlowmodeRateLimit,
	Code.ChannelWriteRateLimit,
	Code.SendMessagesHasBeenTemporarilyDisabled,
	Code.FeatureTemporarilyDisabledServerSide,
	Code.CloudflareIsBlockingYourRequest,
];

/** Tells whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
	if (error instanceof DiscordAPIError) return !isFromDiscord(error) || PASSING.includes(error.code);
	return error instanceof HTTPError || isConnectionFailure(error);
}

/** A proxy before Discord answers without a code, and Discord itself does so, with 401, while it fails. */
const isFromDiscord = ({ code }: DiscordAPIError) => Number(code) > 0;

type Where = { purpose: Purpose; place: Place };

/**
 * The sentence for each code.
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
 */
const SENTENCES: Readonly<Record<number, MessageId | ((where: Where) => MessageId)>> = {
	[Code.UnknownChannel]: 'discord.errors.channelGone',
	[Code.MissingAccess]: ({ place }) => (place.direct ? 'discord.errors.notMember' : 'discord.errors.view'),
	[Code.MissingPermissions]: ({ purpose }) => MISSING_PERMISSIONS[purpose],
	[Code.InvalidActionOnArchivedThread]: 'discord.errors.closedThread',
	[Code.ThreadLocked]: 'discord.errors.lockedThread',
	[Code.MaximumActiveThreads]: 'discord.errors.threadLimit',
	[Code.MaximumActiveAnnouncementThreads]: 'discord.errors.threadLimit',
	[Code.CannotExecuteActionOnThisChannelType]: ({ purpose }) =>
		purpose === 'private' ? 'discord.errors.noPrivateThreads' : 'discord.errors.noThreads',
	[Code.TagRequiredToCreateAForumPostInThisChannel]: 'discord.errors.forumTags',
	[Code.ThereAreNoTagsAvailableThatCanBeSetByNonModerators]: 'discord.errors.forumTags',
	[Code.CannotSendMessagesInNonTextChannel]: 'discord.errors.unpostable',
	[Code.CannotSendMessagesToThisUser]: 'discord.errors.direct',
	[Code.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds]: 'discord.errors.noSharedServer',
	[Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages]: 'discord.errors.answersUsedUp',
	// “Cannot message this thread until after the post author has sent an initial message”
	[Code.CannotSendAMessageInAForumChannel]: 'discord.errors.authorFirst',
	[Code.MessageWasBlockedByAutomaticModeration]: 'discord.errors.autoMod',
	[Code.TitleWasBlockedByAutomaticModeration]: 'discord.errors.autoModTitle',
	[Code.ExplicitContentCannotBeSentToTheDesiredRecipient]: 'discord.errors.explicit',
	[Code.MessageBlockedByHarmfulLinksFilter]: 'discord.errors.harmfulLink',
	[Code.AccessToFileUploadsHasBeenLimitedForThisGuild]: 'discord.errors.uploadsLimited',
	[Code.RequestEntityTooLarge]: 'discord.errors.uploadSize',
	[Code.FileUploadedExceedsMaximumSize]: 'discord.errors.uploadSize',
};

const MISSING_PERMISSIONS: Readonly<Record<Purpose, MessageId>> = {
	message: 'discord.errors.post',
	public: 'discord.errors.threads',
	announcement: 'discord.errors.threads',
	post: 'discord.errors.forum',
	private: 'discord.errors.privateThreads',
};

/** The sentences about the forum that a thread is in. */
const ABOUT_FORUMS: readonly MessageId[] = ['discord.errors.forum', 'discord.errors.forumTags'];

function refusalOf(cause: DiscordAPIError, purpose: Purpose, place: Place): PlatformRefusedError | undefined {
	const { thread, channel } = place;
	const found = SENTENCES[Number(cause.code)];
	const sentence = typeof found === 'function' ? found({ purpose, place }) : found;
	if (!sentence) return undefined;
	const where = `<#${ABOUT_FORUMS.includes(sentence) ? channel : (thread ?? channel)}>`;
	const Refused = sentence === 'discord.errors.uploadSize' ? UploadTooLargeError : PlatformRefusedError;
	return new Refused(sentence, { where, threads: thread === undefined ? 'no' : 'yes' }, { cause });
}

/** Tells whether something is gone, never existed, or is no longer visible to the bot. */
export const isMissing = (error: unknown) => hasStatus(error, 401, 403, 404);

/** Tells whether something does not exist any more, or can be reached by nobody, such as a private message without its token. */
export const isGone = (error: unknown) => hasStatus(error, 401, 404);

const hasStatus = (error: unknown, ...statuses: number[]) =>
	error instanceof DiscordAPIError && isFromDiscord(error) && statuses.includes(error.status);

export const codeOf = (error: unknown) => (error instanceof DiscordAPIError ? error.code : undefined);

export const isUnknownMessage = (error: unknown) => codeOf(error) === Code.UnknownMessage;

export const isTokenRefused = (error: unknown) =>
	codeOf(error) === Code.InvalidWebhookToken || codeOf(error) === Code.UnknownWebhook;

export const isAcknowledged = (error: unknown) => codeOf(error) === Code.InteractionHasAlreadyBeenAcknowledged;

/** Turns a rejection for something missing into undefined: `request.catch(ignoreMissing)`. */
export function ignoreMissing(error: unknown): undefined {
	if (!isMissing(error)) throw error;
}
