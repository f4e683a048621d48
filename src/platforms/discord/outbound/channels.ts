import {
	type APIDMChannel,
	type APIThreadChannel,
	ChannelType,
	type REST,
	RESTJSONErrorCodes,
	RequestMethod,
	Routes,
	ThreadAutoArchiveDuration,
} from 'discord.js';
import {
	assertMessageKey,
	type Channel,
	isPreview,
	MessageGoneError,
	type MessageHandle,
	type Place,
	type Post,
	type PostOptions,
} from '../../../domain/channel.ts';
import { RequestGoneError } from '../../../domain/platform.ts';
import { oneLine, quoted } from '../../../domain/text.ts';
import { PlatformRefusedError } from '../../../i18n/translator.ts';
import {
	describedBody,
	getChannel,
	handleData,
	isLocked,
	linkTo,
	locationOf,
	type MessageBody,
	messageBodyOf,
	type PostLocation,
} from '../api/message-api.ts';
import { isAgeRestricted } from '../api/people.ts';
import { codeOf, ignoreMissing, isUnknownMessage, type ThreadKind, translateErrors } from '../api/rest.ts';
import type { Discord } from '../discord.ts';
import { filesOf, isPicture } from '../inbound/message-reader.ts';
import type { Destination, InteractionResponder } from './interaction-responder.ts';

/** Returns the channel of a place that the bot is known to have access to. */
export function channelIn(
	discord: Discord,
	place: Place,
	{ responder, message, limits }: Omit<Destination, 'place'> = {},
): Channel {
	const { rest, cache, autoMod } = discord;
	const request = { place, responder, message, limits };
	const where = place.thread ?? place.channel;
	return {
		place,
		limits: limits ?? cache.limitsAt(where, place.direct ? undefined : place.server),
		post: async (reply, key, options) => {
			assertMessageKey(key);
			const outgoing = { ...options, key, body: messageBodyOf(reply), isPrivate: reply.visibility === 'private' };
			const location = await translateErrors('message', place, put(discord, request, outgoing));
			return postAt(discord, location, { place, key });
		},
		announce: (key, isPrivate) => {
			assertMessageKey(key);
			const original = responder?.nextOriginal(isPrivate);
			return original && { data: handleData(original) };
		},
		openThread: (title, options) => openThread(discord, { ...request, title }, options?.private),
		isVisibleToEveryone: async () => cache.isVisibleToEveryone(where),
		...(isAgeRestricted(cache.channel(place.channel)) && { ageRestricted: true as const }),
		...(!responder && !place.direct && { isPublicOnly: true as const }),
		...(!place.server.startsWith('user:') && { screen: (text, person) => autoMod.screen(place, text, person) }),
		typing: async () => {
			await rest.post(Routes.channelTyping(where));
		},
		when: (at) => `<t:${Math.floor(at / 1000)}:f> (<t:${Math.floor(at / 1000)}:R>)`,
		hidesCommands: true,
		refer: (kind, id) => `<${{ person: '@', channel: '#', role: '@&' }[kind]}${id}>`,
	};
}

/** See `Platform.channel`. A locked thread is left alone; the first message unarchives an archived one. */
export async function findChannel(discord: Discord, place: Place): Promise<Channel | undefined> {
	if (place.platform !== 'discord') return undefined;
	const channel = await getChannel(discord.rest, place.thread ?? place.channel);
	return channel && !isLocked(channel) ? channelIn(discord, place) : undefined;
}

/** See `Platform.direct`. Whether the person accepts direct messages is known only when one is sent. */
export async function findDirect(discord: Discord, { server }: Place, { id }: { id: string }) {
	const opening = discord.rest.post(Routes.userChannels(), { body: { recipient_id: id } });
	const channel = (await opening.catch(ignoreMissing)) as APIDMChannel | undefined;
	return channel && channelIn(discord, { platform: 'discord', server, channel: channel.id, direct: true });
}

export async function findPost(discord: Discord, handle: MessageHandle): Promise<Post | undefined> {
	const { messages, records, uploadOf } = discord;
	if (handle.place.platform !== 'discord') return undefined;
	const known = locationOf(handle);
	// The id of the response to an interaction was stored later, and outlasts its token.
	const isLasting = known && known.message !== '@original';
	const location = isLasting ? known : ((await records.find(handle.key)) ?? known);
	if (!location) return undefined;
	const message = await messages.read(location);
	if (!message) return undefined;
	if (message === 'hidden') return postAt(discord, location, handle);
	const uploads = filesOf(message).filter(isPicture).map(uploadOf);
	const pictures = async () => uploads.filter((one) => !isPreview(one));
	return { ...postAt(discord, { ...location, message: message.id }, handle), pictures };
}

type Outgoing = PostOptions & { key: string; body: MessageBody; isPrivate: boolean };

/** Edits the message that was posted under the key before, responds to the interaction, or posts as the bot. */
async function put(discord: Discord, { place, responder }: Destination, message: Outgoing): Promise<PostLocation> {
	const { records } = discord;
	const { key, isAnnounced } = message;
	const recorded = isAnnounced ? undefined : await records.find(key, message);
	if (recorded && (await reuse(discord, recorded, message))) return recorded;
	const response = responder && (await respond(discord, responder, message));
	const location = response ?? (await postAsBot(discord, place.thread ?? place.channel, message));
	// The message is posted: nobody waits for the store.
	void records.save(key, location);
	return location;
}

/** Returns false when the message is deleted, or the bot has no access to it. */
async function reuse({ messages }: Discord, location: PostLocation, { body, ifAbsent }: Outgoing): Promise<boolean> {
	if (ifAbsent) return typeof (await messages.read(location)) === 'object';
	return (await messages.edit(location, body).catch(ignoreMissing)) !== undefined;
}

