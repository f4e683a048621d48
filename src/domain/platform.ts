import type { Channel, Post } from './channel.ts';
import type { Person } from './person.ts';
import type { MessageHandle, Place, PlaceScope } from './place.ts';
import type { ButtonPress, IncomingMessage, Invocation, MessageChange } from './requests.ts';

/** What somebody sees of their own at a glance, where the platform has a page for that. */
export type HomeView = {
	/** Markdown: usage and caps. */
	text: string;
	/** The last results, the latest first. */
	recent: readonly { handle: MessageHandle; prompt: string; at: number }[];
};

/** What the core offers to platforms. None of these rejects: each ends in a visible answer. */
export type Inbox = {
	invoke(invocation: Invocation): Promise<void>;
	press(press: ButtonPress): Promise<void>;
	/** Messages in threads, and those that address the bot; of other ones nothing is made. */
	hear(message: IncomingMessage): Promise<void>;
	/** To be told of messages in threads. */
	changed(change: MessageChange): Promise<void>;
	/** The place was deleted, or the bot was removed from it: what was said there is no longer kept. */
	forget(where: PlaceScope): Promise<void>;
	/** Completions of what is typed into an option, the best first; none when there is nothing to offer. */
	suggest(asked: { command: string; option: string; typed: string }): Promise<readonly string[]>;
	home(person: Person, channel: Pick<Channel, 'place' | 'when' | 'refer'>): Promise<HomeView>;
};

export type Platform = {
	name: string;
	/** Resolves once it takes events; or, where the platform can't be reached, once it goes on trying by itself. */
	start(inbox: Inbox): Promise<void>;
	/** Takes no further events. What runs may still post. */
	stop(): Promise<void>;
	/** `ready`, or in one word why not, for `/healthz`. */
	state(): string;
	/** A message of ours, also one from before a restart; undefined when it is gone. */
	find(handle: MessageHandle): Promise<Post | undefined>;
	/** A place to post in that nobody asked from; undefined when it is gone. What is posted there can't be private. */
	channel(place: Place): Promise<Channel | undefined>;
	/** Where this one person can be written to; undefined when they can't. */
	direct(place: Place, person: Pick<Person, 'id'>): Promise<Channel | undefined>;
};
