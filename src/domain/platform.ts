/**
 * The boundary between the core and the platforms (Discord, Slack, the sandbox): types only. This file imports nothing,
 * so that neither side can reach through it.
 */

/** Where something happens. Plain data: it is stored with jobs and handles, and survives a restart. */
export type Place = {
	/** The platform's name: `discord`, `slack`, `sandbox`. */
	platform: string;
	/** Discord's server, Slack's workspace. Caps belong to it. */
	server: string;
	channel: string;
	thread?: string;
	/** A conversation of one person with the bot. Its `server` is the one whose caps the person comes under, or `user:` and their id. */
	direct?: true;
};

export type Person = {
	id: string;
	name: string;
	/** May use the moderators' commands in this place; established by the platform for every event anew. */
	moderator: boolean;
	/** Ids of the roles or user groups that caps can be set for. */
	roles?: readonly string[];
	/** BCP 47, as the platform tells it. */
	locale?: string;
};

/** A file that somebody brought. Its bytes are fetched when read: origin checks and tokens stay inside the platform. */
export type Upload = {
	name: string;
	/** The media type that the platform claims; never trusted. */
	type?: string;
	/** Bytes, if the platform says. */
	size?: number;
	read(signal: AbortSignal): Promise<Uint8Array>;
};

/** A picture to post, as exactly these bytes. */
export type Picture = {
	/** File name with its ending. */
	name: string;
	bytes: Uint8Array;
	/** What a screen reader says. */
	alt: string;
	/** Covered until somebody wants to see it. */
	spoiler?: true;
};

/** A file that is no picture. */
export type Attachment = { name: string; bytes: Uint8Array };

export type Button = {
	/** `action:version:id`; what it stands for lives in the store. */
	id: string;
	label: string;
	kind?: 'plain' | 'danger';
};

export type Reply = {
	/** Markdown. Mentions in it never ping. */
	text: string;
	/**
	 * Markdown that is still being written: `text` without what makes it whole for now (the end of a code fence). It grows at its
	 * end alone, until an edit that has none. Where a platform can add to a message, it need not write it anew.
	 */
	growing?: string;
	pictures?: readonly Picture[];
	/** Only with `post`. */
	files?: readonly Attachment[];
	buttons?: readonly Button[];
	/** `private`: only the person who asked sees it. Fixed when posted; ignored by edits. Default `public`. */
	visibility?: 'public' | 'private';
};

/** Names a message for good: plain data that `Platform.find` takes, also in another process. */
export type Handle = {
	place: Place;
	/** The `key` that the message was posted under. */
	key: string;
	/** What else the platform needs to find it. */
	data?: Record<string, string>;
};

/** A message of ours. */
export type Post = {
	handle: Handle;
	/** Where others can look at it, as an address, if they can. */
	link?: string | undefined;
	/** Replaces text and buttons. Pictures replace those shown when given, and stay when not. */
	edit(reply: Reply): Promise<void>;
	delete(): Promise<void>;
};

