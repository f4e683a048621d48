import { EventEmitter } from 'node:events';
import { LRUCache } from 'lru-cache';
import { type Platform, RETENTION_MS } from '../../domain/platform.ts';
import { OpenForms } from '../shared/open-forms.ts';
import { createMessageRecords, MessageApi } from './api/message-api.ts';
import { getMember, UserRecords } from './api/people.ts';
import { createRest } from './api/rest.ts';
import { AutoMod } from './automod.ts';
import type { Discord, DiscordOptions } from './discord.ts';
import { ClientCache, Gateway } from './gateway/gateway.ts';
import { LISTENERS } from './inbound/listeners.ts';
import { catchUp } from './inbound/message-events.ts';
import { createUploadOf } from './inbound/message-reader.ts';
import { findChannel, findDirect, findPost } from './outbound/channels.ts';
import { ensureRegistered } from './registration.ts';

export { createRest } from './api/rest.ts';

export { registerCommands } from './registration.ts';

const MAX_TAKEN_THREADS = 1000;

/**
 * Discord: events from the gateway, responses by the REST API.
 *
 * `start` rejects with a `DiscordLoginError` when Discord does not let the bot in, and keeps trying when Discord cannot be reached.
 */
export function createDiscord(options: DiscordOptions): Platform {
	const { commands, keyv, claim, serves = () => true, retentionMs = RETENTION_MS, deferAfterMs, log } = options;
	const cache = new ClientCache();
	const rest = createRest(options);
	const records = createMessageRecords(keyv, retentionMs, log);
	const responders: Discord['responders'] = new Map();
	const discord: Discord = {
		...{ commands, serves, claim, rest, cache, records, responders, deferAfterMs, log },
		messages: new MessageApi({ rest, cache, responders }),
		uploadOf: createUploadOf(options.attachmentOrigins, (message) => records.keyOf(message)),
		openForms: new OpenForms(keyv),
		userRecords: new UserRecords({ keyv, retentionMs, findMember: getMember.bind(undefined, rest), log }),
		autoMod: new AutoMod({ rest, cache, log }),
		takenThreads: new LRUCache({ max: MAX_TAKEN_THREADS }),
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
