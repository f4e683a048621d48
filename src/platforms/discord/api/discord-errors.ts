import { RESTJSONErrorCodes as Code, DiscordAPIError } from 'discord.js';
import { PlatformRefusedError } from '../../../bot/messages/refused-error.ts';
import type { Place } from '../../../domain/place.ts';

/** What was to be done. */
export type Doing = 'write' | 'open a thread' | 'open a private thread';

/** discord-api-types has no name for it. https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const THREAD_LOCKED = 160_005;

/** Promises end in what Discord's refusal means for people, where they can do something about it; else in the error as it was. */
export function translateErrors<Result>(doing: Doing, place: Place, work: Promise<Result>): Promise<Result> {
	return work.catch((error: unknown) => {
		throw (error instanceof DiscordAPIError && refusalOf(error, doing, place)) || error;
	});
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
function refusalOf(
	cause: DiscordAPIError,
	doing: Doing,
	{ thread, channel, direct }: Place,
): PlatformRefusedError | undefined {
	const where = `<#${thread ?? channel}>`;
	switch (cause.code) {
		case Code.UnknownChannel:
			return new PlatformRefusedError('discord.errors.channelGone', undefined, { cause });
		case Code.MissingAccess:
			if (direct) return new PlatformRefusedError('discord.errors.notMember', {}, { cause });
			return new PlatformRefusedError('discord.errors.view', { where }, { cause });
		case Code.MissingPermissions:
			if (doing === 'open a private thread')
				return new PlatformRefusedError('discord.errors.privateThreads', undefined, { cause });
			if (doing === 'open a thread') return new PlatformRefusedError('discord.errors.threads', undefined, { cause });
			return new PlatformRefusedError(
				'discord.errors.post',
				{ where, threads: thread === undefined ? 'no' : 'yes' },
				{ cause },
			);
		case Code.InvalidActionOnArchivedThread:
		case THREAD_LOCKED:
			return new PlatformRefusedError('discord.errors.lockedThread', { where }, { cause });
		case Code.MaximumActiveThreads:
			return new PlatformRefusedError('discord.errors.threadLimit', undefined, {
				cause,
			});
		case Code.CannotExecuteActionOnThisChannelType:
			return doing === 'open a private thread'
				? new PlatformRefusedError('discord.errors.noPrivateThreads', undefined, { cause })
				: new PlatformRefusedError('discord.errors.noThreads', undefined, {
						cause,
					});
		case Code.CannotSendMessagesToThisUser:
			return new PlatformRefusedError('discord.errors.direct', undefined, {
				cause,
			});
		case Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages:
			return new PlatformRefusedError('discord.errors.answersUsedUp', undefined, {
				cause,
			});
		case Code.RequestEntityTooLarge:
			return new PlatformRefusedError('discord.errors.uploadSize', { where }, { cause });
		default:
			return undefined;
	}
}
