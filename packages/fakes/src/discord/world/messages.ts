import { GuildMemberFlags, GatewayIntentBits as Intent, MessageFlags } from 'discord-api-types/v10';
import { apiErrors } from '../api/errors.ts';
import type { Discord } from '../context.ts';
import { previewsOf, renderMessage } from '../render/messages.ts';
import { type FilePart, fileName, type MessageBody } from '../schemas/messages.ts';
import { typeOf } from './cdn.ts';
import { type Channel, isThread, type Message, type Poll, type Sticker, type StoredFile, type User } from './model.ts';
import { reportPings } from './pings.ts';
import { wakeThread } from './threads.ts';

type Origin = {
	/** The first message of a forum's post has the post's id. */
	id?: string;
	channel: Channel;
	author: User;
	interaction?: Message['interaction'];
	only?: User | undefined;
	reference?: Message | undefined;
	forwarded?: Message | undefined;
	stickers?: readonly Sticker[] | undefined;
	poll?: Poll | undefined;
	/** The message is a deferral. */
	loading?: boolean;
};

const EDITABLE_FLAGS = MessageFlags.SuppressEmbeds | MessageFlags.IsComponentsV2;

/** How long a nonce is remembered: “the past few minutes”. https://docs.discord.com/developers/resources/message#create-message */
const NONCE_MS = 5 * 60_000;

/** Adds a message and dispatches the event. With an enforced nonce that exists, it returns the existing message. */
export function createMessage(
	discord: Discord,
	body: MessageBody,
	files: readonly FilePart[],
	{ id, channel, author, interaction, only, reference, forwarded, stickers, poll, loading }: Origin,
): Message {
	const existing =
		body.enforce_nonce && body.nonce != null ? withNonce(discord, channel, author, body.nonce) : undefined;
	if (existing) return existing;
	const message: Message = {
		id: id ?? discord.snowflake(),
		channel,
		author,
		content: body.content ?? '',
		embeds: body.embeds ?? [],
		components: body.components ?? [],
		files: storeFiles(discord, channel, body, files),
		flags: (body.flags ?? 0) | (only ? MessageFlags.Ephemeral : 0) | (loading ? MessageFlags.Loading : 0),
		replyPings: reference !== undefined && (body.allowed_mentions?.replied_user ?? !body.allowed_mentions),
		...(body.nonce != null && { nonce: body.nonce }),
		...(interaction && { interaction }),
		...(only && { only }),
		...(reference && { reference }),
		...(forwarded && { forwarded }),
		...(stickers && { stickers }),
		...(poll && { poll }),
	};
	reportPings(discord, message, body);
	channel.messages.set(message.id, message);
	if (body.nonce != null)
		channel.nonces.set(nonceKey(author, body.nonce), { message: message.id, at: discord.clock.now() });
	channel.typing.delete(author.id);
	if (isThread(channel)) {
		wakeThread(discord, channel);
		channel.threadMembers.add(author.id);
	}
	announce(discord, 'MESSAGE_CREATE', message);
	if (previewsOf(message).length > 0) {
		message.unfurled = true;
		announce(discord, 'MESSAGE_UPDATE', message);
	}
	return message;
}

/**
 * Edits a message and dispatches the event. Without a list of attachments, its files stay. Those that are listed by their id may get another
 * description, or be covered, without being uploaded again. https://github.com/discord/discord-api-docs/pull/8429
 */
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
	message.files = [...kept, ...storeFiles(discord, channel, body, files)];
	message.flags = (message.flags | ((body.flags ?? 0) & EDITABLE_FLAGS)) & ~MessageFlags.Loading;
	message.editedAt = discord.clock.now();
	reportPings(discord, message, body);
	announce(discord, 'MESSAGE_UPDATE', message);
	return message;
}

export function deleteMessage(discord: Discord, { id, channel, only, files }: Message): void {
	channel.messages.delete(id);
	for (const file of files) discord.cdn.remove(file.id);
	if (only) return;
	const data = { id, channel_id: channel.id, ...(channel.server && { guild_id: channel.server.id }) };
	discord.gateway.dispatch('MESSAGE_DELETE', data, audienceOf(channel));
}

const audienceOf = ({ server }: Channel) => ({
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
			...renderMessage(discord, message, isReadable(discord, message, (intents & Intent.MessageContent) !== 0)),
			channel_type: channel.type,
			...(server && { guild_id: server.id }),
			...(member && {
				member: {
					roles: member.roles,
					joined_at: new Date(0).toISOString(),
					deaf: false,
					mute: false,
					flags: member.guest ? GuildMemberFlags.IsGuest : 0,
				},
			}),
		}),
		audienceOf(channel),
	);
}

/**
 * Tells whether an application may read the content of a message: with the intent, and without it when the message is its own, is a
 * direct message, mentions it, or is a reply to it with a ping, except a reply to the response of a command.
 * https://docs.discord.com/developers/events/gateway#message-content-intent
 */
export function isReadable(discord: Discord, message: Message, hasIntent: boolean): boolean {
	const { me } = discord.world;
	const { author, channel, content, reference, replyPings } = message;
	if (hasIntent || author === me || !channel.server || content.includes(`<@${me.id}>`)) return true;
	return replyPings && reference?.author === me && !reference.interaction;
}

/**
 * Returns the message that an author has posted with a nonce. Throws when it was deleted: Discord creates no other one meanwhile.
 * https://github.com/discord/discord-api-docs/pull/6647
 */
function withNonce({ clock }: Discord, channel: Channel, author: User, nonce: string | number): Message | undefined {
	const used = channel.nonces.get(nonceKey(author, nonce));
	if (!used || used.at + NONCE_MS <= clock.now()) return undefined;
	const message = channel.messages.get(used.message);
	if (!message) throw apiErrors.unknownMessage();
	return message;
}

const nonceKey = ({ id }: User, nonce: string | number) => `${id} ${nonce}`;

function storeFiles(discord: Discord, channel: Channel, body: MessageBody, files: readonly FilePart[]): StoredFile[] {
	return files.map(({ index, name, bytes }) => {
		const listed = body.attachments?.find(({ id }) => id === index);
		const storedName = fileName(listed?.filename ?? name);
		return discord.cdn.store({
			id: discord.snowflake(),
			name: storedName,
			type: typeOf(bytes, storedName),
			bytes,
			...(listed?.description != null && { description: listed.description }),
			spoiler: listed?.is_spoiler ?? storedName.startsWith('SPOILER_'),
			channelId: channel.id,
			ephemeral: false,
		});
	});
}
