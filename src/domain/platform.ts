import {
	type Channel,
	errorNamed,
	type MessageHandle,
	type Page,
	type Person,
	type Place,
	type PlaceScope,
	type Post,
	type ServerId,
	type Upload,
} from './channel.ts';
import type { Form } from './command.ts';
import type { CallOutcome } from './job.ts';
import type { References } from './typed-options.ts';

/** A person's own page, such as the app home on Slack. */
export type HomeView = {
	/** Usage and caps, as Markdown. */
	text: string;
	/** The most recent results, newest first. */
	recent: readonly { handle: MessageHandle; prompt: string; at: number }[];
};

/** Receives events from platforms. No method rejects: each ends in a visible answer. */
export type Inbox = {
	invoke(invocation: Invocation): Promise<void>;
	press(press: ButtonPress): Promise<void>;
	/** Receives a message in a thread, or one that addresses the bot. Other messages are ignored. */
	hear(message: IncomingMessage): Promise<void>;
	/**
	 * Receives the pictures of a message that is not for the bot. They are read only where their person lets nobody edit them, to know them
	 * again.
	 */
	posted(pictures: { place: Place; person: { id: string }; uploads: readonly Upload[] }): Promise<void>;
	/** Receives the edit or deletion of a message in a thread. */
	changed(change: MessageChange): Promise<void>;
	/**
	 * Erases the conversations of a place that was deleted, or from which the bot was removed. A server without a channel has removed
	 * the bot: all its data is erased after 30 days.
	 */
	forget(where: PlaceScope): Promise<void>;
	/** Carries the rules of a channel, what is counted there, and its chats on to its new id. */
	renamed(channel: ServerId & { from: string; to: string }): Promise<void>;
	/**
	 * Keeps the data of a server that the bot is in, also when it was removed before. It may be repeated. With `invited`, the bot has just
	 * been added, and says once what it can do.
	 */
	joined(server: ServerId, invited?: Invitation): Promise<void>;
	/** Returns completions of what is typed into an option, best first. */
	suggest(input: { command: string; option: string; typed: string }): Promise<readonly string[]>;
	/**
	 * Returns what the form of a command says above its inputs, such as what a picture costs. Undefined where nothing that is filled in would
	 * be allowed: the command, invoked without a form, says why.
	 */
	form(command: string, request: Origin): Promise<{ note?: string | undefined } | undefined>;
	/** Tells whether a person may use moderators' commands in a place; also one that the server's settings make a moderator. */
	moderates(person: Person, place: Place): Promise<boolean>;
	home(person: Person, channel: Page): Promise<HomeView>;
	/**
	 * Returns the conversations on a platform that were active in the last day, latest first, at most 50, each with the id of the last
	 * message that was heard there. By it a platform finds what it has missed; a message that is heard again is ignored.
	 */
	talks(platform: string): Promise<readonly Talk[]>;
};

/** Whom a bot that was added to a server tells what it can do: the person who has added it, or else a channel. */
export type Invitation = {
	/** Those of the server. */
	name: string;
	locale?: string;
	person?: { id: string };
	channel?: string;
};

/** A conversation, and the id of the last `IncomingMessage` that was heard there. */
export type Talk = { place: Place; last?: string };

export type Platform = {
	name: string;
	/** Erases an entry about a person that the platform itself keeps, for kinds of entries that the store cannot erase alone. */
	eraseEntry?(key: string, value: unknown): Promise<void>;
	/** Ids of people are unique within a server only. By default they are on the whole platform. */
	hasLocalIds?: true;
	/**
	 * Tells whether the bot is in a server now. Undefined when this process cannot know it, as before it is connected, or for a server
	 * of another shard.
	 */
	isInServer?(server: string): Promise<boolean | undefined>;
	/** Resolves once events are received, or, when the platform cannot be reached, once it keeps trying in the background. */
	start(inbox: Inbox): Promise<void>;
	/** Stops receiving events. Running requests may still post. */
	stop(): Promise<void>;
	/** Returns `ready`, or one word for the reason why it is not, for `/healthz`. */
	state(): string;
	/** Returns how many connections for events are open, and how many should be; absent where events come by requests. */
	connections?(): { open: number; expected: number };
	/** Finds a message that the bot has posted, also before a restart. Returns undefined when it was deleted. */
	find(handle: MessageHandle): Promise<Post | undefined>;
	/** Opens a place without a request from it. Returns undefined when it was deleted. Posts there cannot be private. */
	channel(place: Place): Promise<Channel | undefined>;
	/** Opens the direct messages of a person. Returns undefined when the person cannot be written to. */
	direct(place: Place, person: { id: string }): Promise<Channel | undefined>;
};

/** The platforms that this process runs. Nothing is found on any other one. */
export type Platforms = ReturnType<typeof platformsOf>;

