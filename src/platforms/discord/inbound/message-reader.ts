import querystring from 'node:querystring';
import {
	type APIAttachment,
	type APIEmbed,
	type APIMessage,
	type APIMessageTopLevelComponent,
	type APIPoll,
	type APISectionAccessoryComponent,
	type APIStickerItem,
	AttachmentFlags,
	CDN,
	ComponentType,
	Constants,
	EmbedType,
	ImageFormat,
	MessageFlags,
	MessageReferenceType,
	type StickerExtension,
} from 'discord.js';
import { request } from 'undici';
import { fileKindOf, type Upload } from '../../../domain/channel.ts';
import { OWN_MENTION, withoutOwnMentions, wordsToBot } from '../../../domain/text.ts';
import { collect, createAgent, piecesOf } from '../../shared/download.ts';

/** What a message is read with: who the bot is, and the names of what the message mentions. */
export type MessageContext = {
	/** The ids of the bot's user and of its own role. */
	self: readonly (string | undefined)[];
	nameOf(kind: 'channel' | 'role', id: string): string | undefined;
};

/** What the reader looks at in a message. A forwarded one has no author. */
type Readable = Partial<APIMessage> & Pick<APIMessage, 'content' | 'attachments' | 'embeds'>;

/**
 * Reads a message of any kind: a new one, or one that is replied to or forwarded.
 *
 * @returns its words, with names in place of ids and without the mentions of the bot, and its files, without pictures that only preview a page
 */
export function readMessage(message: Readable, context: MessageContext) {
	const { content, mentions = [] } = message;
	const toBot = wordsToBot(withOwnMentions(content, context), PEOPLE);
	return {
		text: withForwarded(message)
			.map((one) => textOf(one, context))
			.filter(Boolean)
			.join('\n\n'),
		...(toBot && { toBot: wordsWithNames(toBot, mentions, context) }),
		files: filesOf(message).filter(({ isOfPage }) => !isOfPage),
	};
}

/** People and roles that a text begins with. */
const PEOPLE = /^\s*(?:<@[!&]?\d+>[\s,:]*)+/;

const withOwnMentions = (content: string, { self }: MessageContext): string =>
	content.replace(/<@[!&]?(\d+)>/g, (markup, id) => (self.includes(id) ? OWN_MENTION : markup));

/** Returns the files that a message shows, or the one that it forwards: attachments, components, embeds, stickers. A picture of an embed may be a file of the message as well. */
export function filesOf(message: Readable): AttachmentData[] {
	const files = withForwarded(message).flatMap((one) =>
		[
			...one.attachments.map(attachmentData),
			...(one.components ?? []).flatMap((component) => shownBy(component)),
			...one.embeds.flatMap((embed) => embedded(embed, one.content)),
			...(one.sticker_items ?? []).map(sticker),
			// Who forwards a message has not written it: a forwarded one has neither.
		].map((file) => ({ ...file, message: one.id, author: one.author?.id })),
	);
	return [...new Map(files.map((file) => [pathOf(file.url), file])).values()];
}

const withForwarded = (message: Readable): Readable[] => [message, ...forwardedIn(message)];

/** https://docs.discord.com/developers/resources/message#message-reference-types */
const forwardedIn = ({ message_reference, message_snapshots = [] }: Readable): Readable[] =>
	message_reference?.type === MessageReferenceType.Forward ? message_snapshots.map(({ message }) => message) : [];

