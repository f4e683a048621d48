import { PermissionFlagsBits as Bits, ChannelType } from 'discord-api-types/v10';
import { z } from 'zod';
import { renderMember, renderThreadMember } from '../../render/objects.ts';
import { readMessage, refuseEmpty } from '../../schemas/messages.ts';
import { readForm } from '../../schemas/read-form.ts';
import { fileBytesIn } from '../../world/interactions.ts';
import { createMessage } from '../../world/messages.ts';
import { type Channel, FORUMS, isThread, type User } from '../../world/model.ts';
import { permissionsAt, requirePermissions, requireSending } from '../../world/permissions.ts';
import { createThread, joinThread, updateThread } from '../../world/threads.ts';
import { apiErrors, invalidForm } from '../errors.ts';
import type { Route, RouteRequest } from '../route.ts';
import { channelOf, messageOf, showChannel, showMessage, threadOf } from './lookup.ts';

const DEFAULT_AUTO_ARCHIVE = 1440;
const autoArchive = z.union([60, DEFAULT_AUTO_ARCHIVE, 4320, 10080].map((minutes) => z.literal(minutes)));
const threadName = z.string().min(1).max(100);
const thread = z.object({
	name: threadName,
	auto_archive_duration: autoArchive.nullish(),
	rate_limit_per_user: z.number().int().min(0).max(21_600).nullish(),
});
const separateThread = thread.extend({
	type: z.union([z.literal(10), z.literal(11), z.literal(12)]),
	invitable: z.boolean().nullish(),
});
/** https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel */
const forumPost = thread.extend({
	message: z.unknown(),
	applied_tags: z.array(z.string()).max(5).nullish(),
});
const threadChange = z.object({
	name: threadName.optional(),
	archived: z.boolean().optional(),
	locked: z.boolean().optional(),
	auto_archive_duration: autoArchive.optional(),
	rate_limit_per_user: z.number().int().min(0).max(21_600).optional(),
});

/** The types of threads that a channel allows. */
const THREAD_TYPES: Readonly<Record<number, readonly number[]>> = {
	[ChannelType.GuildText]: [ChannelType.PublicThread, ChannelType.PrivateThread],
	[ChannelType.GuildAnnouncement]: [ChannelType.AnnouncementThread],
};

/** https://docs.discord.com/developers/resources/channel#start-thread-from-message and the endpoints after it */
export const threadRoutes: Route[] = [
	{ method: 'POST', path: '/channels/:channel/messages/:message/threads', run: startThreadFromMessage },
	{ method: 'POST', path: '/channels/:channel/threads', run: startThread },
	{
		method: 'PUT',
		path: '/channels/:channel/thread-members/:user',
		run: (request) => {
			const { discord, params } = request;
			const { me } = discord.world;
			const channel = threadOf(request);
			if (channel.archived) throw apiErrors.archivedThread();
			const user = params['user'] === '@me' ? me : discord.world.userById(params['user'] ?? '');
			if (!user || !channel.server?.members.has(user.id)) throw apiErrors.unknownUser();
			if (user !== me) requireSending(channel, me, 0, 0);
			joinThread(discord, channel, user);
		},
	},
	{
		method: 'DELETE',
		path: '/channels/:channel/thread-members/:user',
		run: (request) => {
			const { me } = request.discord.world;
			const channel = threadOf(request);
			const id = memberId(request);
			if (id !== me.id) requirePermissions(channel, me, 'ManageThreads');
			channel.threadMembers.delete(id);
		},
	},
	{
		method: 'GET',
		path: '/channels/:channel/thread-members',
		run: (request) => {
			const channel = threadOf(request);
			return [...channel.threadMembers].map((id) => renderThreadMember(channel, id));
		},
	},
	{
		method: 'GET',
		path: '/channels/:channel/thread-members/:user',
		run: (request) => {
			const channel = threadOf(request);
			const id = memberId(request);
			const user = request.discord.world.userById(id);
			if (!user || !channel.threadMembers.has(id)) throw apiErrors.unknownMember();
			return {
				...renderThreadMember(channel, id),
				...(channel.server && { member: renderMember(channel.server, user) }),
			};
		},
	},
];

const memberId = ({ discord, params }: RouteRequest) =>
	params['user'] === '@me' ? discord.world.me.id : (params['user'] ?? '');

