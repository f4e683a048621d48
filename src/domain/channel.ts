import type { Person } from './person.ts';
import type { MessageHandle, Place } from './place.ts';
import type { Reply } from './reply.ts';

/** A message of ours. */
export type Post = {
	handle: MessageHandle;
	/** Where others can look at it, as an address, if they can. */
	link?: string | undefined;
	/** Replaces text and buttons. Pictures replace those shown when given, and stay when not. */
	edit(reply: Reply): Promise<void>;
	delete(): Promise<void>;
};

/** What one channel can take. Limits differ between servers and threads, so they are asked of the channel. */
export type ChannelLimits = {
	/** UTF-16 units of one message's text. */
	text: number;
	/** Pictures in one message. */
	pictures: number;
	/** Bytes of one picture. */
	pictureBytes: number;
	/** Bytes of all pictures and files of one message together, where that is less. */
	messageBytes?: number;
	/** At most `count` edits in `perMs` milliseconds. */
	edits: { count: number; perMs: number };
};

export type PostOptions = { ifAbsent?: boolean };

export type Channel = {
	place: Place;
	limits: ChannelLimits;
	/**
	 * Posts a message.
	 * @param key names the message before it exists (at most 64 of `A-Z a-z 0-9 - _ : .`, unique within the platform), so
	 * that after a crash between posting and writing down its handle it is found all the same: a handle of place and key alone
	 * is enough for `Platform.find`. Posting the same key again edits the message that is there.
	 * @param options `ifAbsent`: a message that is there already under this key stays as it is
	 */
	post(reply: Reply, key: string, options?: PostOptions): Promise<Post>;
	/** @param options `private`: only who is invited sees it, which is who asked */
	openThread(title: string, options?: { private?: boolean }): Promise<Channel>;
	/** What is shown here is for adults. */
	ageRestricted?: true;
	/**
	 * Whether a text breaks one of the server's own rules for messages: the sentence that the person reads then, in the rule's own
	 * words or with its name, but never with the words that break it. Undefined when it breaks none, or they can't be known.
	 */
	screen?(text: string, person: Person): Promise<string | undefined>;
	/** Shows for some seconds that an answer is coming, where the platform can. Called again while it takes longer. */
	typing?(): Promise<void>;
	/** A point in time (Unix milliseconds) as Markdown that this platform shows in everybody's own time zone, where it can. */
	when(at: number): string;
	/** Somebody or something by its name, as Markdown that pings nobody. */
	refer(kind: 'person' | 'channel' | 'role', id: string): string;
};
