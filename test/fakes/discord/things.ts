import type { APIAutoModerationRule, ChannelType, InteractionType } from 'discord-api-types/v10';
import type { Component, Modal } from './components.ts';
import type { Embed } from './limits.ts';

export type User = {
	id: string;
	handle: string;
	name: string;
	locale: string;
	bot: boolean;
	/** Takes no direct messages from applications. */
	closed: boolean;
	/** Brought the application along for use everywhere. */
	installed: boolean;
};
export type Role = { id: string; name: string; permissions: bigint };
export type Member = { user: User; roles: string[] };
export type Server = {
	id: string;
	name: string;
	locale: string;
	ownerId: string;
	roles: Map<string, Role>;
	members: Map<string, Member>;
	channels: Map<string, Channel>;
	fileBytes: number;
	/** Whether the application is in it. */
	joined: boolean;
	autoModeration: APIAutoModerationRule[];
};
export type Channel = {
	id: string;
	type: ChannelType;
	name: string;
	nsfw: boolean;
	server?: Server;
	/** The channel that this is a thread of. */
	parent?: Channel;
	/** Of a direct message. */
	recipients: User[];
	overwrites: Map<string, { allow: bigint; deny: bigint }>;
	private: boolean;
	ownerId?: string;
	archived: boolean;
	locked: boolean;
	autoArchive: number;
	slowMode: number;
	threadMembers: Set<string>;
	/** Oldest first. */
	messages: Map<string, Message>;
	/** When each was last seen typing, Unix milliseconds. */
	typing: Map<string, number>;
};
export type StoredFile = {
	id: string;
	name: string;
	type: string;
	bytes: Uint8Array;
	description?: string;
	spoiler: boolean;
	/** Where it is shown; an upload to a command is shown nowhere. */
	channelId: string;
	ephemeral: boolean;
};
export type Message = {
	id: string;
	channel: Channel;
	author: User;
	content: string;
	embeds: Embed[];
	components: Component[];
	files: StoredFile[];
	flags: number;
	nonce?: string | number;
	/** The interaction that this answers. */
	interaction?: { id: string; type: number; user: User; name?: string };
	/** Who alone sees it. */
	only?: User;
	reference?: Message;
	/** The reply pings the author of what it answers. */
	replyPings: boolean;
	editedAt?: number;
	thread?: Channel;
};

/** What somebody did, and what came of it so far. */
export type Interaction = {
	id: string;
	token: string;
	type: InteractionType;
	user: User;
	channel: Channel;
	/** `data` of the event. */
	data: Record<string, unknown>;
	sentAt: number;
	/** How often it was delivered. */
	deliveries: number;
	/** The message of the button, select menu or form. */
	source?: Message | undefined;
	/** The type of the callback that answered it. */
	answered?: number;
	/** What `@original` is. */
	original?: Message | undefined;
	followUps: number;
	modal?: Modal;
	choices?: { name: string; value: string | number }[];
	/** Resolves with the first callback, or with `failed` when none came in time. */
	settled: Promise<'answered' | 'failed'>;
	settle(how: 'answered' | 'failed'): void;
};

export const isThread = ({ parent }: Channel): boolean => parent !== undefined;
