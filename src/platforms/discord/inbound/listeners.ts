import {
	type GatewayChannelDeleteDispatchData,
	GatewayDispatchEvents,
	type GatewayGuildCreateDispatchData,
	type GatewayGuildDeleteDispatchData,
	type GatewayThreadDeleteDispatchData,
	Routes,
} from 'discord.js';
import type { PlaceScope } from '../../../domain/place.ts';
import type { Inbox } from '../../../domain/platform.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { ignoreMissing } from '../api/discord-errors.ts';
import { messageBodyOf } from '../api/reply-body.ts';
import type { AutoMod } from '../automod/automod.ts';
import type { Discord, Receiving } from '../discord.ts';
import type { GatewayListeners } from '../gateway/gateway.ts';
import { handleInteraction } from './interactions.ts';
import { messageCreated, messagesDeleted, messageUpdated } from './message-events.ts';

/**
 * Returns what happens at each event of the gateway.
 * @param inbox returns undefined before the start and after the stop: events are ignored then
 */
export function listenersFor(discord: Discord, inbox: () => Inbox | undefined): GatewayListeners {
	const { autoMod, cache } = discord;
	const whileStarted =
		<Data>(handle: (discord: Receiving, data: Data) => Promise<void>) =>
		async (data: Data) => {
			const receiver = inbox();
			if (receiver) await handle({ ...discord, inbox: receiver }, data);
		};
	const forget = <Data>(whereOf: (data: Data) => Omit<PlaceScope, 'platform'> | undefined) =>
		whileStarted(async ({ inbox }, data: Data) => {
			const where = whereOf(data);
			if (where) await inbox.forget({ platform: 'discord', ...where });
		});
	const rulesChanged: AutoMod['invalidate'] = (rule) => autoMod.invalidate(rule);
	return {
		[GatewayDispatchEvents.InteractionCreate]: whileStarted(handleInteraction),
		[GatewayDispatchEvents.MessageCreate]: whileStarted(messageCreated),
		[GatewayDispatchEvents.MessageUpdate]: whileStarted(messageUpdated),
		[GatewayDispatchEvents.MessageDelete]: whileStarted(messagesDeleted),
		[GatewayDispatchEvents.MessageDeleteBulk]: whileStarted(messagesDeleted),
		[GatewayDispatchEvents.ThreadDelete]: forget(({ id, guild_id, parent_id }: GatewayThreadDeleteDispatchData) => ({
			...{ server: guild_id, channel: parent_id, thread: id },
		})),
		[GatewayDispatchEvents.ChannelDelete]: forget((channel: GatewayChannelDeleteDispatchData) =>
			'guild_id' in channel && channel.guild_id ? { server: channel.guild_id, channel: channel.id } : undefined,
		),
		// Sent also for an outage, with `unavailable`; without it, the bot was removed from the server.
		[GatewayDispatchEvents.GuildDelete]: forget(({ id, unavailable }: GatewayGuildDeleteDispatchData) =>
			unavailable ? undefined : { server: id },
		),
		// Sent for a server that invites the bot, and for every server at the start of a session.
		[GatewayDispatchEvents.GuildCreate]: async (server: GatewayGuildCreateDispatchData) => {
			// The client knows those of the beginning already; it caches a new one after this listener was called.
			const isNew = server.unavailable !== true && !cache.isInServer(server.id);
			await Promise.resolve();
			const channel = isNew ? cache.channelForNotices(server.id) : undefined;
			const invited = isNew ? { name: server.name, channel, locale: server.preferred_locale } : undefined;
			await inbox()?.joined({ platform: 'discord', server: server.id }, invited);
			await leaveUnserved(discord, server);
		},
		[GatewayDispatchEvents.AutoModerationRuleCreate]: rulesChanged,
		[GatewayDispatchEvents.AutoModerationRuleUpdate]: rulesChanged,
		[GatewayDispatchEvents.AutoModerationRuleDelete]: rulesChanged,
	};
}

/** Leaves a server that is not served, with a sentence. */
async function leaveUnserved(
	{ serves, cache, messages, rest, log }: Discord,
	{ id: server, preferred_locale, unavailable }: GatewayGuildCreateDispatchData,
): Promise<void> {
	if (unavailable || serves({ platform: 'discord', server })) return;
	const channel = cache.channelForNotices(server);
	const text = translatorFor(preferred_locale)('servers.leaving');
	try {
		if (channel !== undefined) await messages.post(channel, messageBodyOf({ text }), crypto.randomUUID());
	} catch (error) {
		log.warn({ err: error, server }, 'A server that is not served could not be told so');
	}
	await rest.delete(Routes.userGuild(server)).catch(ignoreMissing);
	log.info({ server }, 'Left a Discord server that SERVERS_ALLOWED and SERVERS_DENIED do not let Easel serve');
}
