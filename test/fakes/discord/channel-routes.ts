import { PermissionFlagsBits as Bits, ChannelType, MessageFlags } from 'discord-api-types/v10';
import { z } from 'zod';
import type { Discord } from './context.ts';
import { error, invalidForm } from './errors.ts';
import { readForm } from './forms.ts';
import { fileBytesIn } from './interactions.ts';
import { readMessage, refuseEmpty } from './limits.ts';
import { createMessage, deleteMessage, editMessage, readable } from './messages.ts';
import { demand, demandSending, permissionsAt } from './permissions.ts';
import { MESSAGES } from './rate-limits.ts';
import { renderChannel, renderMember, renderMessage, renderThreadMember } from './render.ts';
import type { Call, Route } from './route.ts';
import { type Channel, isThread, type Message } from './things.ts';
import { createThread, deleteChannel, joinThread, updateThread } from './threads.ts';

const AUTO_ARCHIVE = z.union([60, 1440, 4320, 10080].map((minutes) => z.literal(minutes)));
const threadName = z.string().min(1).max(100);
const thread = z.object({
	name: threadName,
	auto_archive_duration: AUTO_ARCHIVE.nullish(),
	rate_limit_per_user: z.number().int().min(0).max(21_600).nullish(),
});
/** Which threads a channel takes that hang on no message. */
const THREADS: Readonly<Record<number, readonly number[]>> = {
	[ChannelType.GuildText]: [ChannelType.PublicThread, ChannelType.PrivateThread],
	[ChannelType.GuildAnnouncement]: [ChannelType.AnnouncementThread],
};
const separateThread = thread.extend({
	type: z.union([z.literal(10), z.literal(11), z.literal(12)]),
	invitable: z.boolean().nullish(),
});
/** https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel */
const forumPost = thread.extend({ message: z.unknown() });
const FORUMS: readonly ChannelType[] = [ChannelType.GuildForum, ChannelType.GuildMedia];
const change = z.object({
	name: threadName.optional(),
	archived: z.boolean().optional(),
	locked: z.boolean().optional(),
	auto_archive_duration: AUTO_ARCHIVE.optional(),
	rate_limit_per_user: z.number().int().min(0).max(21_600).optional(),
});

