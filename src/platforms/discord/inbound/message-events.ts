import {
	type APIMessage,
	type GatewayMessageCreateDispatchData,
	type GatewayMessageDeleteBulkDispatchData,
	type GatewayMessageUpdateDispatchData,
	MessageType,
	type REST,
} from 'discord.js';
import type { Place, ServesPlace } from '../../../domain/place.ts';
import type { Inbox, IncomingMessage } from '../../../domain/platform.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import { failureMessageOf } from '../../shared/failure-message.ts';
import { getChannel } from '../api/channel-requests.ts';
import { limitsOf } from '../api/limits.ts';
import type { DiscordMessageRecords } from '../api/message-records.ts';
import { nameOf, placeOf } from '../api/people.ts';
import type { UserRecords } from '../api/user-records.ts';
import type { ClientCache } from '../gateway/client-cache.ts';
import type { DiscordChannels } from '../outbound/channels.ts';
import type { AttachmentReader } from './attachment-reader.ts';
import type { HomeServer, HomeServers } from './home-servers.ts';
import type { Languages } from './languages.ts';
import { type ReadMessage, readMessage } from './message-reader.ts';

/** The types of messages that users write. Discord sends others by itself, such as for a pinned message. */
const USER_MESSAGES: readonly MessageType[] = [MessageType.Default, MessageType.Reply];

type Parts = {
	rest: REST;
	cache: ClientCache;
	channels: DiscordChannels;
	records: DiscordMessageRecords;
	userRecords: UserRecords;
	attachments: AttachmentReader;
	homes: HomeServers;
	languages: Languages;
	serves: ServesPlace;
	log: Log;
};

