import { AttachmentFlags, MessageFlags } from 'discord-api-types/v10';
import type { Discord } from '../context.ts';
import type { Component } from '../schemas/components.ts';
import type { Message, Poll, StoredFile, User } from '../world/model.ts';
import { timeOf } from '../world/snowflakes.ts';
import { date, renderChannel, renderUser } from './objects.ts';

export const renderFile = ({ cdn }: Discord, file: StoredFile) => ({
	id: file.id,
	filename: file.name,
	...(file.description !== undefined && { description: file.description }),
	content_type: file.type,
	size: file.bytes.length,
	url: cdn.urlOf(file),
	proxy_url: cdn.urlOf(file),
	...(file.spoiler && { flags: AttachmentFlags.IsSpoiler }),
	...(file.ephemeral && { ephemeral: true }),
});

/** Returns a function that adds to a reference to a file of a message where the file is. */
const resolverFor =
	(discord: Discord, files: readonly StoredFile[]) =>
	<Media extends { url: string }>(media: Media): Media => {
		const file = files.find(({ name }) => media.url === `attachment://${name}`);
		if (!file) return media;
		const { url, proxy_url, content_type } = renderFile(discord, file);
		return { ...media, url, proxy_url, content_type, attachment_id: file.id };
	};

/** The embeds of a message, with the URLs of the files that they show. */
const renderEmbeds = (discord: Discord, { embeds, files, ...message }: Message) => [
	...embeds.map((embed) => ({
		...embed,
		...(embed.image && { image: resolverFor(discord, files)(embed.image) }),
		...(embed.thumbnail && { thumbnail: resolverFor(discord, files)(embed.thumbnail) }),
	})),
	...(message.unfurled ? previewsOf(message) : []),
];

/**
 * The previews of the links in a message, unless they are in angle brackets or the message has none.
 * https://docs.discord.com/developers/resources/message#message-object-message-flags
 */
export const previewsOf = ({ content, flags }: Pick<Message, 'content' | 'flags'>) =>
	flags & MessageFlags.SuppressEmbeds
		? []
		: [...content.matchAll(/(?<!<)https?:\/\/[^\s<>()[\]|]+/g)].slice(0, 5).map(([url]) => previewOf(url));

/** The preview of a picture is the picture, which Discord's proxy has as well. */
const previewOf = (url: string) =>
	/\.(?:png|jpg|webp|gif)$/.test(URL.parse(url)?.pathname ?? '')
		? { type: 'image', url, thumbnail: { url, proxy_url: url, width: 8, height: 8 } }
		: { type: 'link', url };

/** The components of a message, with ids and with the URLs of the files that they show. */
function renderComponents(discord: Discord, { components, files }: Pick<Message, 'components' | 'files'>) {
	const resolve = resolverFor(discord, files);
	let nextId = 1;
	const render = (component: Component): Component => ({
		...component,
		id: component['id'] ?? nextId++,
		...('media' in component && { media: resolve(component['media'] as { url: string }) }),
		...('file' in component && { file: resolve(component['file'] as { url: string }) }),
		...('items' in component && {
			items: (component['items'] as { media: { url: string } }[]).map((item) => ({
				...item,
				media: resolve(item.media),
			})),
		}),
		...(component.components && { components: component.components.map(render) }),
		...(component.accessory && { accessory: render(component.accessory) }),
	});
	return components.map(render);
}

/** Files that a component or an embed shows are not listed as attachments. https://github.com/discord/discord-api-docs/issues/8277 */
function attachmentsOf({ files, components, embeds }: Pick<Message, 'files' | 'components' | 'embeds'>) {
	const shown = JSON.stringify([components, embeds]);
	return files.filter(({ name }) => !shown.includes(`"attachment://${name}"`));
}

/**
 * A message as an application receives it.
 *
 * @param readable whether it may read the content, see `isReadable`
 */
export function renderMessage(discord: Discord, message: Message, readable: boolean): Record<string, unknown> {
	const { id, channel, author, interaction, reference, thread, nonce } = message;
	return {
		id,
		channel_id: channel.id,
		type: reference ? 19 : interaction ? (interaction.name === undefined ? 0 : 20) : 0,
		author: renderUser(author),
		content: readable ? message.content : '',
		embeds: readable ? renderEmbeds(discord, message) : [],
		attachments: readable ? attachmentsOf(message).map((file) => renderFile(discord, file)) : [],
		components: readable ? renderComponents(discord, message) : [],
		timestamp: date(timeOf(id)),
		edited_timestamp: message.editedAt === undefined ? null : date(message.editedAt),
		flags: message.flags | (thread ? MessageFlags.HasThread : 0),
		mentions: mentionedUsers(discord, message).map(renderUser),
		mention_roles: [...message.content.matchAll(/<@&(\d+)>/g)].map(([, id]) => id),
		...(readable && message.poll && { poll: renderPoll(message.poll) }),
		...(message.stickers && { sticker_items: message.stickers }),
		...(message.forwarded && renderForward(discord, message.forwarded)),
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
			referenced_message: channel.messages.has(reference.id)
				? renderMessage(discord, { ...reference, reference: undefined } as unknown as Message, readable)
				: null,
		}),
		...(thread && { thread: renderChannel(thread) }),
	};
}

/**
 * A forward has no content of its own: what was forwarded is in a snapshot, without its author.
 * https://docs.discord.com/developers/resources/message#message-snapshot-structure
 */
function renderForward(discord: Discord, forwarded: Message) {
	const rendered = renderMessage(discord, forwarded, true);
	return {
		message_reference: { type: 1, message_id: forwarded.id, channel_id: forwarded.channel.id },
		message_snapshots: [{ message: Object.fromEntries(SNAPSHOT.map((name) => [name, rendered[name]])) }],
	};
}

const renderPoll = ({ question, answers }: Poll) => ({
	question: { text: question },
	answers: answers.map((text, index) => ({ answer_id: index + 1, poll_media: { text } })),
	expiry: null,
	allow_multiselect: false,
	layout_type: 1,
});

const SNAPSHOT = [
	...['type', 'content', 'embeds', 'attachments', 'components', 'timestamp', 'edited_timestamp'],
	...['flags', 'mentions', 'mention_roles', 'sticker_items'],
];

/** The users that the text mentions, and the author that a reply pings. */
function mentionedUsers({ world }: Discord, { content, reference, replyPings }: Message): User[] {
	const mentioned = [...content.matchAll(/<@!?(\d+)>/g)].flatMap(([, id]) => world.userById(id ?? '') ?? []);
	return [...new Set([...mentioned, ...(replyPings && reference ? [reference.author] : [])])];
}
