import { type APIDMChannel, Routes } from 'discord.js';
import type { Channel, ChannelLimits } from '../../../domain/channel.ts';
import type { Person, Place } from '../../../domain/place.ts';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import { ignoreMissing } from '../api/discord-errors.ts';
import { getChannel, isLocked } from '../api/message-api.ts';
import { messageBodyOf } from '../api/reply-body.ts';
import type { Discord } from '../discord.ts';
import { announcementOf, type Destination, postReply } from './posts.ts';
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