/** Passes messages of users to the core: those in threads, direct messages, and those that mention or answer the bot. */
export class MessageEvents {
	readonly #parts: Parts;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	async created(message: GatewayMessageCreateDispatchData, inbox: Inbox): Promise<void> {
		const { self } = this.#parts.cache;
		const { author, webhook_id, type, guild_id: server } = message;
		if (!self || author.bot || webhook_id || !USER_MESSAGES.includes(type)) return;
		if (server) return this.#createdIn(server, message, self, inbox);
		try {
			await this.#createdDirectly(message, inbox);
		} catch (error) {
			await this.#refuseDirectly(message, error);
		}
	}

	/** Discord sends the event also when it adds a link preview. Only an edit by the author has the time of an edit. */
	async updated(message: GatewayMessageUpdateDispatchData, inbox: Inbox): Promise<void> {
		const { id, guild_id: server, channel_id, edited_timestamp } = message;
		const { self } = this.#parts.cache;
		if (!self || !edited_timestamp || message.author.bot) return;
		const place = await this.#conversationIn(server, channel_id);
		if (place) await inbox.changed({ id, place, text: this.#read(message, server).text });
	}

	async deleted({ ids, channel_id, guild_id }: GatewayMessageDeleteBulkDispatchData, inbox: Inbox): Promise<void> {
		const place = await this.#conversationIn(guild_id, channel_id);
		if (!place) return;
		for (const id of ids) await inbox.changed({ id: (await this.#parts.records.keyOf(id)) ?? id, place });
	}

	async #createdIn(server: string, message: GatewayMessageCreateDispatchData, self: string, inbox: Inbox) {
		const { cache, channels, attachments, homes, languages, serves } = this.#parts;
		const { id, author, member, mentions, mention_roles, referenced_message } = message;
		const repliedTo = referenced_message?.author.id;
		const ownRole = cache.ownRole(server);
		const isMentioned = mentions.some((user) => user.id === self) || mention_roles.some((role) => role === ownRole);
		const addressed = repliedTo === self || isMentioned;
		const { text, files } = this.#read(message, server);
		// Without the Message Content intent, messages that do not address the bot are empty.
		if (!addressed && text === '' && files.length === 0) return;
		const mentionsOthers = mentions.some((user) => user.id !== self && user.id !== author.id);
		const toOthers = mentionsOthers || (repliedTo !== undefined && repliedTo !== self && repliedTo !== author.id);

		const isServed = serves({ platform: 'discord', server });
		if (!isServed && !addressed) return;
		const place = await this.#placeIn(server, message.channel_id);
		if (!place || (place.thread === undefined && !addressed)) return;
		if (addressed && isServed) homes.remember(author.id, server);
		const roles = member?.roles ?? [];
		await inbox.hear({
			id,
			text,
			uploads: files.map(attachments.uploadOf),
			...this.#repliedTo(message),
			person: {
				id: author.id,
				...(await languages.of(author.id, cache.locale(server))),
				name: nameOf(author, member?.nick),
				moderator: cache.isModerator(server, author.id, roles),
				roles,
			},
			channel: channels.in(place, channels.limitsIn(server), { message: id }),
			addressed,
			toOthers,
		});
	}

	/** A direct message always addresses the bot. */
	async #createdDirectly(message: GatewayMessageCreateDispatchData, inbox: Inbox): Promise<void> {
		const { channels, userRecords, attachments, homes, languages, serves } = this.#parts;
		const { id, author, channel_id: channel } = message;
		const { text, files } = this.#read(message, undefined);
		const home = await homes.of(author.id);
		const isServed = serves({ platform: 'discord', server: home.server });
		if (isServed) await userRecords.remember('direct', channel, author.id);
		await inbox.hear({
			id,
			text,
			uploads: files.map(attachments.uploadOf),
			...this.#repliedTo(message),
			person: {
				id: author.id,
				...(await languages.of(author.id, undefined)),
				name: nameOf(author),
				moderator: false,
				mayModerate: false,
				roles: home.roles,
			},
			channel: channels.in(directPlace(channel, home), limitsOf(), { message: id }),
			addressed: true,
		});
	}

	/** Without the Message Content intent, Discord leaves out the text and files of other people's messages. */
	#repliedTo({
		referenced_message: message,
		guild_id: server,
	}: GatewayMessageCreateDispatchData): Pick<IncomingMessage, 'repliedTo'> {
		if (!message) return {};
		const { cache, attachments } = this.#parts;
		const { text, files } = this.#read(message, server);
		const quoted = { author: nameOf(message.author), text, uploads: files.map(attachments.uploadOf) };
		return { repliedTo: { ...quoted, ...(message.author.id === cache.self && { own: true }) } };
	}

	#read(message: APIMessage, server: string | undefined): ReadMessage {
		const { cache } = this.#parts;
		const self = [cache.self, server === undefined ? undefined : cache.ownRole(server)];
		return readMessage(message, { self, nameOf: (kind, id) => cache.nameOf(kind, id, server) });
	}

	/** Answers a direct message that could not be read. The language of its author is in the store. */
	async #refuseDirectly({ id, author, channel_id }: GatewayMessageCreateDispatchData, error: unknown): Promise<void> {
		const { channels, log } = this.#parts;
		log.error({ err: error }, 'A direct message could not be read');
		const channel = channels.in(directPlace(channel_id, { server: `user:${author.id}` }), limitsOf());
		await channel.post({ text: translatorFor()(failureMessageOf(error)) }, id, { ifAbsent: true, withoutStore: true });
	}

	/** Returns the thread or the direct messages of an event; undefined for other channels, whose messages are not kept. */
	async #conversationIn(server: string | undefined, channel: string): Promise<Place | undefined> {
		const { userRecords, homes } = this.#parts;
		if (server === undefined) {
			const person = await userRecords.recall('direct', channel);
			return person === undefined ? undefined : directPlace(channel, await homes.of(person));
		}
		const place = await this.#placeIn(server, channel);
		return place?.thread === undefined ? undefined : place;
	}

	/** The client has not cached threads that were archived when it connected. */
	async #placeIn(server: string, id: string): Promise<Place | undefined> {
		const { cache, rest } = this.#parts;
		const cached = cache.channel(id);
		if (cached) return placeOf(server, cached);
		const channel = await getChannel(rest, id);
		return channel && placeOf(server, { ...channel, parent: 'parent_id' in channel ? channel.parent_id : null });
	}
}

const directPlace = (channel: string, { server }: Pick<HomeServer, 'server'>): Place => ({
	platform: 'discord',
	server,
	channel,
	direct: true,
});
