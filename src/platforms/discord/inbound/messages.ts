import {
	type GatewayChannelDeleteDispatchData,
	type GatewayGuildDeleteDispatchData,
	type GatewayMessageCreateDispatchData,
	type GatewayMessageDeleteBulkDispatchData,
	type GatewayMessageUpdateDispatchData,
	type GatewayThreadDeleteDispatchData,
	MessageType,
} from 'discord.js';
import type { Place } from '../../../domain/place.ts';
import type { Inbox } from '../../../domain/platform.ts';
import type { DiscordApi } from '../api/api.ts';
import { fileBytesAt, limitsOf } from '../api/limits.ts';
import type { MessageRecords } from '../api/message-records.ts';
import { nameOf, placeOf } from '../api/people.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { DiscordChannels } from '../outbound/channel.ts';
import type { HomeServer, HomeServers } from './home-servers.ts';
import type { Languages } from './languages.ts';
import type { AttachmentReader } from './uploads.ts';

/** What people write; everything else that looks like a message is Discord's own. */
const WRITTEN: readonly MessageType[] = [MessageType.Default, MessageType.Reply];

/** What is written, changed and deleted where the bot may read, as the core takes it. */
export function createMessages(options: {
	api: DiscordApi;
	channels: DiscordChannels;
	records: MessageRecords;
	uploads: AttachmentReader;
	homes: HomeServers;
	languages: Languages;
	gateway: () => Gateway;
}) {
	const { api, channels, records, uploads, homes, languages, gateway } = options;

	/** Threads that were archived when the connection was made are not known to it. */
	async function placeIn(server: string, channel: string): Promise<Place | undefined> {
		const known = gateway().channel(channel);
		if (known) return placeOf(server, known);
		const found = await api.channel(channel);
		return found && placeOf(server, { ...found, parent: 'parent_id' in found ? found.parent_id : null });
	}

	/** Nobody asks what has become of a message outside of threads and direct messages. */
	async function threadIn(server: string | undefined, channel: string): Promise<Place | undefined> {
		if (server === undefined) {
			const person = await records.recall('direct', channel);
			return person === undefined ? undefined : directPlace(channel, await homes.of(person));
		}
		const place = await placeIn(server, channel);
		return place?.thread === undefined ? undefined : place;
	}

	/** All that somebody writes to the bot alone is for it. */
	async function direct(message: GatewayMessageCreateDispatchData, self: string, inbox: Inbox): Promise<void> {
		const { id, author, channel_id: channel, content, attachments } = message;
		await records.remember('direct', channel, author.id);
		const home = await homes.of(author.id);
		const who = { id: author.id, ...(await languages.of(author.id, undefined)) };
		await inbox.hear({
			id,
			text: withoutMention(content, self),
			uploads: attachments.map(uploads.upload),
			person: { ...who, name: nameOf(author), moderator: false, roles: home.roles },
			channel: channels.channel(directPlace(channel, home), limitsOf(), undefined, id),
			addressed: true,
		});
	}

	return {
		async created(message: GatewayMessageCreateDispatchData, inbox: Inbox): Promise<void> {
			const { id, author, member, guild_id: server, content, attachments, mentions, referenced_message } = message;
			const self = gateway().user();
			if (!self || author.bot || message.webhook_id || !WRITTEN.includes(message.type)) return;
			if (!server) return direct(message, self, inbox);
			// Without the right to read, this is what a message looks like that is none of the bot's business.
			if (content === '' && attachments.length === 0) return;
			const answered = referenced_message?.author.id;
			const addressed = answered === self || mentions.some((user) => user.id === self);
			const others = mentions.some((user) => user.id !== self && user.id !== author.id);
			const toOthers = others || (answered !== undefined && answered !== self && answered !== author.id);

			const place = await placeIn(server, message.channel_id);
			if (!place || (place.thread === undefined && !addressed)) return;
			if (addressed) homes.remember(author.id, server);
			const roles = member?.roles ?? [];
			const moderator = gateway().moderates(server, author.id, roles);
			const who = { id: author.id, ...(await languages.of(author.id, gateway().locale(server))) };
			await inbox.hear({
				id,
				text: withoutMention(content, self),
				uploads: attachments.map(uploads.upload),
				person: { ...who, name: nameOf(author, member?.nick), moderator, roles },
				channel: channels.channel(place, limitsOf(fileBytesAt(gateway().boost(server))), undefined, id),
				addressed,
				toOthers,
			});
		},

		/** Discord tells also of what it does itself, such as showing a link's preview; that has no time of an edit. */
		async updated(message: GatewayMessageUpdateDispatchData, inbox: Inbox): Promise<void> {
			const { id, guild_id: server, channel_id, content, edited_timestamp } = message;
			const self = gateway().user();
			if (!self || !edited_timestamp || message.author.bot) return;
			const place = await threadIn(server, channel_id);
			if (place) await inbox.changed({ id, place, text: withoutMention(content, self) });
		},

		async deleted({ ids, channel_id, guild_id }: GatewayMessageDeleteBulkDispatchData, inbox: Inbox): Promise<void> {
			const place = await threadIn(guild_id, channel_id);
			if (place) for (const id of ids) await inbox.changed({ id: (await records.keyOf(id)) ?? id, place });
		},

		async threadDeleted({ id, guild_id: server, parent_id: channel }: GatewayThreadDeleteDispatchData, inbox: Inbox) {
			await inbox.forget({ platform: 'discord', server, channel, thread: id });
		},

		async channelDeleted(channel: GatewayChannelDeleteDispatchData, inbox: Inbox) {
			if ('guild_id' in channel && channel.guild_id)
				await inbox.forget({ platform: 'discord', server: channel.guild_id, channel: channel.id });
		},

		/** Unavailable is only an outage of Discord's; otherwise the bot was removed. */
		async guildDeleted({ id, unavailable }: GatewayGuildDeleteDispatchData, inbox: Inbox) {
			if (!unavailable) await inbox.forget({ platform: 'discord', server: id });
		},
	};
}

const directPlace = (channel: string, { server }: HomeServer): Place => ({
	platform: 'discord',
	server,
	channel,
	direct: true,
});

/** A message often begins with the bot's name, as in “@Easel hello”. */
const withoutMention = (text: string, self: string) => text.replace(new RegExp(`^\\s*<@!?${self}>\\s*`), '');
