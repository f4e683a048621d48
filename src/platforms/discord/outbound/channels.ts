import { type APIDMChannel, Routes } from 'discord.js';
import {
	type Announcement,
	assertMessageKey,
	type Channel,
	type ChannelLimits,
	isPreview,
	MessageGoneError,
	type MessageHandle,
	type Person,
	type Place,
	type Post,
	type PostOptions,
	type Reply,
} from '../../../domain/channel.ts';
import { PlatformRefusedError } from '../../../i18n/translator.ts';
import {
	type DiscordMessageLocation,
	describedBody,
	getChannel,
	handleData,
	isLocked,
	linkTo,
	locationOf,
	type MessageBody,
	messageBodyOf,
} from '../api/message-api.ts';
import { ignoreMissing, isMissing, isUnknownMessage, translateErrors } from '../api/rest.ts';
import type { Discord } from '../discord.ts';
import { filesOf, isPicture } from '../inbound/message-reader.ts';
import type { Destination } from './interaction-responder.ts';
import { openThread, type ThreadRequest, threadHeading } from './threads.ts';

/** The request that the messages in a channel respond to. The limits are those of an interaction, else of what the bot posts by itself. */
type Cause = Omit<Destination, 'place'> & { limits?: ChannelLimits };

const limitsAt = ({ cache }: Discord, { direct, server, channel, thread }: Place) =>
	cache.limitsAt(thread ?? channel, direct ? undefined : server);

/** Returns the channel of a place that the bot is known to have access to. */
export function channelIn(
	discord: Discord,
	place: Place,
	{ responder, message, limits = limitsAt(discord, place) }: Cause = {},
): Channel {
	const { rest, cache, autoMod } = discord;
	const request = { place, responder, message };
	return {
		place,
		limits,
		post: (reply, key, options = {}) => postReply(discord, request, reply, key, options),
		announce: (key, isPrivate) => announcementOf(request, key, isPrivate),
		openThread: (title, options) => openThreadIn(discord, { ...request, title }, limits, options?.private),
		isVisibleToEveryone: async () => cache.isVisibleToEveryone(place.thread ?? place.channel),
		...(cache.channel(place.channel)?.nsfw && { ageRestricted: true as const }),
		...(!responder && !place.direct && { isPublicOnly: true as const }),
		...(!place.server.startsWith('user:') && { screen: (text, person) => autoMod.screen(place, text, person) }),
		typing: async () => {
			await rest.post(Routes.channelTyping(place.thread ?? place.channel));
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
export async function findDirect(
	discord: Discord,
	{ server }: Place,
	{ id }: Pick<Person, 'id'>,
): Promise<Channel | undefined> {
	const opening = discord.rest.post(Routes.userChannels(), { body: { recipient_id: id } });
	const channel = (await opening.catch(ignoreMissing)) as APIDMChannel | undefined;
	return channel && channelIn(discord, { platform: 'discord', server, channel: channel.id, direct: true });
}

async function openThreadIn(
	discord: Discord,
	request: ThreadRequest,
	limits: ChannelLimits,
	isPrivate = false,
): Promise<Channel> {
	const { place, title, responder } = request;
	if (responder?.token.onlyAccess) throw new PlatformRefusedError('discord.errors.noThreadsHere');
	// Direct messages have no threads: the conversation continues there.
	if (place.direct) {
		await responder?.send(messageBodyOf({ text: threadHeading(title) }), false);
		return channelIn(discord, place, { responder, limits });
	}
	const thread = await openThread(discord, request, isPrivate);
	return channelIn(discord, { ...place, thread });
}

type Sending = PostOptions & {
	isPrivate: boolean;
	key: string;
	/** The id of the message that had the key before and is deleted. */
	deleted: string | undefined;
};

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
	const pictures = async () =>
		filesOf(message)
			.filter(isPicture)
			.map(uploadOf)
			.filter((one) => !isPreview(one));
	return { ...postAt(discord, { ...location, message: message.id }, handle), pictures };
}

async function postReply(
	discord: Discord,
	destination: Destination,
	reply: Reply,
	key: string,
	options: PostOptions,
): Promise<Post> {
	assertMessageKey(key);
	const { place } = destination;
	const { ifAbsent = false } = options;
	const body = messageBodyOf(reply);
	const recorded = options.isAnnounced ? undefined : await discord.records.find(key, options);
	const state = recorded && (await translateErrors('message', place, reuse(discord, recorded, body, ifAbsent)));
	if (recorded && state === 'reused') return postAt(discord, recorded, { place, key });
	const deleted = state === 'deleted' ? recorded?.message : undefined;
	const sending = send(discord, destination, body, {
		...options,
		isPrivate: reply.visibility === 'private',
		key,
		deleted,
	});
	const location = await translateErrors('message', place, sending);
	// The message is posted: nobody waits for the store.
	void discord.records.save(key, location);
	return postAt(discord, location, { place, key });
}

function announcementOf({ responder }: Destination, key: string, isPrivate: boolean): Announcement | undefined {
	assertMessageKey(key);
	const original = responder?.nextOriginal(isPrivate);
	return original && { data: handleData(original) };
}

function postAt(
	discord: Discord,
	location: DiscordMessageLocation,
	{ place, key }: Pick<MessageHandle, 'place' | 'key'>,
): Post {
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

/** Edits the message that was posted under the key before. `missing`: it is deleted, or the bot has no access to it. */
async function reuse(
	discord: Discord,
	location: DiscordMessageLocation,
	body: MessageBody,
	ifAbsent: boolean,
): Promise<'reused' | 'deleted' | 'missing'> {
	const { messages } = discord;
	if (ifAbsent) return typeof (await messages.read(location)) === 'object' ? 'reused' : 'missing';
	try {
		await messages.edit(location, body);
		return 'reused';
	} catch (error) {
		if (!isMissing(error)) throw error;
		return isUnknownMessage(error) ? 'deleted' : 'missing';
	}
}

async function send(
	discord: Discord,
	{ place, responder }: Destination,
	body: MessageBody,
	sending: Sending,
): Promise<DiscordMessageLocation> {
	const { messages, records } = discord;
	const { isPrivate, key, deleted, ...options } = sending;
	if (responder) {
		const original = responder.nextOriginal(isPrivate);
		// Before, since a crash between response and record would leave the message without its key.
		if (original && !options.isAnnounced) await records.announce(key, original, options);
		const response = await responder.send(body, isPrivate);
		if (response) return response;
		if (isPrivate) throw new PlatformRefusedError('discord.errors.private');
		if (responder.token.onlyAccess) throw new PlatformRefusedError('discord.errors.notMember');
	}
	const channel = place.thread ?? place.channel;
	const message = await messages.post(channel, body, key, deleted);
	const location = { channel, message: message.id };
	// Discord returns the message of the first post with this key, which a process may have sent before it ended without saving it.
	const isOutdated = message.content !== body.payload.content?.trim() || message.attachments.length < body.files.length;
	if (isOutdated && !options.ifAbsent) await messages.edit(location, body);
	return location;
}
