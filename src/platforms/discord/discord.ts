import type { EventEmitter } from 'node:events';
import type { Keyv } from 'keyv';
import type { LRUCache } from 'lru-cache';
import type { ServesPlace } from '../../domain/channel.ts';
import type { CommandDescription } from '../../domain/command.ts';
import type { Inbox } from '../../domain/platform.ts';
import type { Log } from '../../log.ts';
import type { MessageRecords } from '../shared/message-records.ts';
import type { OpenForms } from '../shared/open-forms.ts';
import type { Claim } from '../shared/space.ts';
import type { MessageApi, PostLocation } from './api/message-api.ts';
import type { UserRecords } from './api/people.ts';
import type { DiscordRest } from './api/rest.ts';
import type { AutoMod } from './automod.ts';
import type { ClientCache } from './gateway/gateway.ts';
import type { Shards } from './gateway/shards.ts';
import type { AttachmentData, UploadOf } from './inbound/message-reader.ts';
import type { InteractionResponder } from './outbound/interaction-responder.ts';

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
	claim: Claim;
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

/**
 * The context of one Discord app: made once, and handed on whole. What has a state of its own is a member; everything else is a function
 * that takes the context.
 */
export type Discord = Pick<DiscordOptions, 'commands' | 'claim' | 'deferAfterMs' | 'log'> & {
	serves: ServesPlace;
	rest: DiscordRest;
	cache: ClientCache;
	messages: MessageApi;
	/** Those of the interactions that are being handled, by their tokens. */
	responders: Map<string, InteractionResponder>;
	records: MessageRecords<PostLocation>;
	userRecords: UserRecords;
	uploadOf: UploadOf;
	/** With the pictures of the message that a form was opened from. */
	openForms: OpenForms<{ form: string; command: string; attached: AttachmentData[] }>;
	autoMod: AutoMod;
	/** The ids of threads that requests have got. Another request with the same title must not get one of them. */
	takenThreads: LRUCache<string, true>;
	/** Emits messages, by their ids, when Discord has added previews of their links. */
	previews: EventEmitter;
};

/** The context of an event that the core receives. */
export type Receiving = Discord & { inbox: Inbox };
