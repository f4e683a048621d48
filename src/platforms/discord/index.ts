import { GatewayDispatchEvents } from 'discord.js';
import type { Keyv } from 'keyv';
import type { CommandDescription } from '../../domain/command.ts';
import type { Inbox, Platform } from '../../domain/platform.ts';
import type { Log } from '../../log.ts';
import { createDiscordApi } from './api/api.ts';
import { fileBytesAt } from './api/limits.ts';
import { createMessageRecords } from './api/message-records.ts';
import { createRest, createTokenlessRest } from './api/rest.ts';
import { createAutoMod } from './automod/automod.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { createHomeServers } from './inbound/home-servers.ts';
import { createInteractions } from './inbound/interactions.ts';
import { createLanguages } from './inbound/languages.ts';
import { createMessages } from './inbound/messages.ts';
import { createUploads } from './inbound/uploads.ts';
import { createChannels } from './outbound/channel.ts';
import { createThreads } from './outbound/threads.ts';
import { registeredDiffers } from './registration/register.ts';

export { createRest } from './api/rest.ts';
export { registerCommands } from './registration/register.ts';

export type DiscordOptions = {
	token: string;
	/** `https://discord.com/api`; the gateway's address comes from it. */
	apiUrl: string;
	/** `auto`, or `0-3/16`: the shards that this process runs, of how many. */
	shards: string;
	/** Ask for the privileged intent to read messages; without it, and where it is refused, those that mention the bot remain. */
	messageContent: boolean;
	commands: readonly CommandDescription[];
	/** Origins that attachments may be at, besides Discord's own. */
	attachmentOrigins: readonly string[];
	/** A namespace of this platform's own. */
	keyv: Keyv;
	/** Milliseconds until somebody who waits is promised an answer, within the 3 s that Discord gives. */
	deferAfterMs?: number;
	/** Milliseconds before the second try where Discord can't be reached. */
	firstWaitMs?: number;
	log: Log;
};

/**
 * Discord: events by the gateway, answers by REST. `start` rejects with `PlatformLoginError`, one sentence, when Discord does not let
 * the bot in; where it can't be reached, that is tried on. Throws `RangeError`, one sentence, on shards that are none.
 */
export function createDiscord(options: DiscordOptions): Platform {
	const { commands, keyv, deferAfterMs, log } = options;
	let inbox: Inbox | undefined;

	const rest = createRest(options);
	const api = createDiscordApi(rest, createTokenlessRest(options));
	const records = createMessageRecords(keyv);
	const uploads = createUploads(options.attachmentOrigins);
	const autoMod = createAutoMod({ rules: api.autoModRules, log });
	const threads = createThreads(api, (id) => gateway.channel(id)?.type);
	const channels = createChannels({
		api,
		records,
		threads,
		log,
		screen: autoMod.screen,
		ageRestricted: (id) => gateway.channel(id)?.nsfw ?? false,
		fileBytes: (server) => fileBytesAt(gateway.boost(server)),
	});
	const homes = createHomeServers({ records, api, log });
	const languages = createLanguages({ records, log });
	const interaction = createInteractions({
		api,
		channels,
		records,
		uploads,
		commands,
		keyv,
		homes,
		languages,
		deferAfterMs,
		log,
	});
	const messages = createMessages({ api, channels, records, uploads, homes, languages, gateway: () => gateway });

	/** Events of before the start and after the stop are nobody's. */
	const told =
		<Data>(tell: (data: Data, inbox: Inbox) => Promise<void>) =>
		async (data: Data) => {
			if (inbox) await tell(data, inbox);
		};

	const gateway: Gateway = createGateway({
		...options,
		rest,
		listeners: {
			[GatewayDispatchEvents.InteractionCreate]: told(interaction),
			[GatewayDispatchEvents.MessageCreate]: told(messages.created),
			[GatewayDispatchEvents.MessageUpdate]: told(messages.updated),
			[GatewayDispatchEvents.MessageDelete]: told((one: { id: string; channel_id: string; guild_id?: string }, inbox) =>
				messages.deleted({ ...one, ids: [one.id] }, inbox),
			),
			[GatewayDispatchEvents.MessageDeleteBulk]: told(messages.deleted),
			[GatewayDispatchEvents.ThreadDelete]: told(messages.threadDeleted),
			[GatewayDispatchEvents.ChannelDelete]: told(messages.channelDeleted),
			[GatewayDispatchEvents.AutoModerationRuleCreate]: autoMod.changed,
			[GatewayDispatchEvents.AutoModerationRuleUpdate]: autoMod.changed,
			[GatewayDispatchEvents.AutoModerationRuleDelete]: autoMod.changed,
			[GatewayDispatchEvents.GuildDelete]: told(messages.guildDeleted),
		},
	});

	/** Nobody waits for it: commands of yesterday work as well. */
	async function compareCommands(): Promise<void> {
		if (await registeredDiffers({ rest, commands }))
			log.warn('The commands that Discord shows are not the ones of this version: npm run register puts that right.');
	}

	return {
		name: 'discord',
		async start(theInbox) {
			inbox = theInbox;
			await gateway.start(() => {
				compareCommands().catch((error: unknown) => log.warn({ err: error }, 'The commands could not be compared'));
			});
		},
		async stop() {
			inbox = undefined;
			await gateway.stop();
		},
		state: gateway.state,
		find: channels.find,
		channel: channels.at,
		direct: channels.direct,
	};
}
