import { once } from 'node:events';
import {
	type APIMessage,
	type GatewayMessageCreateDispatchData as Created,
	type GatewayMessageDeleteBulkDispatchData,
	type GatewayMessageDeleteDispatchData,
	type GatewayMessageUpdateDispatchData,
	MessageReferenceType,
	MessageType,
	SnowflakeUtil,
} from 'discord.js';
import { isPicture, type Person, type Place } from '../../../domain/channel.ts';
import type { IncomingMessage, QuotedMessage } from '../../../domain/platform.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { tryAndLog } from '../../../log.ts';
import { failureMessageOf } from '../../shared/failure-message.ts';
import { getChannel } from '../api/message-api.ts';
import { getMember, memberFacts, nameOf, placeOf } from '../api/people.ts';
import type { Discord, Receiving } from '../discord.ts';
import { channelIn } from '../outbound/channels.ts';
import { linksToPicture, readMessage } from './message-reader.ts';

/** The types of messages that users write. Discord sends others by itself, such as for a pinned message. */
const USER_MESSAGES: readonly MessageType[] = [MessageType.Default, MessageType.Reply];

/** Those that are told as what was said before, with the answers of apps to commands. */
const SHOWN_MESSAGES: readonly MessageType[] = [
	...USER_MESSAGES,
	MessageType.ChatInputCommand,
	MessageType.ContextMenuCommand,
];

/** How many messages before a mention are read, and how long that may take. */
const MAX_BEFORE = 15;
const BEFORE_MS = 4000;

/** How long the preview of a picture is waited for, in milliseconds. */
const PREVIEW_MS = 3000;

/** How long after it was written an edit can address a message to the bot, in milliseconds. */
const ADDRESSABLE_MS = 10 * 60_000;

/** Passes a message to the core: one in a thread, a direct message, or one that mentions or answers the bot. */
export async function messageCreated(discord: Receiving, sent: Created): Promise<void> {
	const message = linksToPicture(sent) ? await withPreviews(discord, sent) : sent;
	const incoming = await incomingOf(discord, message);
	if (!incoming) await reportPosted(discord, message);
	if (incoming?.addressed && message.guild_id) void isFirst(discord, message.id);
	if (incoming) await discord.inbox.hear(incoming);
}

/** Discord adds the preview of a picture to a message some moments after its event. */
async function withPreviews({ previews }: Discord, message: Created): Promise<Created> {
	const added = once(previews, message.id, { signal: AbortSignal.timeout(PREVIEW_MS) });
	const [{ embeds }] = (await added.catch(() => [message])) as [Pick<APIMessage, 'embeds'>];
	return { ...message, embeds };
}

async function reportPosted(discord: Receiving, message: Created): Promise<void> {
	const { author, webhook_id, channel_id: channel, guild_id: server, attachments } = message;
	if (!server || attachments.length === 0 || author.bot || webhook_id) return;
	const { uploads } = read(discord, message, server);
	await discord.inbox.posted({ place: { platform: 'discord', server, channel }, person: { id: author.id }, uploads });
}

/** Reads a message for the core. Returns undefined for one that is not for the bot. */
async function incomingOf(discord: Discord, message: Created): Promise<IncomingMessage | undefined> {
	const { self } = discord.cache;
	const { id, author, webhook_id, type, guild_id: server, channel_id } = message;
	if (!self || author.id === self || webhook_id || !USER_MESSAGES.includes(type)) return undefined;
	if (server) return incomingIn(discord, server, message, self);
	if (author.bot) return undefined;
	try {
		return await incomingDirectly(discord, message);
	} catch (error) {
		discord.log.error({ err: error }, 'A direct message could not be read');
		const channel = channelIn(discord, directPlace(channel_id, `user:${author.id}`));
		// The language of its author is in the store.
		const text = failureMessageOf(error, translatorFor());
		await channel.post({ text }, id, { ifAbsent: true, withoutStore: true });
		return undefined;
	}
}

/** Discord sends the event also when it adds a link preview. Only an edit by the author has the time of an edit. */
export async function messageUpdated(discord: Receiving, message: GatewayMessageUpdateDispatchData): Promise<void> {
	const { id, guild_id: server, channel_id, edited_timestamp, embeds } = message;
	const { self } = discord.cache;
	if (embeds?.length > 0) discord.previews.emit(id, message);
	if (!self || !edited_timestamp || message.author.bot) return;
	const place = await conversationIn(discord, server, channel_id);
	if (place) await discord.inbox.changed({ id, place, text: read(discord, message, server).text });
	if (!server || SnowflakeUtil.timestampFrom(id) < Date.now() - ADDRESSABLE_MS) return;
	const incoming = await incomingOf(discord, message);
	if (incoming?.addressed && (await isFirst(discord, id))) await discord.inbox.hear(incoming);
}

