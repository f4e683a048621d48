import { ChannelType, GatewayIntentBits as Intent } from 'discord-api-types/v10';
import type { Discord } from './context.ts';
import { permissionsAt } from './permissions.ts';
import { renderChannel, renderThreadMember } from './render.ts';
import type { Channel, Message, User } from './things.ts';

type ThreadOptions = { name: string; owner: User; private?: boolean; message?: Message; autoArchive?: number };

/** Opens a thread in a channel and tells those who see it. */
export function createThread(discord: Discord, parent: Channel, options: ThreadOptions): Channel {
	const { name, owner, message, autoArchive = 1440 } = options;
	const thread = discord.world.addChannel({
		type: typeIn(parent, options),
		name,
		parent,
		private: options.private ?? false,
		ownerId: owner.id,
		autoArchive,
		threadMembers: new Set([owner.id]),
		...(parent.server && { server: parent.server }),
		// A thread that starts at a message has the message's id.
		...(message && { id: message.id }),
	});
	if (message) message.thread = thread;
	tellThread(discord, 'THREAD_CREATE', thread);
	return thread;
}

function typeIn({ type }: Channel, { private: isPrivate = false }: ThreadOptions): ChannelType {
	if (type === ChannelType.GuildAnnouncement) return ChannelType.AnnouncementThread;
	return isPrivate ? ChannelType.PrivateThread : ChannelType.PublicThread;
}

/** Changes a thread; whoever joins is told of it as if it were new. */
export function updateThread(
	discord: Discord,
	thread: Channel,
	changes: Partial<Pick<Channel, 'name' | 'archived' | 'locked' | 'slowMode' | 'autoArchive'>>,
): void {
	Object.assign(thread, changes);
	tellThread(discord, 'THREAD_UPDATE', thread);
}

/** A message in an archived thread brings it back. */
export function wakeThread(discord: Discord, thread: Channel): void {
	if (thread.archived) updateThread(discord, thread, { archived: false });
}

export function joinThread(discord: Discord, thread: Channel, user: User): void {
	if (thread.threadMembers.has(user.id)) return;
	const seen = permissionsAt(thread, discord.world.me) > 0n;
	thread.threadMembers.add(user.id);
	if (user === discord.world.me && !seen) {
		tellThread(discord, 'THREAD_CREATE', thread);
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

/** Channels and threads go the same way, with all that was said in them. */
export function deleteChannel(discord: Discord, channel: Channel): void {
	const { world, gateway } = discord;
	const { server, parent } = channel;
	const gone = [channel, ...[...world.channels.values()].filter((other) => other.parent === channel)];
	for (const { id } of gone) {
		world.channels.delete(id);
		server?.channels.delete(id);
	}
	const data = parent
		? { id: channel.id, guild_id: server?.id, parent_id: parent.id, type: channel.type }
		: renderChannel(channel);
	gateway.dispatch(parent ? 'THREAD_DELETE' : 'CHANNEL_DELETE', data, { server: server?.id, intent: Intent.Guilds });
}

function tellThread(discord: Discord, event: string, thread: Channel): void {
	const { me } = discord.world;
	if (!thread.server?.joined || !permissionsAt(thread, me)) return;
	const data = { ...renderChannel(thread, me), ...(event === 'THREAD_CREATE' && { newly_created: true }) };
	discord.gateway.dispatch(event, data, { server: thread.server.id, intent: Intent.Guilds });
}
