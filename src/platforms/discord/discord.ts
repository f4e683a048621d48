import type { EventEmitter } from 'node:events';
import type { REST } from 'discord.js';
import type { LRUCache } from 'lru-cache';
import type { CommandDescription } from '../../domain/command.ts';
import type { ServesPlace } from '../../domain/place.ts';
import type { Inbox } from '../../domain/platform.ts';
import type { Log } from '../../log.ts';
import type { OpenForms } from '../shared/open-forms.ts';
import type { Once } from '../shared/space.ts';
import type { DiscordMessageRecords, MessageApi } from './api/message-api.ts';
import type { UserRecords } from './api/people.ts';
import type { AutoMod } from './automod/automod.ts';
import type { ClientCache } from './gateway/client-cache.ts';
import type { AttachmentData, UploadOf } from './inbound/message-reader.ts';
import type { ActiveResponders } from './outbound/interaction-responder.ts';

/**
 * The context of one Discord app: made once, and handed on whole. What has a state of its own is a member; everything else is a function
 * that takes the context.
 */
export type Discord = {
	commands: readonly CommandDescription[];
	serves: ServesPlace;
	once: Once;
	rest: REST;
	cache: ClientCache;
	messages: MessageApi;
	responders: ActiveResponders;
	records: DiscordMessageRecords;
	userRecords: UserRecords;
	uploadOf: UploadOf;
	/** With the pictures of the message that a form was opened from. */
	openForms: OpenForms<{ form: string; command: string; attached: AttachmentData[] }>;
	autoMod: AutoMod;
	/** The ids of threads that requests have got. Another request with the same title must not get one of them. */
	takenThreads: LRUCache<string, true>;
	/** Emits messages, by their ids, when Discord has added previews of their links. */
	previews: EventEmitter;
	/** Milliseconds until a response is deferred. */
	deferAfterMs: number | undefined;
	log: Log;
};

/** The context of an event that the core receives. */
export type Receiving = Discord & { inbox: Inbox };