/** Returns true when a message of a server addresses the bot for the first time: an edit may add the mention, and buys nothing else. */
function isFirst({ claim, log }: Discord, id: string): Promise<boolean | undefined> {
	const claimed = () => claim(`addressed:${id}`, ADDRESSABLE_MS);
	return tryAndLog(log, 'Whether a message addressed the bot before could not be looked up', claimed);
}

type Deleted = GatewayMessageDeleteDispatchData | GatewayMessageDeleteBulkDispatchData;

export async function messagesDeleted(
	discord: Receiving,
	{ channel_id, guild_id, ...deleted }: Deleted,
): Promise<void> {
	const ids = 'ids' in deleted ? deleted.ids : [deleted.id];
	const place = await conversationIn(discord, guild_id, channel_id);
	if (!place) return;
	for (const id of ids) await discord.inbox.changed({ id: (await discord.records.keyOf(id)) ?? id, place });
}

async function incomingIn(discord: Discord, server: string, message: Created, self: string) {
	const { cache, userRecords, serves } = discord;
	const { author, member, content, mentions, mention_roles, referenced_message } = message;
	const repliedTo = referenced_message?.author.id;
	const ownRole = cache.ownRole(server);
	const hasRole = mention_roles.some((role) => role === ownRole);
	const isMentioned = hasRole || repliedTo === self || mentions.some((user) => user.id === self);
	// “@Björn look at this”, in reply to a picture of the bot, is for Björn. The mentions of a reply have the bot for the reply itself.
	const [, first = self] = /^<@!?(\d+)>/.exec(content) ?? [];
	const isReply = repliedTo === self && !hasRole && !content.includes(self);
	const addressed = isReply ? first === self : isMentioned;
	const isServed = serves({ platform: 'discord', server });
	if (!addressed && (author.bot || !isServed)) return undefined;
	const place = await placeIn(discord, server, message.channel_id);
	if (!place || (place.thread === undefined && !addressed)) return undefined;
	if (addressed && isServed) userRecords.note('home', author.id, server);
	const facts = memberFacts(member);
	const rights = author.bot
		? { moderator: false, mayModerate: false as const, app: true as const }
		: { moderator: cache.isModerator(server, author.id, facts.roles) };
	const others = [...mentions.map(({ id }) => id), repliedTo].filter((id) => id !== self && id !== author.id);
	const incoming = await incomingAt(discord, place, message, { ...facts, ...rights });
	// Without the Message Content intent, messages that do not address the bot are empty.
	if (!addressed && incoming.text === '' && incoming.uploads.length === 0) return undefined;
	return { ...incoming, addressed, toOthers: others.some(Boolean) };
}

async function incomingDirectly(discord: Discord, message: Created): Promise<IncomingMessage> {
	const { userRecords, serves } = discord;
	const { author, channel_id: channel } = message;
	const home = await userRecords.homeOf(author.id);
	const place = directPlace(channel, home.server);
	if (serves(place)) await userRecords.remember('direct', channel, author.id);
	return incomingAt(discord, place, message, { moderator: false, mayModerate: false, roles: home.roles });
}

/**
 * Reads a message that addresses the bot, as direct messages do. Without the Message Content intent, Discord leaves out the text and files
 * of other people's messages.
 */
async function incomingAt(
	discord: Discord,
	place: Place,
	message: Created,
	rights: Omit<Person, 'id' | 'name' | 'locale'>,
): Promise<IncomingMessage> {
	const { cache, userRecords } = discord;
	const { id, author, member, guild_id: server, referenced_message: referenced } = message;
	const locale = await userRecords.languageOf(author.id, server && cache.guild(server)?.preferredLocale);
	const { text, uploads, toBot } = read(discord, message, server);
	// What somebody has written below a picture is no instruction of the person who forwards it.
	const isShown = message.message_reference?.type === MessageReferenceType.Forward && uploads.some(isPicture);
	const quoted = referenced && quotedOf(discord, referenced, server);
	return {
		...{ id, text: isShown ? '' : text, uploads, toBot, addressed: true },
		// Null for a reply to a message that was deleted. https://docs.discord.com/developers/resources/message#message-object
		repliedTo: quoted === null ? { author: '', text: '', uploads: [], gone: true } : quoted,
		before: () => saidBefore(discord, message, place),
		person: { id: author.id, locale, name: nameOf(author, member?.nick), ...rights },
		channel: channelIn(discord, place, { message: id }),
	};
}

