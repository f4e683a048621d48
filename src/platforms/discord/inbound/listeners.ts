import {
	type GatewayChannelDeleteDispatchData,
	GatewayDispatchEvents,
	type GatewayGuildCreateDispatchData,
	type GatewayGuildDeleteDispatchData,
	type GatewayMessageDeleteDispatchData,
	type GatewayThreadDeleteDispatchData,
} from 'discord.js';
import type { Inbox } from '../../../domain/platform.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { messageBodyOf } from '../api/reply-body.ts';
import { leaveServer } from '../api/requests.ts';
import type { AutoMod } from '../automod/automod.ts';
import type { GatewayListeners } from '../gateway/gateway.ts';
import type { DiscordContext } from './context.ts';
import { Interactions } from './interactions.ts';
import type { MessageEvents } from './message-events.ts';

/**
 * Returns what happens at each event of the gateway.
 * @param inbox returns undefined before the start and after the stop: events are ignored then
 */
export function listenersFor(
	context: DiscordContext,
	messages: MessageEvents,
	autoMod: AutoMod,
	inbox: () => Inbox | undefined,
): GatewayListeners {
	const interactions = new Interactions(context);
	const whileStarted =
		<Data>(handle: (data: Data, inbox: Inbox) => Promise<void>) =>
		async (data: Data) => {
			const receiver = inbox();
			if (receiver) await handle(data, receiver);
		};
	const rulesChanged: AutoMod['invalidate'] = (rule) => autoMod.invalidate(rule);
	return {
		[GatewayDispatchEvents.InteractionCreate]: whileStarted(interactions.handle.bind(interactions)),
		[GatewayDispatchEvents.MessageCreate]: whileStarted(messages.created.bind(messages)),
		[GatewayDispatchEvents.MessageUpdate]: whileStarted(messages.updated.bind(messages)),
		[GatewayDispatchEvents.MessageDelete]: whileStarted(({ id, ...message }: GatewayMessageDeleteDispatchData, inbox) =>
			messages.deleted({ ...message, ids: [id] }, inbox),
		),
		[GatewayDispatchEvents.MessageDeleteBulk]: whileStarted(messages.deleted.bind(messages)),
		[GatewayDispatchEvents.ThreadDelete]: whileStarted(
			({ id, guild_id: server, parent_id: channel }: GatewayThreadDeleteDispatchData, inbox) =>
				inbox.forget({ platform: 'discord', server, channel, thread: id }),
		),
		[GatewayDispatchEvents.ChannelDelete]: whileStarted(async (channel: GatewayChannelDeleteDispatchData, inbox) => {
			if ('guild_id' in channel && channel.guild_id)
				await inbox.forget({ platform: 'discord', server: channel.guild_id, channel: channel.id });
		}),
		// Sent also for an outage, with `unavailable`; without it, the bot was removed from the server.
		[GatewayDispatchEvents.GuildDelete]: whileStarted(
			async ({ id, unavailable }: GatewayGuildDeleteDispatchData, inbox) => {
				if (!unavailable) await inbox.forget({ platform: 'discord', server: id });
			},
		),
		// Sent for a server that invites the bot, and for every server at the start of a session.
		[GatewayDispatchEvents.GuildCreate]: async (server: GatewayGuildCreateDispatchData) => {
			// The client knows those of the beginning already; it caches a new one after this listener was called.
			const isNew = server.unavailable !== true && !context.cache.isInServer(server.id);
			await Promise.resolve();
			const channel = isNew ? context.cache.channelForNotices(server.id) : undefined;
			const invited = isNew ? { name: server.name, channel, locale: server.preferred_locale } : undefined;
			await inbox()?.joined({ platform: 'discord', server: server.id }, invited);
			await leaveUnserved(context, server);
		},
		[GatewayDispatchEvents.AutoModerationRuleCreate]: rulesChanged,
		[GatewayDispatchEvents.AutoModerationRuleUpdate]: rulesChanged,
		[GatewayDispatchEvents.AutoModerationRuleDelete]: rulesChanged,
	};
}

/** Leaves a server that is not served, with a sentence. */
async function leaveUnserved(
	{ serves, cache, messages, rest, log }: DiscordContext,
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
	await leaveServer(rest, server);
	log.info({ server }, 'Left a Discord server that SERVERS_ALLOWED and SERVERS_DENIED do not let Easel serve');
}
