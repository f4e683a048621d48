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
			return new PlatformRefusedError('The channel is gone.', undefined, { cause });
		case Code.MissingAccess:
			if (direct)
				return new PlatformRefusedError(
					'I am no member here myself, so I can only answer for a few minutes.',
					{},
					{ cause },
				);
			return new PlatformRefusedError(
				'I may not see {where}: a moderator can give me *View Channel* there.',
				{ where },
				{ cause },
			);
		case Code.MissingPermissions:
			if (doing === 'open a private thread')
				return new PlatformRefusedError(
					'I may not open private threads here: a moderator can give me Create Private Threads.',
					undefined,
					{ cause },
				);
			if (doing === 'open a thread')
				return new PlatformRefusedError(
					'I may not open threads here: a moderator can give me *Create Public Threads* and *Send Messages in Threads*.',
					undefined,
					{ cause },
				);
			return new PlatformRefusedError(
				'I may not post in {where}: a moderator can give me {threads, select, yes {*Send Messages in Threads*} other {*Send Messages*}} and *Attach Files* there.',
				{ where, threads: thread === undefined ? 'no' : 'yes' },
				{ cause },
			);
		case Code.InvalidActionOnArchivedThread:
		case THREAD_LOCKED:
			return new PlatformRefusedError('The thread {where} is locked: a moderator can unlock it.', { where }, { cause });
		case Code.MaximumActiveThreads:
			return new PlatformRefusedError(
				'This server has as many open threads as it can have; close some first.',
				undefined,
				{
					cause,
				},
			);
		case Code.CannotExecuteActionOnThisChannelType:
			return doing === 'open a private thread'
				? new PlatformRefusedError('There are no private threads in a channel of this kind.', undefined, { cause })
				: new PlatformRefusedError('There are no threads in a channel of this kind; ask in another one.', undefined, {
						cause,
					});
		case Code.CannotSendMessagesToThisUser:
			return new PlatformRefusedError(
				'You take no direct messages from me: allow them in the settings of a server that we share.',
				undefined,
				{
					cause,
				},
			);
		case Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages:
			return new PlatformRefusedError(
				'I may answer here only a few times, since I am no member myself; ask once more.',
				undefined,
				{
					cause,
				},
			);
		case Code.RequestEntityTooLarge:
			return new PlatformRefusedError('This is larger than what may be uploaded in {where}.', { where }, { cause });
		default:
			return undefined;
	}
}
