import type { Person } from './person.ts';
import type { MessageHandle, Place } from './place.ts';
import type { Button, Reply, Upload } from './reply.ts';

/** A message that the bot has posted. */
export type Post = {
	handle: MessageHandle;
	/** The address at which others can see it, where there is one. */
	link?: string | undefined;
	/** Replaces text and buttons, and pictures where the reply has any; otherwise the pictures stay. */
	edit(reply: Reply): Promise<void>;
	delete(): Promise<void>;
	/**
	 * Returns the pictures that the message shows, without previews, where the post was found rather than just posted. Covered ones may be
	 * missing.
	 */
	pictures?(): Promise<readonly Upload[]>;
};

/** The limits of one channel. They differ between servers and threads, so each channel has its own. */
export type ChannelLimits = {
	/** The maximum length of a message's text, in UTF-16 units. */
	text: number;
	/** The maximum number of pictures in a message. */
	pictures: number;
	/** The maximum size of a picture, in bytes. */
	pictureBytes: number;
	/** The maximum size of all pictures and files of a message together, in bytes, where the platform has such a limit. */
	messageBytes?: number;
	/** Whether edits can replace pictures, so that previews of a picture can be shown before it. */
	previews?: true;
	/** The maximum number of edits, `count`, in `perMs` milliseconds. */
	edits: { count: number; perMs: number };
};

export type PostOptions = {
	/** Leaves a message that already exists under the key as it is. */
	ifAbsent?: boolean;
	/**
	 * Posts the message also while the store fails, such as the sentence about that. It may not be found by its key then, and is posted
	 * again where one existed under the key.
	 */
	withoutStore?: boolean;
};

export type Channel = {
	place: Place;
	limits: ChannelLimits;
	/**
	 * Posts a message. Posting again under the same key edits the message.
	 *
	 * @param key identifies the message before it exists (see `assertMessageKey`), uniquely within the platform. A handle
	 * of place and key is enough for `Platform.find`, so a message is found even after a crash before its handle was
	 * stored.
	 */
	post(reply: Reply, key: string, options?: PostOptions): Promise<Post>;
	/** @param options.private only the person who asked is invited to the thread and can see it */
	openThread(title: string, options?: { private?: boolean }): Promise<Channel>;
	/** Tells whether every member of the server can see the channel; undefined when that is not known. */
	isVisibleToEveryone?(): Promise<boolean | undefined>;
	/** The platform offers moderators' commands only to people with rights of its own, until an admin there opens them to a role. */
	hidesCommands?: true;
	/** The channel is marked as for adults only. */
	ageRestricted?: true;
	/**
	 * Checks a text against the server's own rules for messages, where the platform has such rules.
	 *
	 * @returns the sentence for the person, which contains the rule's own message or its name but never the text; undefined when
	 * the text violates no rule or the rules cannot be read
	 */
	screen?(text: string, person: Person): Promise<string | undefined>;
	/**
	 * Shows for some seconds that an answer is being written, where the platform can. Call it again while that takes longer.
	 *
	 * @param stop the button that the platform's own stop button presses, where there is one
	 */
	typing?(stop?: Button): Promise<void>;
	/** Ends what `typing` shows, also what a process that is gone has left, where the platform does not end it by itself. */
	endTyping?(): Promise<void>;
	/** Returns an instant (Unix milliseconds) as Markdown, which the platform shows in each reader's time zone where it can. */
	when(at: number): string;
	/** Returns the name of a person, channel or role as Markdown that notifies nobody. */
	refer(kind: 'person' | 'channel' | 'role', id: string): string;
};