async function saidBefore(discord: Discord, { id, guild_id: server, referenced_message }: Created, place: Place) {
	const { messages, log } = discord;
	const before = await tryAndLog(log, 'The messages before a mention could not be read', () =>
		messages.before(place, id, MAX_BEFORE, AbortSignal.timeout(BEFORE_MS)),
	);
	const said = (before ?? [])
		.filter((one) => SHOWN_MESSAGES.includes(one.type) && one.id !== referenced_message?.id)
		.map((one) => quotedOf(discord, one, server))
		.filter(({ text, uploads }) => text !== '' || uploads.length > 0);
	const title = postTitle(discord, place);
	return title === undefined ? said : [{ author: 'Title', text: title, uploads: [] }, ...said];
}

/** Returns the title of a post in a forum, which its messages do not repeat. */
const postTitle = ({ cache }: Discord, { channel, thread, server }: Place): string | undefined =>
	thread !== undefined && cache.channel(channel)?.isThreadOnly() ? cache.nameOf('channel', thread, server) : undefined;

function quotedOf(discord: Discord, message: APIMessage, server: string | undefined): QuotedMessage {
	const { author } = message;
	const quoted = { author: nameOf(author), ...read(discord, message, server) };
	return author.id === discord.cache.self ? { ...quoted, own: true } : quoted;
}

function read({ cache, uploadOf }: Discord, message: APIMessage, server: string | undefined) {
	const self = [cache.self, server === undefined ? undefined : cache.ownRole(server)];
	const { files, ...words } = readMessage(message, { self, nameOf: (kind, id) => cache.nameOf(kind, id, server) });
	return { ...words, uploads: files.map(uploadOf) };
}

/** Returns the thread or the direct messages of an event; undefined for other channels, whose messages are not kept. */
async function conversationIn(discord: Discord, server: string | undefined, channel: string) {
	const { userRecords } = discord;
	if (server === undefined) {
		const person = await userRecords.recall('direct', channel);
		return person === undefined ? undefined : directPlace(channel, (await userRecords.homeOf(person)).server);
	}
	const place = await placeIn(discord, server, channel);
	return place?.thread === undefined ? undefined : place;
}

/** The client has not cached threads that were archived when it connected. */
async function placeIn({ cache, rest }: Discord, server: string, id: string): Promise<Place | undefined> {
	const channel = cache.channel(id) ?? (await getChannel(rest, id));
	return channel && placeOf(server, channel);
}

const directPlace = (channel: string, server: string): Place => ({
	platform: 'discord',
	server,
	channel,
	direct: true,
});

/** Messages that are older are not answered any more, in milliseconds. */
const MAX_AGE_MS = 24 * 3600_000;

/** How many messages of a conversation are looked through, and how many of them are passed on: the latest. */
const MAX_LISTED = 100;
const MAX_HEARD = 20;

/**
 * Passes on what people wrote in the conversations of a shard that has begun a session, while no events arrived: before the start, and
 * between two sessions of the gateway. A session that is resumed repeats its events itself. Never rejects.
 */
export async function catchUp(discord: Receiving, shard: number, stopping: AbortSignal): Promise<void> {
	const { cache, inbox, log } = discord;
	for (const { place, last } of await inbox.talks('discord')) {
		const after = last ?? place.thread;
		if (after === undefined || cache.shardOf(place) !== shard || stopping.aborted) continue;
		try {
			await passOn(discord, place, after, stopping);
		} catch (error) {
			if (!stopping.aborted) log.warn({ err: error }, 'What was written in a conversation meanwhile could not be read');
		}
	}
}

async function passOn(discord: Receiving, place: Place, last: string, stopping: AbortSignal): Promise<void> {
	const { rest, messages, inbox } = discord;
	const { server, channel, thread = channel } = place;
	const oldest = SnowflakeUtil.generate({ timestamp: Date.now() - MAX_AGE_MS });
	const after = [oldest, BigInt(last)].reduce((a, b) => (a > b ? a : b));
	const missed = await messages.list(thread, { after, limit: MAX_LISTED }, stopping);
	for (const message of missed.slice(0, MAX_HEARD).toReversed()) {
		const { author } = message;
		if (author.bot) continue;
		const member = place.direct ? undefined : await getMember(rest, server, author.id);
		if (!place.direct && !member) continue;
		const incoming = await incomingOf(discord, { ...message, ...(member && { guild_id: server, member }) });
		// Not awaited: it ends with the answer, before which the core hears further messages.
		if (incoming && !stopping.aborted) void inbox.hear(incoming);
	}
}