/** What one channel can take. Limits differ between servers and threads, so they are asked of the channel. */
export type Limits = {
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
	limits: Limits;
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

/** One input of a command, as every platform shows it. Made from the zod declaration by `fieldsOf`. */
export type Field = {
	name: string;
	/** One line for people. */
	description: string;
	required: boolean;
} & (
	| {
			kind: 'text';
			minLength: number;
			maxLength: number;
			suggestions: readonly string[];
			/** What is typed is completed by `Inbox.suggest`, where the platform can. */
			completed?: true;
	  }
	| { kind: 'choice'; choices: readonly string[] }
	/** Only in forms. Its value is a list. */
	| { kind: 'choices'; choices: readonly string[]; min: number; max: number }
	| { kind: 'integer'; min: number; max: number }
	| { kind: 'flag' | 'picture' | 'person' | 'channel' | 'role' }
);

/** A command as platforms list, register and show it. */
export type CommandDescription = {
	/** `imagine`; `limits set` for a subcommand. */
	name: string;
	/** One line for people. */
	description: string;
	/** Only moderators may use it: hide it from others where possible; the core checks again. */
	moderators: boolean;
	/** May be used in a direct message. */
	direct: boolean;
	/** Required ones first. */
	fields: readonly Field[];
};

/** A command, or the rest of one: inputs to be filled in. Its submission comes back as an invocation with `form: id`. */
export type Form = {
	id: string;
	/** The command that the submission invokes. */
	command: string;
	title: string;
	/** Markdown above the inputs: what is already given. */
	note?: string;
	fields: readonly Field[];
	/** What is filled in to begin with, by field name: words, numbers, flags and lists, no pictures. */
	values?: Readonly<Record<string, unknown>>;
};

/** Somebody asks for a command. */
export type Invocation = {
	/** The platform's delivery id: one event delivered twice carries one id. At most 48 of `A-Z a-z 0-9 - _ : .` */
	id: string;
	/** A declared command's name, `limits set` for a subcommand. */
	command: string;
	/** By field name: string, number, boolean, `Upload` for pictures, ids for person, channel and role. Unchecked. */
	options: Readonly<Record<string, unknown>>;
	person: Person;
	channel: Channel;
	/** The form that this submits. */
	form?: string;
	/** The pictures of the message that the form was opened from. */
	attached?: readonly Upload[];
};

/** Somebody presses a button, or a message menu's entry: `edit:1:menu` and `compose:1:menu`, buttons on any message with pictures. */
export type Press = {
	/** As `Invocation.id`. */
	id: string;
	button: string;
	person: Person;
	channel: Channel;
	/** The message pressed on. */
	message: Handle;
	/** Only this person sees that message. */
	private?: true;
	/** Its pictures, in order. */
	attached: readonly Upload[];
	/** Shows a form to this person. To be called before anything slow: platforms allow seconds. */
	open(form: Form): Promise<void>;
};

/** Somebody writes a message where the bot may read. */
export type Message = {
	/** Names the message itself, also when it is changed later. At most 48 of `A-Z a-z 0-9 - _ : .` */
	id: string;
	/** As it was written, but without the mention of the bot that it may begin with. */
	text: string;
	uploads: readonly Upload[];
	person: Person;
	channel: Channel;
	/** It mentions the bot, answers it, or is a direct message to it. */
	addressed: boolean;
	/** It mentions or answers somebody else. */
	toOthers?: boolean;
};

/** Somebody has edited a message, or it is gone. */
export type MessageChange = {
	/** As the `Message` had it; the key of the post where it was ours. */
	id: string;
	place: Place;
	/** Undefined when the message was deleted. */
	text?: string;
};

/** A thread, or with less said all threads of a channel or of a server. */
export type Somewhere = Pick<Place, 'platform' | 'server'> & Partial<Pick<Place, 'channel' | 'thread'>>;

/** What somebody sees of their own at a glance, where the platform has a page for that. */
export type Home = {
	/** Markdown: usage and caps. */
	text: string;
	/** The last results, the latest first. */
	recent: readonly { handle: Handle; prompt: string; at: number }[];
};

/** What the core offers to platforms. None of these rejects: each ends in a visible answer. */
export type Inbox = {
	invoke(invocation: Invocation): Promise<void>;
	press(press: Press): Promise<void>;
	/** Messages in threads, and those that address the bot; of other ones nothing is made. */
	hear(message: Message): Promise<void>;
	/** To be told of messages in threads. */
	changed(change: MessageChange): Promise<void>;
	/** The place was deleted, or the bot was removed from it: what was said there is no longer kept. */
	forget(where: Somewhere): Promise<void>;
	/** Completions of what is typed into an option, the best first; none when there is nothing to offer. */
	suggest(asked: { command: string; option: string; typed: string }): Promise<readonly string[]>;
	home(person: Person, channel: Pick<Channel, 'place' | 'when' | 'refer'>): Promise<Home>;
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
	find(handle: Handle): Promise<Post | undefined>;
	/** A place to post in that nobody asked from; undefined when it is gone. What is posted there can't be private. */
	channel(place: Place): Promise<Channel | undefined>;
	/** Where this one person can be written to; undefined when they can't. */
	direct(place: Place, person: Pick<Person, 'id'>): Promise<Channel | undefined>;
};
