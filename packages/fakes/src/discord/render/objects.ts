import { ChannelFlags, GuildMemberFlags } from 'discord-api-types/v10';
import { type Channel, FORUMS, isThread, type Role, type Server, type User } from '../world/model.ts';
import { permissionsAt, permissionsIn } from '../world/permissions.ts';
import { timeOf } from '../world/snowflakes.ts';

export const date = (at: number) => new Date(at).toISOString();

export const renderUser = ({ id, handle, name, bot }: User) => ({
	id,
	username: handle,
	discriminator: bot ? '0001' : '0',
	global_name: bot ? null : name,
	avatar: null,
	bot,
	flags: 0,
	public_flags: 0,
});

export function renderMember(server: Server, user: User) {
	const member = server.members.get(user.id);
	return {
		user: renderUser(user),
		nick: null,
		avatar: null,
		banner: null,
		roles: member?.roles ?? [],
		joined_at: date(timeOf(server.id)),
		deaf: false,
		mute: false,
		flags: member?.guest ? GuildMemberFlags.IsGuest : 0,
		pending: false,
		premium_since: null,
		communication_disabled_until: null,
	};
}

/** The member of an interaction, with their permissions in its channel. */
export const renderActor = (server: Server, user: User, channel: Channel) => ({
	...renderMember(server, user),
	permissions: String(permissionsAt(channel, user) || permissionsIn(server, user)),
});

export const renderRole = ({ id, name, permissions, bot }: Role, position: number) => ({
	id,
	name,
	color: 0,
	colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
	hoist: false,
	icon: null,
	unicode_emoji: null,
	position,
	permissions: String(permissions),
	managed: bot !== undefined,
	...(bot && { tags: { bot_id: bot } }),
	mentionable: false,
	flags: 0,
});

export function renderChannel(channel: Channel, viewer?: User) {
	const { id, type, name, nsfw, server, parent } = channel;
	if (!server) return { id, type, last_message_id: lastId(channel), recipients: recipientsOf(channel, viewer) };
	const common = { id, type, name, guild_id: server.id, last_message_id: lastId(channel) };
	if (parent)
		return {
			...common,
			parent_id: parent.id,
			owner_id: channel.ownerId,
			// The first message of a forum's post is not counted. https://docs.discord.com/developers/resources/channel#channel-object
			message_count: channel.messages.size - (FORUMS.includes(parent.type) ? 1 : 0),
			total_message_sent: channel.messages.size,
			member_count: channel.threadMembers.size,
			rate_limit_per_user: channel.slowMode,
			...(FORUMS.includes(parent.type) && { applied_tags: channel.appliedTags }),
			thread_metadata: {
				archived: channel.archived,
				locked: channel.locked,
				auto_archive_duration: channel.autoArchive,
				archive_timestamp: date(timeOf(id)),
				create_timestamp: date(timeOf(id)),
				...(channel.private && { invitable: true }),
			},
			...(viewer && channel.threadMembers.has(viewer.id) && { member: renderThreadMember(channel, viewer.id) }),
		};
	return {
		...common,
		nsfw,
		topic: null,
		position: 0,
		parent_id: null,
		rate_limit_per_user: channel.slowMode,
		flags: channel.requiresTag ? ChannelFlags.RequireTag : 0,
		...(FORUMS.includes(type) && {
			available_tags: channel.tags.map((tag) => ({ ...tag, emoji_id: null, emoji_name: null })),
		}),
		permission_overwrites: [...channel.overwrites].map(([id, { allow, deny }]) => ({
			id,
			type: server.roles.has(id) ? 0 : 1,
			allow: String(allow),
			deny: String(deny),
		})),
	};
}

const lastId = ({ messages }: Channel) => [...messages.keys()].at(-1) ?? null;
const recipientsOf = ({ recipients }: Channel, viewer?: User) =>
	recipients.filter((user) => user !== viewer).map(renderUser);

export const renderThreadMember = ({ id }: Channel, userId: string) => ({
	id,
	user_id: userId,
	join_timestamp: date(timeOf(id)),
	flags: 0,
});

/** A server whose features give the upload limit may have no tier. */
function premiumTierOf({ fileBytes, features }: Server): number {
	if (features.includes('TIERLESS_BOOSTING')) return 0;
	return fileBytes >= 100 * 2 ** 20 ? 3 : fileBytes >= 50 * 2 ** 20 ? 2 : 0;
}

/** The server as `GUILD_CREATE` sends it to this viewer. */
export function renderServer(server: Server, viewer: User) {
	const { id, name, locale, ownerId, roles, members } = server;
	const channels = [...server.channels.values()].filter((channel) => permissionsAt(channel, viewer) > 0n);
	return {
		id,
		name,
		icon: null,
		splash: null,
		banner: null,
		description: null,
		owner_id: ownerId,
		preferred_locale: locale,
		features: [...server.features, ...(locale === 'en-US' ? [] : ['COMMUNITY'])],
		premium_tier: premiumTierOf(server),
		premium_subscription_count: 0,
		verification_level: 0,
		default_message_notifications: 1,
		explicit_content_filter: 0,
		mfa_level: 0,
		nsfw_level: 0,
		system_channel_id: null,
		system_channel_flags: 0,
		rules_channel_id: null,
		public_updates_channel_id: null,
		safety_alerts_channel_id: null,
		afk_channel_id: null,
		afk_timeout: 300,
		vanity_url_code: null,
		application_id: null,
		joined_at: date(timeOf(id)),
		large: false,
		unavailable: false,
		member_count: members.size,
		roles: [...roles.values()].map(renderRole),
		emojis: [],
		stickers: [],
		members: [...members.values()].map(({ user }) => renderMember(server, user)),
		channels: channels.filter((channel) => !isThread(channel)).map((channel) => renderChannel(channel, viewer)),
		threads: channels
			.filter((channel) => isThread(channel) && !channel.archived)
			.map((channel) => renderChannel(channel, viewer)),
		presences: [],
		voice_states: [],
		stage_instances: [],
		guild_scheduled_events: [],
		soundboard_sounds: [],
	};
}