/** Returns undefined when the interaction can no longer be responded to. */
async function respond({ records }: Discord, responder: InteractionResponder, message: Outgoing) {
	const { key, body, isPrivate, isAnnounced } = message;
	const original = responder.nextOriginal(isPrivate);
	// Before, since a crash between response and record would leave the message without its key.
	if (original && !isAnnounced) await records.announce(key, original, message);
	const response = await responder.send(body, isPrivate);
	if (!response && isPrivate) throw new PlatformRefusedError('discord.errors.private');
	if (!response && responder.token.onlyAccess) throw new PlatformRefusedError('discord.errors.notMember');
	return response;
}

async function postAsBot({ messages }: Discord, channel: string, { key, body, ifAbsent }: Outgoing) {
	const message = await messages.post(channel, body, key);
	const location = { channel, message: message.id };
	// Discord returns the message of the first post with this key, which a process may have sent before it ended without saving it.
	const isOutdated = message.content !== body.payload.content?.trim() || message.attachments.length < body.files.length;
	if (isOutdated && !ifAbsent) await messages.edit(location, body);
	return location;
}

function postAt(discord: Discord, location: PostLocation, { place, key }: Omit<MessageHandle, 'data'>): Post {
	const { messages, records } = discord;
	const edit = async (body: MessageBody) => {
		const editing = messages.edit(location, body).catch((cause) => {
			throw isUnknownMessage(cause) ? new MessageGoneError({ cause }) : cause;
		});
		await translateErrors('message', place, editing);
	};
	return {
		handle: { place, key, data: handleData(location) },
		link: linkTo(place, location),
		edit: (reply) => edit(messageBodyOf(reply)),
		describe: async (alts) => {
			const message = await messages.read(location);
			if (typeof message !== 'object') return false;
			await edit(describedBody(message, alts));
			return true;
		},
		delete: async () => {
			await translateErrors('message', place, messages.delete(location));
			await records.forget(key, location);
		},
	};
}

/** Threads cannot be nested, so that a thread opened from a thread is its sibling. */
type ThreadRequest = Destination & { title: string };

/**
 * Opens a thread that everybody in the channel can see, or one with the requester as its only member, which members who manage threads can
 * see as well.
 *
 * @throws PlatformRefusedError when Discord does not allow it
 */
async function openThread(discord: Discord, request: ThreadRequest, isPrivate = false): Promise<Channel> {
	const { place, title, responder, limits } = request;
	if (responder?.token.onlyAccess) throw new PlatformRefusedError('discord.errors.noThreadsHere');
	// Direct messages have no threads: the conversation continues there.
	if (place.direct) {
		await responder?.send(messageBodyOf({ text: threadHeading(title) }), false);
		return channelIn(discord, place, { responder, limits });
	}
	const kind = isPrivate ? 'private' : kindIn(discord, place);
	const thread = await translateErrors(kind, place, threadOf(discord, request, kind));
	return channelIn(discord, { ...place, thread });
}

/** Starts the thread from the message that asks, or from one that responds with the title; another one is named in a response. Returns its id. */
async function threadOf(discord: Discord, request: ThreadRequest, kind: ThreadKind): Promise<string> {
	const { rest, messages } = discord;
	const { place, title, responder, message } = request;
	const isPrivate = kind === 'private';
	if (!isPrivate && place.thread === undefined) {
		if (message !== undefined) return findOrStartThread(rest, place.channel, title, message);
		const response = await responder?.send(messageBodyOf({ text: threadHeading(title) }), false);
		if (response)
			return findOrStartThread(rest, place.channel, title, response.message).catch(async (error) => {
				await messages.delete(response).catch(() => {});
				throw error;
			});
	}
	const requester = responder?.interaction.member?.user.id;
	if (isPrivate && requester === undefined) throw new Error('A private thread needs a requester');
	// Threads of forums are posts, which are public.
	if (isPrivate && kindIn(discord, place) === 'post') throw new PlatformRefusedError('discord.errors.noPrivateThreads');
	const id = await start(discord, request, kind);
	if (isPrivate) await rest.put(Routes.threadMembers(id, requester as string));
	await responder?.send(messageBodyOf({ text: `<#${id}>` }), isPrivate);
	return id;
}

async function start(discord: Discord, { place, title, responder, message }: ThreadRequest, kind: ThreadKind) {
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

function kindIn({ cache }: Discord, place: Place): ThreadKind {
	const channel = cache.channel(place.channel);
	if (channel?.isThreadOnly()) return 'post';
	return channel?.type === ChannelType.GuildAnnouncement ? 'announcement' : 'public';
}

const threadHeading = (title: string) => `💬 ${quoted(title)}`;

/**
 * Returns the tags of a post in a forum that requires some: those of the post that it is started from, else the first one that everyone may
 * use. Moderated tags are left out: only members with *Manage Threads* may set them.
 *
 * @throws the error that the post could not be started with, where that is another one
 */
async function missingTags(rest: REST, { channel, thread }: Place, error: unknown): Promise<readonly string[]> {
	if (codeOf(error) !== RESTJSONErrorCodes.TagRequiredToCreateAForumPostInThisChannel) throw error;
	const [parent, current] = await Promise.all([getChannel(rest, channel), thread && getChannel(rest, thread)]);
	const available = parent && 'available_tags' in parent ? parent.available_tags : [];
	const open = available.flatMap(({ id, moderated }) => (moderated ? [] : id));
	if (open.length === 0) throw error;
	const applied = (current && 'applied_tags' in current && current.applied_tags) || [];
	const kept = applied.filter((id) => open.includes(id));
	return kept.length > 0 ? kept : open.slice(0, 1);
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
