import {
	type GatewayAutoModerationRuleUpdateDispatchData,
	type GatewayChannelDeleteDispatchData,
	GatewayDispatchEvents,
	type GatewayGuildCreateDispatchData,
	type GatewayGuildDeleteDispatchData,
	type GatewayThreadDeleteDispatchData,
	Routes,
} from 'discord.js';
import { translatorFor } from '../../../i18n/translator.ts';
import { messageBodyOf } from '../api/message-api.ts';
import { ignoreMissing } from '../api/rest.ts';
import type { Receiving } from '../discord.ts';
import { handleInteraction } from './interactions.ts';
import { messageCreated, messagesDeleted, messageUpdated } from './message-events.ts';

// biome-ignore lint/suspicious/noExplicitAny: as in the library's own types; each listener declares the data of its event.
type Listener = (discord: Receiving, data: any) => unknown;

const rulesChanged = ({ autoMod }: Receiving, rule: GatewayAutoModerationRuleUpdateDispatchData) =>
	autoMod.invalidate(rule);

/** What happens at each event of the gateway. */
export const LISTENERS: Partial<Record<GatewayDispatchEvents, Listener>> = {
	[GatewayDispatchEvents.InteractionCreate]: handleInteraction,
	[GatewayDispatchEvents.MessageCreate]: messageCreated,
	[GatewayDispatchEvents.MessageUpdate]: messageUpdated,
	[GatewayDispatchEvents.MessageDelete]: messagesDeleted,
	[GatewayDispatchEvents.MessageDeleteBulk]: messagesDeleted,
	[GatewayDispatchEvents.ThreadDelete]: ({ inbox }, { id, guild_id, parent_id }: GatewayThreadDeleteDispatchData) =>
		inbox.forget({ platform: 'discord', server: guild_id, channel: parent_id, thread: id }),
	[GatewayDispatchEvents.ChannelDelete]: ({ inbox }, { id, guild_id }: GatewayChannelDeleteDispatchData) =>
		inbox.forget({ platform: 'discord', server: guild_id, channel: id }),
	// Sent also for an outage, with `unavailable`; without it, the bot was removed from the server.
	[GatewayDispatchEvents.GuildDelete]: ({ inbox }, { id, unavailable }: GatewayGuildDeleteDispatchData) =>
		unavailable ? undefined : inbox.forget({ platform: 'discord', server: id }),
	[GatewayDispatchEvents.GuildCreate]: serverAvailable,
	[GatewayDispatchEvents.AutoModerationRuleCreate]: rulesChanged,
	[GatewayDispatchEvents.AutoModerationRuleUpdate]: rulesChanged,
	[GatewayDispatchEvents.AutoModerationRuleDelete]: rulesChanged,
};

/** Sent for a server that invites the bot, and for every server at the start of a session. One that is not served is left, with a sentence. */
async function serverAvailable(discord: Receiving, server: GatewayGuildCreateDispatchData): Promise<void> {
	const { serves, cache, inbox, messages, rest, log } = discord;
	const { id, name, preferred_locale: locale, unavailable } = server;
	const place = { platform: 'discord', server: id };
	// The client knows those of the beginning already; it caches a new one after this listener was called.
	const isNew = unavailable !== true && !cache.guild(id);
	await Promise.resolve();
	const channel = cache.channelForNotices(id);
	await inbox.joined(place, isNew ? { name, channel, locale } : undefined);
	if (unavailable || serves(place)) return;
	try {
		const text = translatorFor(locale)('servers.leaving');
		if (channel !== undefined) await messages.post(channel, messageBodyOf({ text }), crypto.randomUUID());
	} catch (error) {
		log.warn({ err: error, server: id }, 'A server that is not served could not be told so');
	}
	await rest.delete(Routes.userGuild(id)).catch(ignoreMissing);
	log.info({ server: id }, 'Left a Discord server that SERVERS_ALLOWED and SERVERS_DENIED do not let Easel serve');
}
