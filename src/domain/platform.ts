import type { Channel, Post } from './channel.ts';
import type { Person } from './person.ts';
import type { MessageHandle, Place, PlaceScope } from './place.ts';
import type { ButtonPress, IncomingMessage, Invocation, MessageChange } from './requests.ts';

/** A person's own page, on platforms that have one. */
export type HomeView = {
	/** Markdown: usage and caps. */
	text: string;
	/** The last results, newest first. */
	recent: readonly { handle: MessageHandle; prompt: string; at: number }[];
};

/** The bot as platforms call it. Nothing here rejects: every request ends in a visible answer. */
export type Inbox = {
	invoke(invocation: Invocation): Promise<void>;
	press(press: ButtonPress): Promise<void>;
	/** Takes messages in threads, and those that address the bot. Others are ignored. */
	hear(message: IncomingMessage): Promise<void>;
	/** Takes changes of messages in threads. */
	changed(change: MessageChange): Promise<void>;
	/** Deletes what was said in a place that is gone, or that the bot was removed from. */
	forget(where: PlaceScope): Promise<void>;
	/** Returns completions for a text that is typed into an option, the best first. */
	suggest(input: { command: string; option: string; typed: string }): Promise<readonly string[]>;
	home(person: Person, channel: Pick<Channel, 'place' | 'when' | 'refer'>): Promise<HomeView>;
};

export type Platform = {
	name: string;
	/** Resolves when it takes events, or when it keeps trying to reach the platform. */
	start(inbox: Inbox): Promise<void>;
	/** Takes no further events. Requests that still run may post. */
	stop(): Promise<void>;
	/** Returns `ready`, or in one word why it is not, for `/healthz`. */
	state(): string;
	/** Returns a message of the bot, also one from before a restart; undefined when it is gone. */
	find(handle: MessageHandle): Promise<Post | undefined>;
	/** Returns a channel to post in without a request from there; undefined when it is gone. Messages there are public. */
	channel(place: Place): Promise<Channel | undefined>;
	/** Returns the channel for direct messages to a person; undefined when they cannot be sent any. */
	direct(place: Place, person: Pick<Person, 'id'>): Promise<Channel | undefined>;
};