/** https://docs.discord.com/developers/resources/channel and …/message */
export const channelRoutes: Route[] = [
	{ method: 'GET', path: '/channels/:channel', run: (call) => render(call, seen(call)) },
	{ method: 'PATCH', path: '/channels/:channel', run: changeThread },
	{
		method: 'DELETE',
		path: '/channels/:channel',
		run: (call) => {
			const channel = seen(call);
			demand(channel, call.discord.world.me, isThread(channel) ? 'ManageThreads' : 'ManageChannels');
			deleteChannel(call.discord, channel);
			return render(call, channel);
		},
	},
	{
		method: 'GET',
		path: '/channels/:channel/messages',
		run: (call) => {
			const { discord, query } = call;
			const channel = seen(call, 'ReadMessageHistory');
			const limit = Number(query.get('limit') ?? 50);
			if (!(limit >= 1 && limit <= 100))
				throw invalidForm([{ path: ['limit'], code: 'NUMBER_TYPE_MAX', message: 'Must be between 1 and 100.' }]);
			const [before, after] = ['before', 'after'].map((name) => BigInt(query.get(name) ?? 0));
			const found = [...channel.messages.values()].filter(
				({ id, only }) => !only && (!before || BigInt(id) < before) && (!after || BigInt(id) > after),
			);
			const some = after ? found.slice(0, limit) : found.slice(-limit);
			return some.toReversed().map((message) => show(discord, message));
		},
	},
	{
		method: 'GET',
		path: '/channels/:channel/messages/:message',
		run: (call) => show(call.discord, messageIn(seen(call, 'ReadMessageHistory'), call)),
	},
	{ method: 'POST', path: '/channels/:channel/messages', rate: MESSAGES, run: postMessage },
	{
		method: 'PATCH',
		path: '/channels/:channel/messages/:message',
		rate: MESSAGES,
		run: (call) => {
			const { discord, json, files } = call;
			const channel = seen(call);
			const message = messageIn(channel, call);
			if (message.author !== discord.world.me) throw error.notYourMessage();
			if (channel.archived) throw error.archivedThread();
			if (files.length > 0) demand(channel, discord.world.me, 'AttachFiles');
			const attachmentIds = message.files.map(({ id }) => id);
			const body = readMessage(json, files, fileBytesIn(channel), { flags: message.flags, attachmentIds });
			return show(discord, editMessage(discord, message, body, files));
		},
	},
	{
		method: 'DELETE',
		path: '/channels/:channel/messages/:message',
		rate: MESSAGES,
		run: (call) => {
			const channel = seen(call);
			const message = messageIn(channel, call);
			if (message.author !== call.discord.world.me) demand(channel, call.discord.world.me, 'ManageMessages');
			if (channel.archived) throw error.archivedThread();
			deleteMessage(call.discord, message);
		},
	},
	{
		method: 'POST',
		path: '/channels/:channel/typing',
		run: (call) => {
			const { discord } = call;
			const channel = seen(call);
			demandSending(channel, discord.world.me, 0, 0);
			channel.typing.set(discord.world.me.id, discord.clock.now());
		},
	},
	{
		method: 'POST',
		path: '/channels/:channel/messages/:message/threads',
		run: (call) => {
			const { discord, json } = call;
			const { me } = discord.world;
			const parent = seen(call, 'CreatePublicThreads');
			if (!THREADS[parent.type]) throw error.wrongChannelType();
			const message = messageIn(parent, call);
			if (message.thread) throw error.hasThread();
			const { name, auto_archive_duration } = readForm(thread, json);
			const autoArchive = auto_archive_duration ?? 1440;
			return render(call, createThread(discord, parent, { name, owner: me, message, autoArchive }));
		},
	},
	{
		method: 'POST',
		path: '/channels/:channel/threads',
		run: (call) => {
			const { discord, json } = call;
			const parent = seen(call);
			if (FORUMS.includes(parent.type)) return startForumPost(call, parent);
			const possible = THREADS[parent.type];
			if (!possible) throw error.wrongChannelType();
			const { name, type, auto_archive_duration } = readForm(separateThread, json);
			if (!possible.includes(type)) throw error.wrongChannelType();
			const isPrivate = type === ChannelType.PrivateThread;
			demand(parent, discord.world.me, isPrivate ? 'CreatePrivateThreads' : 'CreatePublicThreads');
			const autoArchive = auto_archive_duration ?? 1440;
			const options = { name, owner: discord.world.me, private: isPrivate, autoArchive };
			return render(call, createThread(discord, parent, options));
		},
	},
	{
		method: 'PUT',
		path: '/channels/:channel/thread-members/:user',
		run: (call) => {
			const { discord, params } = call;
			const channel = threadSeen(call);
			if (channel.archived) throw error.archivedThread();
			const user = params['user'] === '@me' ? discord.world.me : discord.world.userById(params['user'] ?? '');
			if (!user || !channel.server?.members.has(user.id)) throw error.unknownUser();
			if (user !== discord.world.me) demandSending(channel, discord.world.me, 0, 0);
			joinThread(discord, channel, user);
		},
	},
	{
		method: 'DELETE',
		path: '/channels/:channel/thread-members/:user',
		run: (call) => {
			const { discord, params } = call;
			const channel = threadSeen(call);
			const id = params['user'] === '@me' ? discord.world.me.id : (params['user'] ?? '');
			if (id !== discord.world.me.id) demand(channel, discord.world.me, 'ManageThreads');
			channel.threadMembers.delete(id);
		},
	},
	{
		method: 'GET',
		path: '/channels/:channel/thread-members',
		run: (call) => {
			const channel = threadSeen(call);
			return [...channel.threadMembers].map((id) => renderThreadMember(channel, id));
		},
	},
	{
		method: 'GET',
		path: '/channels/:channel/thread-members/:user',
		run: (call) => {
			const channel = threadSeen(call);
			const id = call.params['user'] === '@me' ? call.discord.world.me.id : (call.params['user'] ?? '');
			const user = call.discord.world.userById(id);
			if (!user || !channel.threadMembers.has(id)) throw error.unknownMember();
			return {
				...renderThreadMember(channel, id),
				...(channel.server && { member: renderMember(channel.server, user) }),
			};
		},
	},
];

