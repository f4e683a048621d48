import { type ClientOptions, GatewayIntentBits, Options } from 'discord.js';
import { restOptions } from '../api/rest.ts';
import type { Shards } from './shards.ts';

const INTENTS = [
	GatewayIntentBits.Guilds,
	GatewayIntentBits.GuildMessages,
	GatewayIntentBits.DirectMessages,
	GatewayIntentBits.AutoModerationConfiguration,
];

/** @param messageContent whether to request the privileged Message Content intent */
export const clientOptions = (apiUrl: string, shards: Shards, messageContent: boolean): ClientOptions => ({
	intents: messageContent ? [...INTENTS, GatewayIntentBits.MessageContent] : INTENTS,
	rest: restOptions(apiUrl),
	...(shards === 'auto' ? { shards } : shards),
	allowedMentions: { parse: [] },
	enforceNonce: true,
	// Servers, channels, roles and threads are looked up, and small. Users and messages come with each event.
	makeCache: Options.cacheWithLimits({
		...UNCACHED,
		UserManager: { maxSize: 0, keepOverLimit: ({ id, client }) => id === client.user?.id },
		GuildMemberManager: { maxSize: 0, keepOverLimit: ({ id, client }) => id === client.user?.id },
	}),
});

const UNCACHED = {
	ApplicationCommandManager: 0,
	ApplicationEmojiManager: 0,
	AutoModerationRuleManager: 0,
	BaseGuildEmojiManager: 0,
	EntitlementManager: 0,
	GuildBanManager: 0,
	GuildEmojiManager: 0,
	GuildInviteManager: 0,
	GuildScheduledEventManager: 0,
	GuildStickerManager: 0,
	MessageManager: 0,
	PresenceManager: 0,
	ReactionManager: 0,
	ReactionUserManager: 0,
	StageInstanceManager: 0,
	ThreadMemberManager: 0,
	VoiceStateManager: 0,
};
