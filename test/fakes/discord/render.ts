import { MessageFlags } from 'discord-api-types/v10';
import type { Component } from './components.ts';
import type { Discord } from './context.ts';
import { permissionsAt, permissionsIn } from './permissions.ts';
import { timeOf } from './snowflakes.ts';
import { type Channel, isThread, type Message, type Role, type Server, type StoredFile, type User } from './things.ts';

const date = (at: number) => new Date(at).toISOString();

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
		flags: 0,
		pending: false,
		premium_since: null,
		communication_disabled_until: null,
	};
}

/** As it comes in interactions: with what this person may do in this channel. */
export const renderActor = (server: Server, user: User, channel: Channel) => ({
	...renderMember(server, user),
	permissions: String(permissionsAt(channel, user) || permissionsIn(server, user)),
});

export const renderRole = ({ id, name, permissions }: Role, position: number) => ({
	id,
	name,
	color: 0,
	colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
	hoist: false,
	icon: null,
	unicode_emoji: null,
	position,
	permissions: String(permissions),
	managed: false,
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
			message_count: channel.messages.size,
			total_message_sent: channel.messages.size,
			member_count: channel.threadMembers.size,
			rate_limit_per_user: channel.slowMode,
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
		flags: 0,
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

/** As GUILD_CREATE brings it to this viewer. */
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
		features: locale === 'en-US' ? [] : ['COMMUNITY'],
		premium_tier: server.fileBytes >= 100 * 2 ** 20 ? 3 : server.fileBytes >= 50 * 2 ** 20 ? 2 : 0,
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

export const renderFile = ({ cdn }: Discord, file: StoredFile) => ({
	id: file.id,
	filename: file.name,
	...(file.description !== undefined && { description: file.description }),
	content_type: file.type,
	size: file.bytes.length,
	url: cdn.urlOf(file),
	proxy_url: cdn.urlOf(file),
	...(file.spoiler && { flags: 1 << 5 }),
	...(file.ephemeral && { ephemeral: true }),
});

/** A layout as it is given back: files that it shows have addresses, and no longer stand among the attachments. */
function renderComponents(discord: Discord, { components, files }: Pick<Message, 'components' | 'files'>) {
	const fill = (shown: { url: string }) => {
		const file = files.find(({ name }) => shown.url === `attachment://${name}`);
		if (!file) return shown;
		const { url, proxy_url, content_type } = renderFile(discord, file);
		return { ...shown, url, proxy_url, content_type, attachment_id: file.id };
	};
	let next = 1;
	const render = (component: Component): Component => ({
		...component,
		id: component['id'] ?? next++,
		...('media' in component && { media: fill(component['media'] as { url: string }) }),
		...('file' in component && { file: fill(component['file'] as { url: string }) }),
		...('items' in component && {
			items: (component['items'] as { media: { url: string } }[]).map((item) => ({ ...item, media: fill(item.media) })),
		}),
		...(component.components && { components: component.components.map(render) }),
		...(component.accessory && { accessory: render(component.accessory) }),
	});
	return components.map(render);
}

/** Files that are shown by a layout or an embed are not listed once more. https://github.com/discord/discord-api-docs/issues/8277 */
function listedFiles({ files, components, embeds }: Pick<Message, 'files' | 'components' | 'embeds'>) {
	const shown = JSON.stringify([components, embeds]);
	return files.filter(({ name }) => !shown.includes(`"attachment://${name}"`));
}

/**
 * A message as an application gets it.
 * @param readable whether it may read what people wrote, by intent or by what the message is
 */
export function renderMessage(discord: Discord, message: Message, readable: boolean): Record<string, unknown> {
	const { id, channel, author, interaction, reference, thread, nonce } = message;
	return {
		id,
		channel_id: channel.id,
		type: reference ? 19 : interaction ? (interaction.name === undefined ? 0 : 20) : 0,
		author: renderUser(author),
		content: readable ? message.content : '',
		embeds: readable ? message.embeds : [],
		attachments: readable ? listedFiles(message).map((file) => renderFile(discord, file)) : [],
		components: readable ? renderComponents(discord, message) : [],
		timestamp: date(timeOf(id)),
		edited_timestamp: message.editedAt === undefined ? null : date(message.editedAt),
		flags: message.flags | (thread ? MessageFlags.HasThread : 0),
		mentions: mentionedUsers(discord, message).map(renderUser),
		mention_roles: [],
		mention_everyone: false,
		pinned: false,
		tts: false,
		...(nonce !== undefined && { nonce }),
		...(author.bot && { application_id: author.id }),
		...(interaction && {
			webhook_id: author.id,
			interaction_metadata: {
				id: interaction.id,
				type: interaction.type,
				user: renderUser(interaction.user),
				authorizing_integration_owners: {},
				...(interaction.name !== undefined && { name: interaction.name }),
			},
		}),
		...(reference && {
			message_reference: {
				type: 0,
				message_id: reference.id,
				channel_id: channel.id,
				...(channel.server && { guild_id: channel.server.id }),
			},
			referenced_message: renderMessage(
				discord,
				{ ...reference, reference: undefined } as unknown as Message,
				readable,
			),
		}),
		...(thread && { thread: renderChannel(thread) }),
	};
}

/** Those named in the text, and whom a reply pings. */
function mentionedUsers({ world }: Discord, { content, reference, replyPings }: Message): User[] {
	const named = [...content.matchAll(/<@!?(\d+)>/g)].flatMap(([, id]) => world.userById(id ?? '') ?? []);
	return [...new Set([...named, ...(replyPings && reference ? [reference.author] : [])])];
}
