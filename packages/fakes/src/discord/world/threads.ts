import { ChannelType, GatewayIntentBits as Intent } from 'discord-api-types/v10';
import type { Discord } from '../context.ts';
import { renderChannel, renderThreadMember } from '../render/objects.ts';
import type { Channel, Message, User } from './model.ts';
import { permissionsAt } from './permissions.ts';

type ThreadOptions = {
	name: string;
	owner: User;
	private?: boolean;
	message?: Message;
	autoArchive?: number;
	tags?: readonly string[];
};

/** Adds a thread and dispatches the event. */
export function createThread(discord: Discord, parent: Channel, options: ThreadOptions): Channel {
	const { name, owner, message, autoArchive = 1440 } = options;
	const thread = discord.world.addChannel({
		type: threadType(parent, options),
		name,
		parent,
		private: options.private ?? false,
		ownerId: owner.id,
		autoArchive,
		appliedTags: options.tags ?? [],
		threadMembers: new Set([owner.id]),
		...(parent.server && { server: parent.server }),
		// A thread that starts from a message has the message's id.
		...(message && { id: message.id }),
	});
	if (message) message.thread = thread;
	announceThread(discord, 'THREAD_CREATE', thread);
	return thread;
}

function threadType({ type }: Channel, { private: isPrivate = false }: ThreadOptions): ChannelType {
	if (type === ChannelType.GuildAnnouncement) return ChannelType.AnnouncementThread;
	return isPrivate ? ChannelType.PrivateThread : ChannelType.PublicThread;
}

/** Changes a thread and dispatches the event. */
export function updateThread(
	discord: Discord,
	thread: Channel,
	changes: Partial<Pick<Channel, 'name' | 'archived' | 'locked' | 'slowMode' | 'autoArchive'>>,
): void {
	Object.assign(thread, changes);
	announceThread(discord, 'THREAD_UPDATE', thread);
}

/** Unarchives a thread, as a message in it does. */
export function wakeThread(discord: Discord, thread: Channel): void {
	if (thread.archived) updateThread(discord, thread, { archived: false });
}

/** Adds a member to a thread. For the application, a thread that it could not see before is a new one. */
export function joinThread(discord: Discord, thread: Channel, user: User): void {
	if (thread.threadMembers.has(user.id)) return;
	const wasVisible = permissionsAt(thread, discord.world.me) > 0n;
	thread.threadMembers.add(user.id);
	if (user === discord.world.me && !wasVisible) {
		announceThread(discord, 'THREAD_CREATE', thread);
		return;
	}
	discord.gateway.dispatch(
		'THREAD_MEMBERS_UPDATE',
		{
			id: thread.id,
			guild_id: thread.server?.id,
			member_count: thread.threadMembers.size,
			added_members: [renderThreadMember(thread, user.id)],
		},
		{ server: thread.server?.id, intent: Intent.Guilds },
	);
}

/** Dispatches the event of a channel that has changed. */
export function updateChannel(discord: Discord, channel: Channel): void {
	const data = renderChannel(channel);
	discord.gateway.dispatch('CHANNEL_UPDATE', data, { server: channel.server?.id, intent: Intent.Guilds });
}

/** Deletes a channel with its threads, or a thread. */
export function deleteChannel(discord: Discord, channel: Channel): void {
	const { world, gateway } = discord;
	const { server, parent } = channel;
	const deleted = [channel, ...[...world.channels.values()].filter((other) => other.parent === channel)];
	for (const { id } of deleted) {
		world.channels.delete(id);
		server?.channels.delete(id);
	}
	const data = parent
		? { id: channel.id, guild_id: server?.id, parent_id: parent.id, type: channel.type }
		: renderChannel(channel);
	gateway.dispatch(parent ? 'THREAD_DELETE' : 'CHANNEL_DELETE', data, { server: server?.id, intent: Intent.Guilds });
}

function announceThread(discord: Discord, event: string, thread: Channel): void {
	const { me } = discord.world;
	if (!thread.server?.joined || !permissionsAt(thread, me)) return;
	const data = { ...renderChannel(thread, me), ...(event === 'THREAD_CREATE' && { newly_created: true }) };
	discord.gateway.dispatch(event, data, { server: thread.server.id, intent: Intent.Guilds });
}