/** https://docs.discord.com/developers/reference#message-formatting-formats */
const MARKUP =
	/<(?:(?<kind>@[!&]?|#)(?<id>\d+)|id:(?<guide>[\w-]+)(?::\d+)?|\/(?<command>[^<>:\n]+):\d+|a?(?<emoji>:\w+:)\d+|t:(?<time>-?\d{1,12})(?::\w)?)>/g;
type Markup = Partial<Record<'kind' | 'id' | 'guide' | 'command' | 'emoji' | 'time', string>>;

/** The words of a message. Of embeds, those of apps are read: under the messages of people they are previews of links. */
function textOf(message: Readable, context: MessageContext): string {
	const { author, content, embeds, components = [], poll, mentions = [] } = message;
	const cards = author && !author.bot ? [] : embeds.filter(({ type = EmbedType.Rich }) => type === EmbedType.Rich);
	const texts = [
		withoutLinks(content, embeds),
		poll && pollText(poll),
		...components.flatMap(wordsOf),
		...cards.map(embedText),
	];
	return wordsWithNames(texts.filter(Boolean).join('\n\n'), mentions, context);
}

function withoutLinks(content: string, embeds: readonly APIEmbed[]): string {
	const links = embeds.flatMap(({ type, url }) =>
		url && (type === EmbedType.Image || type === EmbedType.GIFV) ? url : [],
	);
	const without = (text: string, link: string) =>
		text.replaceAll(`](${link})`, ']').replaceAll(`||${link}||`, '').replaceAll(link, '');
	return links.length > 0 ? links.reduce(without, content).trim() : content;
}

/** Tells whether a message has a link to a picture whose preview Discord has yet to add. */
export const linksToPicture = ({ content, embeds, flags }: Pick<APIMessage, 'content' | 'embeds' | 'flags'>): boolean =>
	embeds.length === 0 &&
	((flags ?? 0) & MessageFlags.SuppressEmbeds) === 0 &&
	content.split(/[\s|()]/).some((word) => /^https?:/i.test(word) && isPicture({ url: word, filename: pathOf(word) }));

const pollText = ({ question, answers }: APIPoll) =>
	[
		question.text,
		...answers.map(({ poll_media: { text, emoji } }, index) => `${index + 1}. ${text ?? emoji?.name ?? ''}`),
	].join('\n');

const embedText = ({ author, title, description, fields = [], footer }: APIEmbed) =>
	[author?.name, title, description, ...fields.map(({ name, value }) => `${name}: ${value}`), footer?.text]
		.filter(Boolean)
		.join('\n');

function wordsOf(component: APIMessageTopLevelComponent): string[] {
	switch (component.type) {
		case ComponentType.TextDisplay:
			return [component.content];
		case ComponentType.Container:
		case ComponentType.Section:
			return component.components.flatMap(wordsOf);
		default:
			return [];
	}
}

const wordsWithNames = (content: string, mentions: readonly NamedUser[], context: MessageContext): string =>
	withoutOwnMentions(withNames(content, mentions, context))
		.replace(BEFORE_WORDS, '')
		.replace(AROUND_WORDS, '$1');

/** Returns a text with names in place of ids, and `OWN_MENTION` in place of the mentions of the bot. */
export const withNames = (content: string, mentions: readonly NamedUser[], context: MessageContext): string =>
	content.replace(MARKUP, (...match) => nameIn(match.at(-1) as Markup, mentions, context));

/** What stands before the words of a message and says nothing: a ping of everybody, and the mark of a heading or of small text. */
const BEFORE_WORDS = /^(?:@(?:everyone|here)|-#|#{1,3})\s+/;

/** A message that is covered as a whole. */
const AROUND_WORDS = /^\|\|\s*([^|\s][^|]*)\|\|$/;

function nameIn(
	{ kind, id = '', guide, command, emoji, time }: Markup,
	mentions: readonly NamedUser[],
	{ self, nameOf }: MessageContext,
): string {
	if (time) return timeOf(Number(time));
	if (command) return `/${command}`;
	const named = emoji ?? guide;
	if (named) return named;
	if (self.includes(id)) return OWN_MENTION;
	// What is not known is named as Discord's client does.
	if (kind === '#') return `#${nameOf('channel', id) ?? 'unknown'}`;
	if (kind === '@&') return `@${nameOf('role', id) ?? 'deleted-role'}`;
	const user = mentions.find((one) => one.id === id);
	return `@${user?.member?.nick ?? user?.global_name ?? user?.username ?? 'unknown-user'}`;
}

/** A mentioned person; events of servers have their names there. */
type NamedUser = APIMessage['mentions'][number] & { member?: { nick?: string | null } | undefined };

/** Returns a time, which is in seconds, as a model reads it: `2026-11-26 15:04 UTC`. */
const timeOf = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Previews of links that show a page or a video, whose picture may have little to do with what a message says. */
const PAGES: readonly (EmbedType | undefined)[] = [EmbedType.Article, EmbedType.Link, EmbedType.Video];

/**
 * The pictures of an embed, such as the preview of a link, which is covered with its link. They are not among the attachments, and only
 * Discord's proxy is asked for them.
 */
function embedded({ type, url, image, thumbnail }: APIEmbed, content: string): AttachmentData[] {
	const betweenBars = content.split('||').filter((_, at, all) => at % 2 === 1 && at < all.length - 1);
	const covered = url !== undefined && betweenBars.some((text) => text.includes(url));
	return [image, thumbnail].flatMap((media) =>
		media ? { ...mediaFile({ ...media, content_type: 'image/' }, covered), isOfPage: PAGES.includes(type) } : [],
	);
}

type Media = { url: string; proxy_url?: string; content_type?: string | null };

/** Returns the picture of a component or an embed. What Discord does not keep itself is read from its proxy; its type may not be known yet. */
function mediaFile({ url, proxy_url, content_type }: Media, covered = false): AttachmentData {
	const address = isDiscords(url) ? url : proxy_url || url;
	const filename = querystring.unescape(pathOf(address).split('/').at(-1) || 'picture');
	return { url: address, filename, content_type: content_type ?? 'image/', covered };
}

const isDiscords = (url: string) => /^https:\/\/(cdn\.discordapp\.com|media\.discordapp\.net)\//.test(url);

const pathOf = (url: string) => URL.parse(url)?.pathname ?? url;

/** The files that a component shows, with those inside it. https://docs.discord.com/developers/components/reference */
function shownBy(
	component: APIMessageTopLevelComponent | APISectionAccessoryComponent,
	covered = false,
): AttachmentData[] {
	switch (component.type) {
		case ComponentType.Container:
			return component.components.flatMap((inner) => shownBy(inner, covered || component.spoiler));
		case ComponentType.Section:
			return shownBy(component.accessory, covered);
		case ComponentType.Thumbnail:
			return [mediaFile(component.media, covered || component.spoiler)];
		case ComponentType.MediaGallery:
			return component.items.map(({ media, spoiler }) => mediaFile(media, covered || spoiler));
		case ComponentType.File: {
			const { file, name, size, spoiler } = component;
			const found = mediaFile(file, covered || spoiler);
			return [{ ...found, size, filename: name || found.filename, content_type: file.content_type ?? undefined }];
		}
		default:
			return [];
	}
}

/** https://docs.discord.com/developers/reference#image-formatting-cdn-endpoints */
function sticker({ id, name, format_type }: APIStickerItem): AttachmentData {
	const ending = Constants.StickerFormatExtensionMap[format_type] as StickerExtension;
	const url = new CDN().sticker(id, ending);
	if (ending === ImageFormat.Lottie) return { url, filename: name, content_type: 'video/lottie+json' };
	return { url, filename: `${name}.${ending}`, content_type: `image/${ending}` };
}

/** Attachments, and the proxies of pictures elsewhere. https://docs.discord.com/developers/reference#signed-attachment-cdn-urls */
const DISCORD_ORIGINS = [
	'https://cdn.discordapp.com',
	'https://media.discordapp.net',
	'https://images-ext-1.discordapp.net',
	'https://images-ext-2.discordapp.net',
];

const SILENCE_MS = 20_000;

/** What is needed to read a file of a message, small enough to be stored with a form. */
export type AttachmentData = Pick<APIAttachment, 'url' | 'filename' | 'content_type'> & {
	/** In bytes, where Discord tells it. */
	size?: number;
	/** Its author has marked it as a spoiler. */
	covered?: boolean;
	/** It is the preview of a page that the message links to. */
	isOfPage?: boolean;
	/** The id of the message that shows it, and of the user who has written that. */
	message?: string;
	author?: string;
};

/** Returns what is needed to read an attachment. Only older clients mark spoilers by the name. */
export const attachmentData = ({ url, filename, size, content_type, flags }: APIAttachment): AttachmentData => ({
	...{ url, filename, size, content_type: content_type ?? undefined },
	covered: ((flags ?? 0) & AttachmentFlags.IsSpoiler) !== 0 || filename.startsWith('SPOILER_'),
});

/** Returns a file that users attach as the core takes it. Its bytes are fetched when it is read. */
export type UploadOf = (file: AttachmentData) => Upload;

/**
 * Returns what reads files from Discord's origins and further ones only, without following redirects, and without the bot's token.
 *
 * @param origins allowed besides Discord's own
 * @param keyOf returns the key of a message of the bot
 */
export function createUploadOf(
	origins: readonly string[],
	keyOf: (message: string) => Promise<string | undefined> = async () => undefined,
): UploadOf {
	const allowed = new Set([...DISCORD_ORIGINS, ...origins]);
	const dispatcher = createAgent(SILENCE_MS);
	async function* pieces(url: string, signal: AbortSignal, maxBytes: number): AsyncGenerator<Uint8Array, void> {
		if (!allowed.has(URL.parse(url)?.origin ?? '')) throw new Error('The origin of an attachment is not allowed');
		yield* piecesOf(await request(url, { dispatcher, signal }), maxBytes);
	}
	return ({ url, filename, size, content_type, covered, message, author }) => ({
		...{ name: filename, size, type: content_type, covered },
		...(message && { poster: async () => ({ person: author, key: await keyOf(message) }) }),
		link: async () => url,
		read: (signal, maxBytes) => collect(pieces(url, signal, maxBytes), Math.min(size ?? maxBytes, maxBytes)),
	});
}

/** Tells whether a file is a picture; see `fileKindOf`. */
export const isPicture = ({ content_type, filename }: AttachmentData): boolean =>
	fileKindOf({ name: filename, type: content_type }) === 'picture';
