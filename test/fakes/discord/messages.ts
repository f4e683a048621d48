import { GatewayIntentBits as Intent, MessageFlags } from 'discord-api-types/v10';
import { typeOf } from './cdn.ts';
import { type Component, withinAll } from './components.ts';
import type { Discord } from './context.ts';
import { type FilePart, fileName, type MessageBody } from './limits.ts';
import { renderMessage } from './render.ts';
import { type Channel, isThread, type Message, type StoredFile, type User } from './things.ts';
import { wakeThread } from './threads.ts';

type Circumstances = {
	channel: Channel;
	author: User;
	interaction?: Message['interaction'];
	only?: User | undefined;
	reference?: Message | undefined;
	/** Only marks that an answer is coming. */
	loading?: boolean;
};

/** Writes a message and tells everybody of it who may know. */
export function createMessage(
	discord: Discord,
	body: MessageBody,
	files: readonly FilePart[],
	circumstances: Circumstances,
): Message {
	const { channel, author, interaction, only, reference, loading } = circumstances;
	const twin = body.enforce_nonce && body.nonce != null ? sameNonce(channel, author, body.nonce) : undefined;
	if (twin) return twin;
	const id = discord.snowflake();
	const message: Message = {
		id,
		channel,
		author,
		content: body.content ?? '',
		embeds: body.embeds ?? [],
		components: body.components ?? [],
		files: keep(discord, channel, body, files),
		flags: (body.flags ?? 0) | (only ? MessageFlags.Ephemeral : 0) | (loading ? MessageFlags.Loading : 0),
		replyPings: reference !== undefined && (body.allowed_mentions?.replied_user ?? !body.allowed_mentions),
		...(body.nonce != null && { nonce: body.nonce }),
		...(interaction && { interaction }),
		...(only && { only }),
		...(reference && { reference }),
	};
	watchPings(discord, message, body);
	channel.messages.set(id, message);
	channel.typing.delete(author.id);
	if (isThread(channel)) {
		wakeThread(discord, channel);
		channel.threadMembers.add(author.id);
	}
	announce(discord, 'MESSAGE_CREATE', message);
	return message;
}

export function editMessage(
	discord: Discord,
	message: Message,
	body: MessageBody,
	files: readonly FilePart[],
): Message {
	const { channel } = message;
	if (body.content !== undefined) message.content = body.content ?? '';
	if (body.embeds !== undefined) message.embeds = body.embeds ?? [];
	if (body.components !== undefined) message.components = body.components ?? [];
	const listed = body.attachments?.map(({ id }) => id);
	const kept = message.files.filter(({ id }) => listed?.includes(id) ?? true);
	for (const file of kept) {
		const changed = body.attachments?.find(({ id }) => id === file.id);
		if (changed?.description != null) file.description = changed.description;
		if (changed?.is_spoiler != null) file.spoiler = changed.is_spoiler;
	}
	message.files = [...kept, ...keep(discord, channel, body, files)];
	message.flags = (message.flags | ((body.flags ?? 0) & CHANGEABLE)) & ~MessageFlags.Loading;
	message.editedAt = discord.clock.now();
	watchPings(discord, message, body);
	announce(discord, 'MESSAGE_UPDATE', message);
	return message;
}

export function deleteMessage(discord: Discord, { id, channel, only, files }: Message): void {
	channel.messages.delete(id);
	for (const file of files) discord.cdn.drop(file.id);
	if (only) return;
	const data = { id, channel_id: channel.id, ...(channel.server && { guild_id: channel.server.id }) };
	discord.gateway.dispatch('MESSAGE_DELETE', data, audience(channel));
}

const CHANGEABLE = MessageFlags.SuppressEmbeds | MessageFlags.IsComponentsV2;

const audience = ({ server }: Channel) => ({
	server: server?.id,
	intent: server ? Intent.GuildMessages : Intent.DirectMessages,
});

function announce(discord: Discord, event: string, message: Message): void {
	const { channel, author, only } = message;
	if (only) return;
	const { server } = channel;
	if (server && !server.joined) return;
	const member = server?.members.get(author.id);
	discord.gateway.dispatch(
		event,
		({ intents }) => ({
			...renderMessage(discord, message, readable(discord, message, (intents & Intent.MessageContent) !== 0)),
			channel_type: channel.type,
			...(server && { guild_id: server.id }),
			...(member && {
				member: { roles: member.roles, joined_at: new Date(0).toISOString(), deaf: false, mute: false, flags: 0 },
			}),
		}),
		audience(channel),
	);
}

/**
 * Whether an application may read what a message says: by intent, or because it is its own, direct, mentions it, or
 * answers it with a ping and is no answer to a command's response.
 * https://docs.discord.com/developers/events/gateway#message-content-intent
 */
export function readable(discord: Discord, message: Message, intent: boolean): boolean {
	const { me } = discord.world;
	const { author, channel, content, reference, replyPings } = message;
	if (intent || author === me || !channel.server || content.includes(`<@${me.id}>`)) return true;
	return replyPings && reference?.author === me && !reference.interaction;
}

const sameNonce = (channel: Channel, author: User, nonce: string | number) =>
	[...channel.messages.values()].find((other) => other.author === author && other.nonce === nonce);

function keep(discord: Discord, channel: Channel, body: MessageBody, files: readonly FilePart[]): StoredFile[] {
	return files.map(({ index, name, bytes }) => {
		const listed = body.attachments?.find(({ id }) => id === index);
		const kept = fileName(listed?.filename ?? name);
		return discord.cdn.keep({
			id: discord.snowflake(),
			name: kept,
			type: typeOf(bytes, kept),
			bytes,
			...(listed?.description != null && { description: listed.description }),
			spoiler: listed?.is_spoiler ?? kept.startsWith('SPOILER_'),
			channelId: channel.id,
			ephemeral: false,
		});
	});
}

/** The application may ping nobody but those who asked it for something. */
function watchPings(discord: Discord, message: Message, { allowed_mentions }: MessageBody): void {
	const { world, violate } = discord;
	if (message.author !== world.me) return;
	const text = textOf(message);
	const parse = allowed_mentions ? (allowed_mentions.parse ?? []) : (['users', 'roles', 'everyone'] as const);
	const pings = (kind: 'users' | 'roles', ids: string[]) =>
		ids.filter((id) => (parse as readonly string[]).includes(kind) || allowed_mentions?.[kind]?.includes(id));
	const users = pings(
		'users',
		[...text.matchAll(/<@!?(\d+)>/g)].map(([, id]) => id ?? ''),
	);
	const { interaction } = message;
	const may = (id: string) => id === world.me.id || (interaction ? interaction.user.id === id : world.asked.has(id));
	const answered = message.replyPings && message.reference ? [message.reference.author.id] : [];
	for (const id of [...users, ...answered].filter((id) => !may(id)))
		violate(`message ${message.id} pings ${world.userById(id)?.name ?? id}, who did not ask`);
	for (const id of pings(
		'roles',
		[...text.matchAll(/<@&(\d+)>/g)].map(([, role]) => role ?? ''),
	))
		violate(`message ${message.id} pings the role ${id}`);
	if ((parse as readonly string[]).includes('everyone') && /@(everyone|here)\b/.test(text))
		violate(`message ${message.id} pings everyone`);
}

/** Everything that a message says: its text, or the texts of its layout. */
export function textOf({ content, components }: { content: string; components: Component[] }): string {
	const texts = withinAll(components).flatMap((component) =>
		component.type === 10 ? String(component['content']) : [],
	);
	return [...(content ? [content] : []), ...texts].join('\n');
}
