import { RESTJSONErrorCodes as Code, DiscordAPIError } from 'discord.js';
import type { Place } from '../../../domain/place.ts';
import { PlatformRefusedError, UploadTooLargeError } from '../../../i18n/sentence-error.ts';

/** The purpose of a request. */
export type Purpose = 'write' | 'open a thread' | 'open a forum post' | 'open a private thread';

/** Rejects with a `PlatformRefusedError` for an error of Discord's that a person can do something about, else with the error itself. */
export async function translateErrors<Result>(purpose: Purpose, place: Place, work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		throw (error instanceof DiscordAPIError && refusalOf(error, purpose, place)) || error;
	}
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
function refusalOf(
	cause: DiscordAPIError,
	purpose: Purpose,
	{ thread, channel, direct }: Place,
): PlatformRefusedError | undefined {
	const where = `<#${thread ?? channel}>`;
	const refused = (...[sentence, values]: ConstructorParameters<typeof PlatformRefusedError>) =>
		new PlatformRefusedError(sentence, values, { cause });
	switch (cause.code) {
		case Code.UnknownChannel:
			return refused('discord.errors.channelGone');
		case Code.MissingAccess:
			return direct ? refused('discord.errors.notMember') : refused('discord.errors.view', { where });
		case Code.MissingPermissions:
			if (purpose === 'open a private thread') return refused('discord.errors.privateThreads');
			if (purpose === 'open a forum post') return refused('discord.errors.forum', { where: `<#${channel}>` });
			if (purpose === 'open a thread') return refused('discord.errors.threads');
			return refused('discord.errors.post', { where, threads: thread === undefined ? 'no' : 'yes' });
		case Code.InvalidActionOnArchivedThread:
			return refused('discord.errors.closedThread', { where });
		case Code.ThreadLocked:
			return refused('discord.errors.lockedThread', { where });
		case Code.MaximumActiveThreads:
		case Code.MaximumActiveAnnouncementThreads:
			return refused('discord.errors.threadLimit');
		case Code.CannotExecuteActionOnThisChannelType:
			return refused(
				purpose === 'open a private thread' ? 'discord.errors.noPrivateThreads' : 'discord.errors.noThreads',
			);
		case Code.TagRequiredToCreateAForumPostInThisChannel:
		case Code.ThereAreNoTagsAvailableThatCanBeSetByNonModerators:
			return refused('discord.errors.forumTags', { where: `<#${channel}>` });
		case Code.CannotSendMessagesInNonTextChannel:
			return refused('discord.errors.unpostable', { where });
		case Code.CannotSendMessagesToThisUser:
			return refused('discord.errors.direct');
		case Code.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds:
			return refused('discord.errors.noSharedServer');
		case Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages:
			return refused('discord.errors.answersUsedUp');
		case Code.MessageWasBlockedByAutomaticModeration:
			return refused('discord.errors.autoMod');
		case Code.TitleWasBlockedByAutomaticModeration:
			return refused('discord.errors.autoModTitle');
		case Code.ExplicitContentCannotBeSentToTheDesiredRecipient:
			return refused('discord.errors.explicit');
		case Code.MessageBlockedByHarmfulLinksFilter:
			return refused('discord.errors.harmfulLink');
		case Code.AccessToFileUploadsHasBeenLimitedForThisGuild:
			return refused('discord.errors.uploadsLimited');
		case Code.RequestEntityTooLarge:
		case Code.FileUploadedExceedsMaximumSize:
			return new UploadTooLargeError('discord.errors.uploadSize', { where }, { cause });
		default:
			return undefined;
	}
}

/** Tells whether something is gone, never existed, or is no longer visible to the bot. */
export const isMissing = (error: unknown) => error instanceof DiscordAPIError && [401, 403, 404].includes(error.status);

/** Tells whether something does not exist any more, or can be reached by nobody, such as a private message without its token. */
export const isGone = (error: unknown) => error instanceof DiscordAPIError && [401, 404].includes(error.status);

/** Tells whether a message is deleted. */
export const isUnknownMessage = (error: unknown) =>
	error instanceof DiscordAPIError && error.code === Code.UnknownMessage;

/** Turns a rejection for something missing into undefined: `request.catch(ignoreMissing)`. */
export function ignoreMissing(error: unknown): undefined {
	if (!isMissing(error)) throw error;
}
