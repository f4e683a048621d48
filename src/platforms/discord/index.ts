import { EventEmitter } from 'node:events';
import type { Keyv } from 'keyv';
import { LRUCache } from 'lru-cache';
import type { CommandDescription } from '../../domain/command.ts';
import type { ServesPlace } from '../../domain/place.ts';
import { type Inbox, type Platform, RETENTION_MS } from '../../domain/platform.ts';
import type { Log } from '../../log.ts';
import { OpenForms } from '../shared/open-forms.ts';
import type { Once } from '../shared/space.ts';
import { createMessageRecords, MessageApi } from './api/message-api.ts';
import { getMember, UserRecords } from './api/people.ts';
import { createRest, createTokenlessRest, endRest } from './api/rest.ts';
import { AutoMod } from './automod/automod.ts';
import type { Discord } from './discord.ts';
import { ClientCache } from './gateway/client-cache.ts';
import { Gateway } from './gateway/gateway.ts';
import type { Shards } from './gateway/shards.ts';
import { listenersFor } from './inbound/listeners.ts';
import { catchUp } from './inbound/message-events.ts';
import { createUploadOf } from './inbound/message-reader.ts';
import { findChannel, findDirect } from './outbound/channels.ts';
import { ActiveResponders } from './outbound/interaction-responder.ts';
import { findPost } from './outbound/posts.ts';
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
	onRateLimitWait?: (seconds: number) => void;
	log: Log;
};

const MAX_TAKEN_THREADS = 1000;

/**
 * Discord: events from the gateway, responses by the REST API.
 *
 * `start` rejects with a `DiscordLoginError` when Discord does not let the bot in, and keeps trying when Discord cannot be reached.
 */
export function createDiscord(options: DiscordOptions): Platform {
	const { commands, keyv, once, serves = () => true, retentionMs = RETENTION_MS, deferAfterMs, log } = options;
	const cache = new ClientCache();
	const rest = createRest(options);
	const tokenlessRest = createTokenlessRest(options);
	const records = createMessageRecords(keyv, retentionMs, log);
	const discord: Discord = {
		...{ commands, serves, once, rest, cache, records, deferAfterMs, log },
		messages: new MessageApi(rest, tokenlessRest, cache),
		responders: new ActiveResponders(),
		uploadOf: createUploadOf(options.attachmentOrigins, (message) => records.keyOf(message)),
		openForms: new OpenForms(keyv),
		userRecords: new UserRecords({ keyv, retentionMs, findMember: getMember.bind(undefined, rest), log }),
		autoMod: new AutoMod({ rest, cache, log }),
		takenThreads: new LRUCache({ max: MAX_TAKEN_THREADS }),
		previews: new EventEmitter(),
	};
	let inbox: Inbox | undefined;
	const listeners = listenersFor(discord, () => inbox);
	const onSession = (shard: number) => void catchUp(discord, shard, () => inbox);
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
		find: (handle) => findPost(discord, handle),
		channel: (place) => findChannel(discord, place),
		direct: (place, person) => findDirect(discord, place, person),
	};
}
