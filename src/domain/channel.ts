import type { Person } from './person.ts';
import type { MessageHandle, Place } from './place.ts';
import type { Reply } from './reply.ts';

/** A message of the bot. */
export type Post = {
	handle: MessageHandle;
	/** The address of the message, when others can open it. */
	link?: string | undefined;
	/** Replaces the text and the buttons, and the pictures when the reply has some. */
	edit(reply: Reply): Promise<void>;
	delete(): Promise<void>;
};

/** The limits of one channel. They differ between servers and threads. */
export type ChannelLimits = {
	/** The longest text of a message, in UTF-16 units. */
	text: number;
	/** The most pictures in one message. */
	pictures: number;
	/** The largest picture, in bytes. */
	pictureBytes: number;
	/** The most bytes of all pictures and files of one message together, when they are limited. */
	messageBytes?: number;
	/** At most `count` edits in `perMs` milliseconds. */
	edits: { count: number; perMs: number };
};

export type PostOptions = {
	/** Leaves a message as it is that has the key already. */
	ifAbsent?: boolean;
};

export type Channel = {
	place: Place;
	limits: ChannelLimits;
	/**
	 * Posts a message, or edits the one that has the key already.
	 *
	 * The key identifies the message before it exists, so that it is found after a crash between posting it and storing its handle:
	 * `Platform.find` needs only the place and the key.
	 * @param key unique within the platform; see `assertMessageKey`
	 */
	post(reply: Reply, key: string, options?: PostOptions): Promise<Post>;
	/** @param options `private`: only the person who asked sees the thread */
	openThread(title: string, options?: { private?: boolean }): Promise<Channel>;
	/** The channel is for adults. */
	ageRestricted?: true;
	/**
	 * Returns why a text breaks one of the server's own rules, as a sentence: the rule's own message or its name, never the words that
	 * break it. Undefined when the text breaks no rule, or the rules cannot be read.
	 */
	screen?(text: string, person: Person): Promise<string | undefined>;
	/** Shows for some seconds that an answer is being written. Call it again while it takes longer. */
	typing?(): Promise<void>;
	/** Returns a point in time (Unix milliseconds) as Markdown, which the platform shows in each reader's time zone when it can. */
	when(at: number): string;
	/** Returns the name of a person, a channel or a role as Markdown that pings nobody. */
	refer(kind: 'person' | 'channel' | 'role', id: string): string;
};
