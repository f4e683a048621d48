import { type APIAutoModerationRule, ChannelType, type InteractionType } from 'discord-api-types/v10';
import type { Component, Modal } from '../schemas/components.ts';
import type { Embed } from '../schemas/messages.ts';

export type User = {
	id: string;
	handle: string;
	name: string;
	locale: string;
	bot: boolean;
	/** Does not accept direct messages from applications. */
	blocksDirectMessages: boolean;
	/** Has installed the application for themselves. */
	installed: boolean;
	/** The upload limit of a file by the user's own subscription, in bytes. */
	fileBytes: number;
};

/** `bot`: the id of the application that the role belongs to. */
export type Role = { id: string; name: string; permissions: bigint; bot?: string };

/** @property guest may only be in the voice channel that they were invited to */
export type Member = { user: User; roles: string[]; guest?: boolean };

export type Server = {
	id: string;
	name: string;
	locale: string;
	ownerId: string;
	roles: Map<string, Role>;
	members: Map<string, Member>;
	channels: Map<string, Channel>;
	/** The upload limit of a file, in bytes. */
	fileBytes: number;
	features: readonly string[];
	/** See `ServerDescription`. */
	withoutConnect: 'all others' | 'view only';
	/** Whether the application is a member. */
	joined: boolean;
	/** Whether the server has installed the application, perhaps its commands only. */
	authorized: boolean;
	autoModeration: APIAutoModerationRule[];
	/** The ids of the roles that may use a command whatever permissions it requires, by its name. */
	commandRoles: Map<string, readonly string[]>;
};

/** A tag of a forum. `moderated`: only members with *Manage Threads* can set it. */
export type Tag = { id: string; name: string; moderated: boolean };

export type Channel = {
	id: string;
	type: ChannelType;
	name: string;
	nsfw: boolean;
	/** Undefined for direct messages. */
	server?: Server;
	/** The channel of a thread. */
	parent?: Channel;
	/** Of direct messages. */
	recipients: User[];
	overwrites: Map<string, { allow: bigint; deny: bigint }>;
	private: boolean;
	ownerId?: string;
	archived: boolean;
	locked: boolean;
	autoArchive: number;
	slowMode: number;
	/** Of a forum. */
	tags: readonly Tag[];
	/** Every post of the forum needs a tag. */
	requiresTag: boolean;
	/** The ids of the tags of a forum's post. */
	appliedTags: readonly string[];
	threadMembers: Set<string>;
	/** By id, oldest first. */
	messages: Map<string, Message>;
	/** The messages that were posted with a nonce, by author and nonce; also deleted ones. */
	nonces: Map<string, { message: string; at: number }>;
	/** When each user was last typing, by id, in Unix milliseconds. */
	typing: Map<string, number>;
};

export type StoredFile = {
	id: string;
	name: string;
	type: string;
	bytes: Uint8Array;
	description?: string;
	spoiler: boolean;
	channelId: string;
	/** Uploaded with a command, and shown in no message. */
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
	/** The interaction that the message responds to. */
	interaction?: { id: string; type: number; user: User; name?: string };
	/** The only user who sees an ephemeral message. */
	only?: User;
	/** The message that this one replies to. */
	reference?: Message;
	/** The message that this one forwards. */
	forwarded?: Message;
	stickers?: readonly Sticker[];
	poll?: Poll;
	/** The reply mentions the author of the other message. */
	replyPings: boolean;
	editedAt?: number;
	/** Discord has looked at its links, which it does after the message was sent. */
	unfurled?: true;
	thread?: Channel;
};

/** The texts of a poll. https://docs.discord.com/developers/resources/poll */
export type Poll = { question: string; answers: readonly string[] };

/** https://docs.discord.com/developers/resources/sticker#sticker-item-object */
export type Sticker = { id: string; name: string; format_type: number };

/** An interaction and the responses to it. */
export type Interaction = {
	id: string;
	token: string;
	type: InteractionType;
	user: User;
	channel: Channel;
	/** `data` of the event. */
	data: Record<string, unknown>;
	sentAt: number;
	deliveries: number;
	/** The message of the component or of the modal. */
	source?: Message | undefined;
	/** The type of the callback that responded. */
	answered?: number;
	/** The message `@original`. */
	original?: Message | undefined;
	followUps: number;
	modal?: Modal;
	choices?: { name: string; value: string | number }[];
	/** Resolves with the first callback, or with `failed` when there is none in time. */
	settled: Promise<'answered' | 'failed'>;
	settle(how: 'answered' | 'failed'): void;
};

/** Channels that have posts, which are threads, and no messages of their own. */
export const FORUMS: readonly ChannelType[] = [ChannelType.GuildForum, ChannelType.GuildMedia];

/** Tells whether a channel has messages: not a forum, nor a category. */
export const hasMessages = ({ type }: Channel): boolean =>
	![...FORUMS, ChannelType.GuildCategory, ChannelType.GuildDirectory].includes(type);

export const isThread = ({ parent }: Channel): boolean => parent !== undefined;