function startThreadFromMessage(request: RouteRequest): unknown {
	const { discord, json } = request;
	const parent = channelOf(request, 'CreatePublicThreads');
	if (!THREAD_TYPES[parent.type]) throw apiErrors.wrongChannelType();
	const message = messageOf(parent, request);
	if (message.thread) throw apiErrors.hasThread();
	const { name, auto_archive_duration } = readForm(thread, json);
	const options = {
		name,
		owner: discord.world.me,
		message,
		autoArchive: auto_archive_duration ?? DEFAULT_AUTO_ARCHIVE,
	};
	return showChannel(request, createThread(discord, parent, options));
}

function startThread(request: RouteRequest): unknown {
	const { discord, json } = request;
	const { me } = discord.world;
	const parent = channelOf(request);
	if (FORUMS.includes(parent.type)) return startForumPost(request, parent);
	const types = THREAD_TYPES[parent.type];
	if (!types) throw apiErrors.wrongChannelType();
	const { name, type, auto_archive_duration } = readForm(separateThread, json);
	if (!types.includes(type)) throw apiErrors.wrongChannelType();
	const isPrivate = type === ChannelType.PrivateThread;
	requirePermissions(parent, me, isPrivate ? 'CreatePrivateThreads' : 'CreatePublicThreads');
	const options = { name, owner: me, private: isPrivate, autoArchive: auto_archive_duration ?? DEFAULT_AUTO_ARCHIVE };
	return showChannel(request, createThread(discord, parent, options));
}

/** Starts a thread of a forum with its first message. */
function startForumPost(request: RouteRequest, parent: Channel): unknown {
	const { discord, json, files } = request;
	const { me } = discord.world;
	requirePermissions(parent, me, 'SendMessages');
	const { name, auto_archive_duration, message, applied_tags } = readForm(forumPost, json);
	const tags = checkTags(parent, me, applied_tags ?? []);
	const body = readMessage(message, files, fileBytesIn(parent));
	refuseEmpty(body, files.length);
	const options = { name, owner: me, tags, autoArchive: auto_archive_duration ?? DEFAULT_AUTO_ARCHIVE };
	const channel = createThread(discord, parent, options);
	const first = createMessage(discord, body, files, { id: channel.id, channel, author: me });
	return { ...showChannel(request, channel), message: showMessage(discord, first) };
}

/**
 * Returns the tags of a new post, unless they are not allowed in the forum.
 * https://docs.discord.com/developers/resources/channel#forum-tag-object and #channel-object-channel-flags
 */
function checkTags(forum: Channel, user: User, ids: readonly string[]): readonly string[] {
	const isManager = (permissionsAt(forum, user) & Bits.ManageThreads) !== 0n;
	const allowed = forum.tags.filter(({ moderated }) => isManager || !moderated);
	if (forum.requiresTag && ids.length === 0)
		throw allowed.length > 0 ? apiErrors.tagRequired() : apiErrors.noFreeTags();
	if (ids.some((id) => !forum.tags.some((tag) => tag.id === id)))
		throw invalidForm([{ path: ['applied_tags'], code: 'INVALID_TAGS', message: 'Unknown tag' }]);
	if (ids.some((id) => !allowed.some((tag) => tag.id === id))) throw apiErrors.missingPermissions();
	return ids;
}

/** Changes a thread. Channels of other types cannot be changed. */
export function changeThread(request: RouteRequest): unknown {
	const { discord, json } = request;
	const { me } = discord.world;
	const channel = channelOf(request);
	if (!isThread(channel)) {
		requirePermissions(channel, me, 'ManageChannels');
		throw apiErrors.wrongChannelType();
	}
	const { name, archived, locked, auto_archive_duration, rate_limit_per_user } = readForm(threadChange, json);
	const isManager = (permissionsAt(channel, me) & Bits.ManageThreads) !== 0n;
	const needsManager = channel.locked || locked !== undefined || rate_limit_per_user !== undefined;
	// Whoever may post in a thread may open it again. https://docs.discord.com/developers/topics/threads#active--archived-threads
	const isOpening = archived === false && Object.keys(json as object).length === 1;
	if (!isManager && isOpening && !channel.locked) requirePermissions(channel, me, 'SendMessagesInThreads');
	else if (!isManager && (needsManager || channel.ownerId !== me.id)) throw apiErrors.missingPermissions();
	if (channel.archived && archived !== false) throw apiErrors.archivedThread();
	updateThread(discord, channel, {
		...(name !== undefined && { name }),
		...(archived !== undefined && { archived }),
		...(locked !== undefined && { locked }),
		...(auto_archive_duration !== undefined && { autoArchive: auto_archive_duration }),
		...(rate_limit_per_user !== undefined && { slowMode: rate_limit_per_user }),
	});
	return showChannel(request, channel);
}
