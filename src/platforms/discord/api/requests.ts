import {
	type APIAutoModerationRule,
	type APIChannel,
	type APIDMChannel,
	type APIGuildMember,
	type APIThreadChannel,
	ChannelType,
	type REST,
	RESTJSONErrorCodes,
	Routes,
	ThreadAutoArchiveDuration,
} from 'discord.js';
import type { Field } from '../../../domain/command.ts';
import type { Place } from '../../../domain/place.ts';
import { RequestGoneError } from '../../../domain/platform.ts';
import { oneLine } from '../../../domain/text.ts';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import { codeOf, ignoreMissing, isUnknownMessage } from './discord-errors.ts';

/** https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const MAX_THREAD_NAME = 100;

/** The kinds of threads that do not start from a message. In forums every thread is a post, which has a first message of its own. */
export type ThreadKind = 'public' | 'private' | 'announcement' | 'post';

/** https://docs.discord.com/developers/resources/channel#start-thread-without-message and #start-thread-in-forum-or-media-channel */
const KINDS: Readonly<Record<ThreadKind, object>> = {
	public: { type: ChannelType.PublicThread },
	private: { type: ChannelType.PrivateThread, invitable: false },
	announcement: { type: ChannelType.AnnouncementThread },
	post: { message: { content: '💬', allowed_mentions: { parse: [] } } },
};

/** Returns undefined when the channel is gone, or when the bot has no access to it. */
export const getChannel = (rest: REST, id: string) =>
	rest.get(Routes.channel(id)).catch(ignoreMissing) as Promise<APIChannel | undefined>;

/** Returns the direct-message channel of a user, which is created when there is none. Undefined for an unknown user. */
export const openDirectMessages = (rest: REST, user: string) =>
	rest.post(Routes.userChannels(), { body: { recipient_id: user } }).catch(ignoreMissing) as Promise<
		APIDMChannel | undefined
	>;

export const triggerTyping = (rest: REST, channel: string) => rest.post(Routes.channelTyping(channel));

/** Starts a thread that belongs to no message. @param more further properties of its JSON */
export const startThread = (rest: REST, channel: string, title: string, kind: ThreadKind, more: object = {}) =>
	rest.post(Routes.threads(channel), {
		body: { ...threadBody(title), ...KINDS[kind], ...more },
	}) as Promise<APIThreadChannel>;

/** Returns the empty threads in a channel that a user has started with a title after a message or an interaction, which is given by its id. */
export async function findEmptyThreads(
	rest: REST,
	{ server, channel }: Place,
	{ title, owner, after }: { title: string; owner: string | undefined; after: string },
): Promise<APIThreadChannel[]> {
	const listed = (await rest.get(Routes.guildActiveThreads(server)).catch(ignoreMissing)) as
		| { threads: APIThreadChannel[] }
		| undefined;
	return (listed?.threads ?? []).filter(
		({ id, parent_id, owner_id, name, message_count }) =>
			parent_id === channel &&
			owner_id === owner &&
			name === threadBody(title).name &&
			message_count === 0 &&
			BigInt(id) > BigInt(after),
	);
}

/**
 * Returns the id of the thread of a message, which is started unless it exists. It is the message's id.
 * @throws RequestGoneError when the message was deleted
 */
export async function findOrStartThread(rest: REST, channel: string, title: string, message: string): Promise<string> {
	try {
		await rest.post(Routes.threads(channel, message), { body: threadBody(title) });
	} catch (error) {
		if (isUnknownMessage(error)) throw new RequestGoneError({ cause: error });
		if (codeOf(error) !== RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage) throw error;
	}
	return message;
}

export const addThreadMember = (rest: REST, thread: string, user: string) =>
	rest.put(Routes.threadMembers(thread, user));

/**
 * Opens a closed thread.
 * @throws PlatformRefusedError when it is locked; for other reasons, Discord's error
 */
export async function openThread(rest: REST, thread: string): Promise<void> {
	try {
		await rest.patch(Routes.channel(thread), { body: { archived: false } });
	} catch (cause) {
		// Only who manages threads can open a locked one; Discord's answer does not tell it from one where the bot may not write.
		const isForbidden = codeOf(cause) === RESTJSONErrorCodes.MissingPermissions;
		const channel = isForbidden ? await getChannel(rest, thread) : undefined;
		if (!channel || !isLocked(channel)) throw cause;
		throw new PlatformRefusedError('discord.errors.lockedThread', { where: `<#${thread}>` }, { cause });
	}
}

/** Closes a thread where Discord allows it: the bot has started it, or manages threads. */
export const closeThread = (rest: REST, thread: string): Promise<unknown> =>
	rest.patch(Routes.channel(thread), { body: { archived: true } }).catch(() => {});

export const isLocked = (channel: APIChannel): boolean =>
	'thread_metadata' in channel && channel.thread_metadata?.locked === true;

const threadBody = (title: string) => ({
	name: oneLine(title, MAX_THREAD_NAME) || 'Thread',
	auto_archive_duration: ThreadAutoArchiveDuration.OneDay,
});

/** Returns undefined when the user, or the bot, is not a member of the server. */
export const getMember = (rest: REST, server: string, user: string) =>
	rest.get(Routes.guildMember(server, user)).catch(ignoreMissing) as Promise<APIGuildMember | undefined>;

export const leaveServer = (rest: REST, server: string) => rest.delete(Routes.userGuild(server)).catch(ignoreMissing);

/** Requires the Manage Server permission. */
export const listAutoModRules = (rest: REST, server: string, signal: AbortSignal) =>
	rest.get(Routes.guildAutoModerationRules(server), { signal }) as Promise<APIAutoModerationRule[]>;

/** Channels with messages of their own. Others, such as categories and forums, refuse them. https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
const POSTABLE_TYPES = [
	ChannelType.GuildText,
	ChannelType.GuildAnnouncement,
	ChannelType.GuildVoice,
	ChannelType.GuildStageVoice,
	ChannelType.PublicThread,
	ChannelType.PrivateThread,
	ChannelType.AnnouncementThread,
] as const;

/** Channels that people can make requests in: in a forum, in its posts. */
const REQUESTABLE_TYPES = [...POSTABLE_TYPES, ChannelType.GuildForum, ChannelType.GuildMedia] as const;

/** Returns the types of channels that an option accepts; undefined when it accepts all. */
export function channelTypesOf(field: Extract<Field, { kind: 'channel' }>) {
	if (field.postable) return [...POSTABLE_TYPES];
	return field.requestable && [...REQUESTABLE_TYPES];
}