/** A thread of a forum, with its first message. */
function startForumPost(call: Call, parent: Channel): unknown {
	const { discord, json, files } = call;
	const { me } = discord.world;
	demand(parent, me, 'SendMessages');
	const { name, auto_archive_duration, message } = readForm(forumPost, json);
	const body = readMessage(message, files, fileBytesIn(parent));
	refuseEmpty(body, files.length);
	const channel = createThread(discord, parent, { name, owner: me, autoArchive: auto_archive_duration ?? 1440 });
	return {
		...render(call, channel),
		message: show(discord, createMessage(discord, body, files, { channel, author: me })),
	};
}

function postMessage(call: Call): unknown {
	const { discord, json, files } = call;
	const { me } = discord.world;
	const channel = seen(call);
	const body = readMessage(json, files, fileBytesIn(channel));
	if ((body.flags ?? 0) & MessageFlags.Ephemeral)
		discord.violate('a message outside of interactions cannot be ephemeral: everybody sees it');
	demandSending(channel, me, files.length, body.embeds?.length ?? 0);
	if (channel.recipients.some((user) => user.closed)) throw error.closedDirectMessages();
	refuseEmpty(body, files.length);
	const reply = body.message_reference;
	const reference = reply ? channel.messages.get(reply.message_id) : undefined;
	if (reply && (!reference || reference.only) && reply.fail_if_not_exists !== false)
		throw invalidForm([{ path: ['message_reference'], code: 'REPLIES_UNKNOWN_MESSAGE', message: 'Unknown message' }]);
	if (reply) demand(channel, me, 'ReadMessageHistory');
	const flags = (body.flags ?? 0) & ~MessageFlags.Ephemeral;
	return show(discord, createMessage(discord, { ...body, flags }, files, { channel, author: me, reference }));
}

function changeThread(call: Call): unknown {
	const { discord, json } = call;
	const { me } = discord.world;
	const channel = seen(call);
	if (!isThread(channel)) {
		demand(channel, me, 'ManageChannels');
		throw error.wrongChannelType();
	}
	const { name, archived, locked, auto_archive_duration, rate_limit_per_user } = readForm(change, json);
	const manages = (permissionsAt(channel, me) & Bits.ManageThreads) !== 0n;
	const restricted = locked !== undefined || rate_limit_per_user !== undefined;
	if (!manages && (restricted || channel.locked || channel.ownerId !== me.id)) throw error.missingPermissions();
	if (channel.archived && archived !== false) throw error.archivedThread();
	updateThread(discord, channel, {
		...(name !== undefined && { name }),
		...(archived !== undefined && { archived }),
		...(locked !== undefined && { locked }),
		...(auto_archive_duration !== undefined && { autoArchive: auto_archive_duration }),
		...(rate_limit_per_user !== undefined && { slowMode: rate_limit_per_user }),
	});
	return render(call, channel);
}

/** The channel, if it is there and the application sees it and may do this in it. */
function seen({ discord, params }: Call, ...permissions: Parameters<typeof demand>[2][]): Channel {
	const channel = discord.world.channels.get(params['channel'] ?? '');
	if (!channel) throw error.unknownChannel();
	demand(channel, discord.world.me, ...permissions);
	return channel;
}

function threadSeen(call: Call): Channel {
	const channel = seen(call);
	if (!isThread(channel)) throw error.wrongChannelType();
	return channel;
}

/** Ephemeral messages are there for interactions' tokens only. */
function messageIn({ messages }: Channel, { params }: Call): Message {
	const message = messages.get(params['message'] ?? '');
	if (!message || message.only) throw error.unknownMessage();
	return message;
}

const render = ({ discord }: Call, channel: Channel) => renderChannel(channel, discord.world.me);

/** By REST an application reads what its intent in the portal allows. */
const show = (discord: Discord, message: Message) =>
	renderMessage(discord, message, readable(discord, message, discord.settings.privileged.messageContent));