export function platformsOf(all: readonly Platform[]) {
	const platformOf = (place: { platform: string }) => all.find(({ name }) => name === place.platform);
	return {
		all,
		/** Tells whether this process runs the platform of a place. Work on other platforms is left to processes that run them. */
		runs: (place: { platform: string }) => platformOf(place) !== undefined,
		find: async (handle: MessageHandle) => platformOf(handle.place)?.find(handle),
		open: async (place: Place) => platformOf(place)?.channel(place),
		direct: async (place: Place, person: { id: string }) => platformOf(place)?.direct(place, person),
		/** Returns a person as entries name them: with the server where ids are unique within one server only. */
		personRef: (
			{ platform, server }: ServerId,
			{ id }: { id: string },
		): { platform: string; server?: string; id: string } =>
			platformOf({ platform })?.hasLocalIds ? { platform, server, id } : { platform, id },
	};
}

/** Who asks, and where. */
export type Origin = { person: Person; channel: Channel };

export type Request = Origin & {
	/** The platform's delivery id, the same when an event is delivered twice. At most 48 of `A-Z a-z 0-9 - _ : .` */
	id: string;
};

/** Thrown when the message that a request came from was deleted: nobody waits for an answer. */
export class RequestGoneError extends errorNamed('RequestGoneError', 'The message of a request was deleted') {}

export type Invocation = Request & {
	/** The name of a declared command; `limits set` for a subcommand. */
	command: string;
	/** Unchecked values by field name: strings, numbers, booleans, `Upload` for pictures, ids for person, channel and role. */
	options: Readonly<Record<string, unknown>>;
	/** The result whose request is repeated: `link` is its address, where it has one that others can open. */
	source?: { link?: string };
	form?: string;
	/** The pictures of the message that the form was opened from. */
	attached?: readonly Upload[];
};

export type FormSubmission = Invocation & { form: string };

/** A person presses a button, or chooses an entry from the menu of a message. */
export type ButtonPress = Request & {
	button: string;
	message: MessageHandle;
	/** Only this person sees that message. */
	private?: true;
	/** The pictures of that message, in order. */
	attached: readonly Upload[];
	/** Shows a form to this person. Call it before anything slow, because platforms allow a few seconds. */
	open(form: Form): Promise<void>;
};

/** A person writes a message that the bot can read. Its id is the one of the message itself, which later changes refer to. */
export type IncomingMessage = Request & {
	/** The text without a mention of the bot at its beginning. */
	text: string;
	/** What it says to the bot, where others are spoken to before: “draw a fox” of “@Björn look, @Easel draw a fox”. */
	toBot?: string;
	/** Every file that the message shows, also those that cannot be read. */
	uploads: readonly Upload[];
	/** The message mentions the bot, replies to it, or is a direct message to it. */
	addressed: boolean;
	toOthers?: boolean;
	/**
	 * Where commands can be typed into messages to the bot: the text with what the platform has put into it but without mentions of the bot,
	 * whether there are any, how it is read, and the channel that a command is answered in, where an answer can be private.
	 */
	typed?: { text: string; mentions: boolean; references: References; channel: Channel };
	/** The message that it replies to; `private` where only this person sees that message. */
	repliedTo?: QuotedMessage & { private?: true };
	/**
	 * Reads what was said before it where it was written: the beginning of its thread and the last messages, oldest first, at most 15.
	 * Empty when the platform refuses. It is called only when the bot answers.
	 */
	before?(): Promise<readonly QuotedMessage[]>;
};

/** A message that tells what another one is about. */
export type QuotedMessage = {
	author: string;
	text: string;
	uploads: readonly Upload[];
	/** It is the bot's. */
	own?: true;
	/** It was deleted, so that nothing of it is known. */
	gone?: true;
};

export type MessageChange = {
	/** The id of the `IncomingMessage`, or the key of a post of the bot. */
	id: string;
	place: Place;
	/** Undefined when the message was deleted. */
	text?: string;
};

/**
 * How a request ended, as the metrics count it:
 *
 * - `answered`: with a reply that costs nothing
 * - `refused`: with a sentence about why nothing comes of it
 * - `duplicate`: it was delivered before
 * - `unasked`: a message in a thread that does not ask the bot
 * - `unanswered`: not even the sentence about its error could be posted
 * - a call's outcome, or the state of a chat answer
 */
export type RequestOutcome =
	| 'answered'
	| 'refused'
	| 'duplicate'
	| 'unasked'
	| 'unanswered'
	| CallOutcome
	| AnswerState;

/**
 * The state of an answer in a chat thread:
 *
 * - `running`: it is being written
 * - `done` · `stopped` by a person · `cut` by the service · `interrupted` by the end of the process: `text` is what arrived
 * - `failed` · `refused` by a cap: no text arrived
 */
export type AnswerState = 'running' | 'done' | 'stopped' | 'cut' | 'interrupted' | 'failed' | 'refused';

/** How long prompts, pictures, chats and names are kept by default, in milliseconds. */
export const RETENTION_MS = 30 * 24 * 3600_000;
