import { EventEmitter } from 'node:events';
import {
	type GatewayAutoModerationRuleUpdateDispatchData,
	type GatewayChannelDeleteDispatchData,
	GatewayDispatchEvents,
	type GatewayGuildCreateDispatchData,
	type GatewayGuildDeleteDispatchData,
	type GatewayThreadDeleteDispatchData,
	Routes,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import { type Platform, RETENTION_MS } from '../../domain/platform.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { MessageRecords } from '../shared/message-records.ts';
import { OpenForms } from '../shared/open-forms.ts';
import { MessageApi, messageBodyOf, type PostLocation } from './api/message-api.ts';
import { getMember, UserRecords } from './api/people.ts';
import { createRest, ignoreMissing } from './api/rest.ts';
import { AutoMod } from './automod.ts';
import type { Discord, DiscordOptions, Receiving } from './discord.ts';
import { ClientCache, Gateway } from './gateway/gateway.ts';
import { handleInteraction } from './inbound/interactions.ts';
import { catchUp, messageCreated, messagesDeleted, messageUpdated } from './inbound/message-events.ts';
import { createUploadOf } from './inbound/message-reader.ts';
import { findChannel, findDirect, findPost } from './outbound/channels.ts';
import { ensureRegistered } from './registration.ts';

export { createRest } from './api/rest.ts';

export { registerCommands } from './registration.ts';

/**
 * Discord: events from the gateway, responses by the REST API.
 *
 * `start` rejects with a `DiscordLoginError` when Discord does not let the bot in, and keeps trying when Discord cannot be reached.
 */
export function createDiscord(options: DiscordOptions): Platform {
	const { commands, keyv, claim, serves = () => true, retentionMs = RETENTION_MS, deferAfterMs, log } = options;
	const cache = new ClientCache();
	const rest = createRest(options);
	const records = new MessageRecords<PostLocation>({
		...{ keyv, log, ttlMs: retentionMs },
		idOf: ({ message }) => (message === '@original' ? undefined : message),
		// https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages
		isFleeting: (location) => location.private !== undefined,
	});
	const responders: Discord['responders'] = new Map();
	const discord: Discord = {
		...{ commands, serves, claim, rest, cache, records, responders, deferAfterMs, log },
		messages: new MessageApi({ rest, cache, responders }),
		uploadOf: createUploadOf(options.attachmentOrigins, (message) => records.keyOf(message)),
		openForms: new OpenForms(keyv),
		userRecords: new UserRecords({ keyv, retentionMs, findMember: getMember.bind(undefined, rest), log }),
		autoMod: new AutoMod({ rest, cache, log }),
		takenThreads: new LRUCache({ max: 1000 }),
		previews: new EventEmitter(),
	};
	const gateway = new Gateway({ ...options, rest, cache });

	return {
		name: 'discord',
		isInServer: async (server) => cache.isMember(server),
		async start(inbox) {
			const receiving = { ...discord, inbox };
			await gateway.start({
				receive: (event, data) => LISTENERS[event]?.(receiving, data),
				onSession: (shard, stopping) => void catchUp(receiving, shard, stopping),
				// Not awaited: commands that were registered by an earlier version work as well.
				onConnected: () => void ensureRegistered({ ...options, rest }),
			});
		},
		async stop() {
			await gateway.stop();
			rest.end();
		},
		state: () => gateway.state(),
		connections: () => gateway.connections(),
		find: (handle) => findPost(discord, handle),
		channel: (place) => findChannel(discord, place),
		direct: (place, person) => findDirect(discord, place, person),
	};
}

// biome-ignore lint/suspicious/noExplicitAny: as in the library's own types; each listener declares the data of its event.
type Listener = (discord: Receiving, data: any) => unknown;

const rulesChanged = ({ autoMod }: Receiving, rule: GatewayAutoModerationRuleUpdateDispatchData) =>
	autoMod.invalidate(rule);

/** What happens at each event of the gateway. */
const LISTENERS: Partial<Record<GatewayDispatchEvents, Listener>> = {
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
	await inbox.joined(place, isNew ? { name, channel: cache.channelForNotices(id), locale } : undefined);
	if (unavailable || serves(place)) return;
	try {
		const channel = cache.channelForNotices(id);
		const text = translatorFor(locale)('servers.leaving');
		if (channel !== undefined) await messages.post(channel, messageBodyOf({ text }), crypto.randomUUID());
	} catch (error) {
		log.warn({ err: error, server: id }, 'A server that is not served could not be told so');
	}
	await rest.delete(Routes.userGuild(id)).catch(ignoreMissing);
	log.info({ server: id }, 'Left a Discord server that SERVERS_ALLOWED and SERVERS_DENIED do not let Easel serve');
}
