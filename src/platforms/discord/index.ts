import type { Keyv } from 'keyv';
import type { CommandDescription } from '../../domain/command.ts';
import type { ServesPlace } from '../../domain/place.ts';
import { type Inbox, type Platform, RETENTION_MS } from '../../domain/platform.ts';
import type { Log } from '../../log.ts';
import type { Once } from '../shared/once.ts';
import { OpenForms } from '../shared/open-forms.ts';
import { MessageApi } from './api/message-api.ts';
import { createMessageRecords } from './api/message-location.ts';
import { getMember, listAutoModRules } from './api/requests.ts';
import { createRest, createTokenlessRest, endRest } from './api/rest.ts';
import { UserRecords } from './api/user-records.ts';
import { AutoMod } from './automod/automod.ts';
import { ClientCache } from './gateway/client-cache.ts';
import { Gateway } from './gateway/gateway.ts';
import type { Shards } from './gateway/shards.ts';
import { AttachmentReader } from './inbound/attachment-reader.ts';
import { CatchUp } from './inbound/catch-up.ts';
import type { DiscordContext } from './inbound/context.ts';
import { HomeServers } from './inbound/home-servers.ts';
import { listenersFor } from './inbound/listeners.ts';
import { MessageEvents } from './inbound/message-events.ts';
import { DiscordChannels } from './outbound/channels.ts';
import { ActiveResponders } from './outbound/interaction-responder.ts';
import { DiscordPosts } from './outbound/posts.ts';
import { Threads } from './outbound/threads.ts';
import { ensureRegistered } from './registration/register.ts';

export { createRest } from './api/rest.ts';
export { registerCommands } from './registration/register.ts';

export type DiscordOptions = {
	token: string;
	/** `https://discord.com/api`. Discord's REST API also gives the address of the gateway. */
	apiUrl: string;
	shards: Shards;
	/** Request the privileged Message Content intent. Without it, or when it is refused, only messages that address the bot are read. */
	messageContent: boolean;
	commands: readonly CommandDescription[];
	/** Register the commands at the start when others are registered. */
	register: boolean;
	/** Tells which servers are served; all are by default. The bot leaves the others. */
	serves?: ServesPlace;
	/** Origins of attachments besides Discord's own. */
	attachmentOrigins: readonly string[];
	/** The platform's own namespace of the store. */
	keyv: Keyv;
	once: Once;
	/** How long the bot's messages are found, and the languages of users are kept; 30 days by default. */
	retentionMs?: number;
	/** Milliseconds until a response is deferred; Discord allows 3 s. */
	deferAfterMs?: number;
	/** Milliseconds before the second try to connect. */
	firstWaitMs?: number;
	/** Called for every invalid request, with its status: 401, 403 or 429. */
	onInvalidRequest?: (status: number) => void;
	/** Called when a request waits for a rate limit, with the seconds. */
	onRateLimitWait?: (seconds: number) => void;
	log: Log;
};

/**
 * Discord: events from the gateway, responses by the REST API.
 *
 * `start` rejects with a `DiscordLoginError` when Discord does not let the bot in, and keeps trying when Discord cannot be reached.
 */
export function createDiscord(options: DiscordOptions): Platform {
	const { commands, keyv, once, retentionMs = RETENTION_MS, deferAfterMs, log } = options;
	const cache = new ClientCache();
	const rest = createRest(options);
	const tokenlessRest = createTokenlessRest(options);
	const messages = new MessageApi(rest, tokenlessRest, (channel) => cache.limitsAt(channel));
	const records = createMessageRecords(keyv, retentionMs, log);
	const userRecords = new UserRecords(keyv, retentionMs, log);
	const attachments = new AttachmentReader(options.attachmentOrigins, records.keyOf.bind(records));
	const homes = new HomeServers(userRecords, (server, user) => getMember(rest, server, user), log);
	const autoMod = new AutoMod(
		{
			mayRead: (server) => cache.mayManageServer(server) ?? true,
			list: (server, signal) => listAutoModRules(rest, server, signal),
		},
		log,
	);

	const responders = new ActiveResponders();
	const posts = new DiscordPosts(messages, records, responders, attachments.uploadOf);
	const threads = new Threads(rest, messages, cache);
	const screen = autoMod.screen.bind(autoMod);
	const channels = new DiscordChannels(rest, posts, threads, cache, screen);

	const { serves = () => true } = options;
	const context: DiscordContext = {
		...{ rest, cache, messages, channels, responders, records, userRecords, attachments, homes },
		...{ openForms: new OpenForms(keyv), commands, serves, once, deferAfterMs, log },
	};
	const messageEvents = new MessageEvents(context);
	let inbox: Inbox | undefined;
	const listeners = listenersFor(context, messageEvents, autoMod, () => inbox);
	const catchUp = new CatchUp(context, messageEvents);
	const onSession = (shard: number) => void catchUp.afterReady(shard, () => inbox);
	const gateway = new Gateway({ ...options, rest, cache, listeners, onSession });

	return {
		name: 'discord',
		isInServer: async (server) => cache.isMember(server),
		async start(startedWith) {
			inbox = startedWith;
			// Not awaited: commands that were registered by an earlier version work as well.
			await gateway.start(() => void ensureRegistered({ ...options, rest }));
		},
		async stop() {
			inbox = undefined;
			await gateway.stop();
			for (const client of [rest, tokenlessRest]) endRest(client);
		},
		state: () => gateway.state(),
		connections: () => gateway.connections(),
		find: (handle) => posts.find(handle),
		channel: (place) => channels.find(place),
		direct: (place, person) => channels.direct(place, person),
	};
}
