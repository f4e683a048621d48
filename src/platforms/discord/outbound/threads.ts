import {
	type APIThreadChannel,
	ChannelType,
	type REST,
	RESTJSONErrorCodes,
	RequestMethod,
	Routes,
	ThreadAutoArchiveDuration,
} from 'discord.js';
import type { Place } from '../../../domain/channel.ts';
import { RequestGoneError } from '../../../domain/platform.ts';
import { oneLine, quoted } from '../../../domain/text.ts';
import { PlatformRefusedError } from '../../../i18n/translator.ts';
import { getChannel, messageBodyOf } from '../api/message-api.ts';
import { codeOf, ignoreMissing, isUnknownMessage, type ThreadKind, translateErrors } from '../api/rest.ts';
import type { Discord } from '../discord.ts';
import type { Destination, InteractionResponder } from './interaction-responder.ts';

/** Threads cannot be nested, so that a thread opened from a thread is its sibling. */
export type ThreadRequest = Destination & { title: string };

/**
 * Opens a thread that everybody in the channel can see, or one with the requester as its only member, which members who manage threads can
 * see as well. Returns its id.
 *
 * @throws PlatformRefusedError when Discord does not allow it
 */
export function openThread(discord: Discord, request: ThreadRequest, isPrivate: boolean): Promise<string> {
	const kind = isPrivate ? 'private' : kindIn(discord, request.place);
	return translateErrors(kind, request.place, (isPrivate ? openPrivate : openPublic)(discord, request));
}

function openPublic(discord: Discord, request: ThreadRequest): Promise<string> {
	const { place, title, responder, message } = request;
	if (place.thread !== undefined) return openSeparate(discord, request);
	if (message !== undefined) return findOrStartThread(discord.rest, place.channel, title, message);
	return responder ? openFromResponse(discord, request, responder) : openSeparate(discord, request);
}

/** Responds with the title, and starts the thread from that message. */
async function openFromResponse(
	discord: Discord,
	request: ThreadRequest,
	responder: InteractionResponder,
): Promise<string> {
	const { place, title } = request;
	const response = await responder.send(messageBodyOf({ text: threadHeading(title) }), false);
	try {
		if (!response) return await start(discord, request);
		return await findOrStartThread(discord.rest, place.channel, title, response.message);
	} catch (error) {
		if (response) await discord.messages.delete(response).catch(() => {});
		throw error;
	}
}

/** Starts a thread that belongs to no message, and responds with a link to it. */
async function openSeparate(discord: Discord, request: ThreadRequest): Promise<string> {
	const id = await start(discord, request);
	await request.responder?.send(messageBodyOf({ text: `<#${id}>` }), false);
	return id;
}

async function start(
	discord: Discord,
	{ place, title, responder, message }: ThreadRequest,
	kind = kindIn(discord, place),
): Promise<string> {
	const { rest, cache, takenThreads } = discord;
	const after = responder?.interaction.id ?? message;
	// What this request has made is the empty thread with its title that no other request has got.
	const find = async () => {
		const listing = rest.get(Routes.guildActiveThreads(place.server)).catch(ignoreMissing);
		const { threads = [] } = ((await listing) ?? {}) as { threads?: APIThreadChannel[] };
		return threads.find(
			({ id, parent_id, owner_id, name, message_count }) =>
				after !== undefined &&
				BigInt(id) > BigInt(after) &&
				!takenThreads.has(id) &&
				parent_id === place.channel &&
				owner_id === cache.self &&
				name === threadBody(title).name &&
				message_count === 0,
		);
	};
	const make = (more?: object) =>
		rest.request({
			...{ method: RequestMethod.Post, fullRoute: Routes.threads(place.channel), find },
			body: { ...threadBody(title), ...KINDS[kind], ...more },
		}) as Promise<APIThreadChannel>;
	const { id } = await make().catch(async (error) => make({ applied_tags: await missingTags(rest, place, error) }));
	takenThreads.set(id, true);
	return id;
}

async function openPrivate(discord: Discord, request: ThreadRequest): Promise<string> {
	const { place, responder } = request;
	const requester = responder?.interaction.member?.user.id;
	if (requester === undefined) throw new Error('A private thread needs a requester');
	// Threads of forums are posts, which are public.
	if (kindIn(discord, place) === 'post') throw new PlatformRefusedError('discord.errors.noPrivateThreads');
	const id = await start(discord, request, 'private');
	await discord.rest.put(Routes.threadMembers(id, requester));
	await responder?.send(messageBodyOf({ text: `<#${id}>` }), true);
	return id;
}

const KINDS_BY_CHANNEL: Readonly<Partial<Record<ChannelType, ThreadKind>>> = {
	[ChannelType.GuildAnnouncement]: 'announcement',
	[ChannelType.GuildForum]: 'post',
	[ChannelType.GuildMedia]: 'post',
};

const kindIn = ({ cache }: Discord, { channel }: Place): ThreadKind =>
	KINDS_BY_CHANNEL[cache.channel(channel)?.type ?? ChannelType.GuildText] ?? 'public';

/** The text of the message that a thread starts from: its title, with Markdown escaped. */
export const threadHeading = (title: string) => `💬 ${quoted(title)}`;

/**
 * Returns the tags of a post in a forum that requires some: those of the post that it is started from, else the first one that everyone may
 * use. Moderated tags are left out: only members with *Manage Threads* may set them.
 *
 * @throws the error that the post could not be started with, where that is another one
 */
async function missingTags(rest: REST, { channel, thread }: Place, error: unknown): Promise<readonly string[]> {
	if (codeOf(error) !== RESTJSONErrorCodes.TagRequiredToCreateAForumPostInThisChannel) throw error;
	const [parent, current] = await Promise.all([
		getChannel(rest, channel),
		thread === undefined ? undefined : getChannel(rest, thread),
	]);
	const available = parent && 'available_tags' in parent ? parent.available_tags : [];
	const open = available.flatMap(({ id, moderated }) => (moderated ? [] : id));
	const applied = ((current && 'applied_tags' in current && current.applied_tags) || []).filter((id) =>
		open.includes(id),
	);
	if (open.length === 0) throw error;
	return applied.length > 0 ? applied : open.slice(0, 1);
}

/** https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const MAX_THREAD_NAME = 100;

/** https://docs.discord.com/developers/resources/channel#start-thread-without-message and #start-thread-in-forum-or-media-channel */
const KINDS: Readonly<Record<ThreadKind, object>> = {
	public: { type: ChannelType.PublicThread },
	private: { type: ChannelType.PrivateThread, invitable: false },
	announcement: { type: ChannelType.AnnouncementThread },
	post: { message: { content: '💬', allowed_mentions: { parse: [] } } },
};

/**
 * Returns the id of the thread of a message, which is started unless it exists. It is the message's id.
 * @throws RequestGoneError when the message was deleted
 */
async function findOrStartThread(rest: REST, channel: string, title: string, message: string): Promise<string> {
	try {
		await rest.post(Routes.threads(channel, message), { body: threadBody(title) });
	} catch (error) {
		if (isUnknownMessage(error)) throw new RequestGoneError({ cause: error });
		if (codeOf(error) !== RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage) throw error;
	}
	return message;
}

const threadBody = (title: string) => ({
	name: oneLine(title, MAX_THREAD_NAME) || 'Thread',
	auto_archive_duration: ThreadAutoArchiveDuration.OneDay,
});
